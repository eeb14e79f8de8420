import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { models } from '../../../models/index.ts';
import { describeModel } from '../../../worker/builder/fixes.ts';
import { LAYER_KINDS } from '../../../worker/builder/kinds.ts';
import { useBuild } from './build-store.ts';
import { startHistory } from './history.ts';
import { LayerList } from './LayerList.tsx';

// Without a worker, edits are not described.
vi.mock('../../ask-part.ts', () => ({ askPart: () => Promise.resolve(undefined) }));

const focused = () => document.activeElement?.querySelector('code')?.textContent;
const names = () => useBuild.getState().history.present.layers.map(({ name }) => name);
const calls = { toPalette: vi.fn<() => void>(), toSettings: vi.fn<() => void>() };

beforeEach(() => {
  const model = models.get('resnet8');
  useBuild.setState({
    catalogue: { kinds: [...LAYER_KINDS], presets: [] },
    history: startHistory(model),
    selected: 'conv1',
    open: new Set(),
    described: { model, description: describeModel(model) },
  });
  render(<LayerList {...calls} />);
});

test('arrow keys select rows, expand and collapse blocks', async () => {
  await userEvent.click(screen.getByText('conv1', { selector: 'code' }));
  const rows = () => screen.getAllByRole('row').length;
  const collapsed = rows();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) {
    act(() => screen.getAllByRole('row', { selected: true })[0].focus());
    await userEvent.keyboard(`{${key}}`);
  }
  expect(focused()).toBe('layer1.0');
  expect(rows()).toBeGreaterThan(collapsed);
  await userEvent.keyboard('{ArrowRight}');
  expect(focused()).toBe('conv1');
  expect(useBuild.getState().selected).toBe('layer1.0.conv1');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(rows()).toBe(collapsed);
});

test('keys duplicate, move and delete the selected row, and lead to the palette and the settings', async () => {
  screen.getAllByRole('row', { selected: true })[0].focus();
  await userEvent.keyboard('{Control>}d{/Control}');
  expect(names().slice(0, 3)).toEqual(['conv1', 'conv2', 'bn1']);
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(names().slice(0, 3)).toEqual(['conv1', 'bn1', 'conv2']);
  expect(focused()).toBe('conv2');
  await userEvent.keyboard('{Delete}');
  expect(names()).not.toContain('conv2');
  await userEvent.keyboard('a{Enter}');
  expect(calls.toPalette).toHaveBeenCalledOnce();
  expect(calls.toSettings).toHaveBeenCalledOnce();
});

test('an error and its fixes are shown below their layer, and inside a collapsed block by name', async () => {
  const model = useBuild.getState().history.present;
  const layers = model.layers.map((layer) =>
    layer.name === 'layer1.0.conv2'
      ? { ...layer, attributes: { ...layer.attributes, outChannels: 7 } }
      : layer,
  );
  const broken = { ...model, layers };
  act(() =>
    useBuild.setState({
      history: startHistory(broken),
      described: { model: broken, description: describeModel(broken) },
    }),
  );
  const note = (await screen.findByText(/must have the same shape/)).closest('td') as HTMLElement;
  expect(within(note).getByText('layer1.0.add:')).toBeTruthy();
  await userEvent.click(within(note).getAllByRole('button')[0]);
  expect(useBuild.getState().said).toMatch(/^Fixed: /);
});

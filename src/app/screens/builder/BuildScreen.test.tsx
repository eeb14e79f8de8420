import { act, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { models } from '../../../models/index.ts';
import type { ModelFile } from '../../../worker/api.ts';
import { describeModel } from '../../../worker/builder/fixes.ts';
import { LAYER_KINDS } from '../../../worker/builder/kinds.ts';
import { OWN_MODEL } from '../../state/own-model.ts';
import { DEFAULT_SETTINGS } from '../../state/settings.ts';
import { useApp } from '../../state/store.ts';
import { BuildScreen } from './BuildScreen.tsx';
import { followTrain, removeSelected, select, useBuild } from './build-store.ts';
import { anyPart } from '../../testing/any-part.ts';

// Nothing is hidden here; to check that takes most of the time.
configure({ defaultHidden: true });

const presets = ['lenet5', 'resnet8'].map((name) => models.get(name) as ModelFile);
const part = {
  buildCatalogue: () => ({ kinds: [...LAYER_KINDS], presets }),
  describeModel: (model: ModelFile) => describeModel(model),
};
vi.mock('../../ask-part.ts', () => ({
  askPart: async (question: (api: typeof part) => unknown) => question(anyPart(part)),
}));
const stopped = vi.fn<() => void>();
vi.mock('../../client.ts', () => ({
  ask: async (question: (api: unknown) => unknown) =>
    question(
      anyPart({
        stop: stopped,
        modelFor: () => ({ ok: true, value: undefined }),
        memory: () => new Promise(() => undefined),
      }),
    ),
}));

const dataset = (name: string, shape: number[]) => ({
  name,
  title: `The ${name}`,
  shape,
  classes: Array.from({ length: 10 }, (_, i) => String(i)),
  counts: { train: 100, test: 10 },
  augmentation: {},
  status: { state: 'ready' },
});
const initial = useBuild.getState();
const choose = (model: string, more: object = {}) =>
  useApp.setState((state) => ({ settings: { ...state.settings, model, ...more } }));
const present = () => useBuild.getState().history.present;
const use = () =>
  screen.getByText(/^(Use in Train|Stop the run and use)$/).closest('button') as HTMLButtonElement;

beforeEach(() => {
  stopped.mockReset();
  useBuild.setState({ ...initial }, true);
  useApp.setState({
    datasets: [dataset('digits', [1, 28, 28]), dataset('photos', [3, 32, 32])] as never,
    settings: { ...DEFAULT_SETTINGS },
    ownModel: undefined,
    runState: 'idle',
    runId: 0,
    device: 'ready',
  });
  location.hash = '#/build';
});

async function open() {
  render(<BuildScreen />);
  await screen.findByText('valid');
}

test('it opens with the model of Train; unchanged, it is used by its name, and then as one’s own', async () => {
  await open();
  expect(present()).toMatchObject({ title: 'LeNet-5', input: [1, 28, 28] });
  await userEvent.click(use());
  expect(useApp.getState().settings.model).toBe('lenet5');
  expect(location.hash).toBe('#/train');

  act(() => {
    select('relu1');
    removeSelected();
  });
  await waitFor(() => expect(use().getAttribute('aria-disabled')).toBeNull());
  await userEvent.click(use());
  expect(useApp.getState().settings.model).toBe(OWN_MODEL);
  expect(useApp.getState().ownModel).toMatchObject({ title: 'My LeNet-5', name: 'my-lenet5' });
});

test('it follows another choice in Train, and Undo brings the edits back; without one it keeps them', async () => {
  await open();
  await act(async () => {
    select('relu1');
    removeSelected();
  });
  const edited = present();
  await act(async () => followTrain());
  expect(present()).toBe(edited);
  await act(async () => {
    choose('resnet8', { dataset: 'photos' });
    followTrain();
  });
  expect(present()).toMatchObject({ title: 'ResNet-8', input: [3, 32, 32] });
  await act(async () => fireEvent.keyDown(screen.getByRole('treegrid'), { key: 'z', ctrlKey: true }));
  expect(present()).toEqual(edited);
});

test('what using it changes is said beforehand: the data set, an open run, errors', async () => {
  await open();
  const note = () => screen.getByRole('status', { name: 'Use in Train' }).textContent;
  expect(note()).toBe('');
  act(() => choose('lenet5', { dataset: 'photos' }));
  expect(note()).toContain(
    'The model needs images of 1 × 28 × 28 and 10 classes, so Train switches to The digits.',
  );
  act(() => useApp.setState({ runState: 'paused' }));
  expect(note()).toContain('stopped first');
  expect(use().textContent).toBe('Stop the run and use');
  fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
  await waitFor(() => expect(useApp.getState().settings.dataset).toBe('digits'));
  expect(stopped).toHaveBeenCalledOnce();

  act(() => {
    select('fc3');
    removeSelected();
  });
  await waitFor(() => expect(note()).toMatch(/^The model is incomplete or has an error\./));
  expect(use().getAttribute('aria-disabled')).toBe('true');
});

test('by keyboard one lands in the list, A leads to the palette from anywhere, and Undo keeps the focus', async () => {
  await open();
  await waitFor(() => expect(document.activeElement?.tagName).toBe('TR'));
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('a');
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Find a layer to add' }));
  await userEvent.keyboard('dropout{Enter}');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('dropout1'));
  // Its settings vanish with it.
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement?.tagName).toBe('INPUT');
  await userEvent.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(document.activeElement?.tagName).toBe('TR'));
});

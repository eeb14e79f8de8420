import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { DatasetEntry } from '../../../../worker/api.ts';
import { ActionButton } from '../../../actions/ActionButton.tsx';
import { train } from '../../../actions/actions.ts';
import { obstacleToTraining } from '../../../actions/start.ts';
import { useApp } from '../../../state/store.ts';
import { anyPart } from '../../../testing/any-part.ts';
import { SettingsCard } from './SettingsCard.tsx';

const asked = vi.fn<() => void>();
vi.mock('../../../client.ts', () => ({
  ask: (question: (api: unknown) => unknown) =>
    question(anyPart({ train: asked, memory: () => new Promise(() => undefined) })),
}));

const digits = {
  name: 'digits',
  title: 'Digits',
  counts: { train: 48, test: 12 },
  shape: [1, 28, 28],
  augmentation: {},
  status: { state: 'ready' },
} as unknown as DatasetEntry;

function show(settings: Record<string, string> = {}) {
  const initial = useApp.getInitialState();
  const chosen = { ...initial.settings, batchSize: '16', ...settings };
  useApp.setState({ ...initial, device: 'ready', datasets: [digits], settings: chosen }, true);
  render(
    <>
      <ActionButton action={train} />
      <SettingsCard />
    </>,
  );
}

const press = () => userEvent.click(screen.getByRole('button', { name: 'Train' }));
const rate = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Learning rate' });

beforeEach(() => asked.mockReset());

test('Train is enabled while a setting is invalid, and leads to its field', async () => {
  show({ batchSize: '64' });
  expect(obstacleToTraining(useApp.getState())).toBe('Batch size: Enter a whole number from 1 to 48.');
  await press();
  expect(document.activeElement).toBe(screen.getByLabelText('Batch size'));
  expect(asked).not.toHaveBeenCalled();
});

test('a drawer that hides the field is opened first', async () => {
  show({ patience: 'often' });
  await press();
  const field = await screen.findByLabelText('Early stopping patience');
  await expect.poll(() => document.activeElement).toBe(field);
});

test('wrong input keeps the setting, and Train leads to it', async () => {
  show();
  fireEvent.change(rate(), { target: { value: 'fast' } });
  expect(useApp.getState().settings.lr).toBe('0.001');
  expect(screen.getByText('Enter a number greater than 0, not fast. Still 0.001.')).toBeTruthy();
  await press();
  expect(document.activeElement).toBe(rate());
  expect(rate().value).toBe('fast');
  expect(asked).not.toHaveBeenCalled();
  // Another value from elsewhere replaces what was typed.
  fireEvent.change(screen.getByRole('slider'), { target: { value: '-2' } });
  expect(rate().value).toBe('0.01');
  expect(useApp.getState().wrong).toEqual({});
});

test('a decimal comma is read as a point', () => {
  show();
  fireEvent.change(rate(), { target: { value: '0,02' } });
  expect(useApp.getState().settings.lr).toBe('0.02');
  fireEvent.blur(rate());
  expect(rate().value).toBe('0.02');
});

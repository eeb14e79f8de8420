import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ok, type Result } from '../../base/result.ts';
import { completed } from '../../run/settings/rules.ts';
import type { Rescue, WorkerApi } from '../../worker/api.ts';
import { useApp } from '../state/store.ts';
import { anyPart } from '../testing/any-part.ts';
import { NotLearning, TryRates } from './NotLearning.tsx';

const rescue = vi.fn<WorkerApi['train']['rescue']>();
vi.mock('../client.ts', () => {
  const ask = <T,>(question: (api: unknown) => Promise<Result<T>>) => question(anyPart({ rescue }));
  return { ask };
});

const runConfig = { ...completed({ optimizer: 'sgd', lr: 20 }), model: 'lenet5', dataset: 'digits' };
const tried: Rescue = {
  from: 120,
  steps: 20,
  before: 2.305,
  guessing: Math.log(10),
  tries: [
    { lr: 0.15, loss: 2.21, helps: true },
    { lr: 0.05, loss: 2.28, helps: true },
    { lr: 0.005, loss: NaN, helps: false },
  ],
};
const trouble = { loss: 2.41, guessing: Math.log(10), steps: 30 };

beforeEach(() => {
  const initial = useApp.getInitialState();
  useApp.setState({ ...initial, runConfig, runId: 1, runState: 'training', device: 'ready', trouble }, true);
});

test('a run that does not learn offers to try three rates, and shows what became of them', async () => {
  const config = { ...runConfig, lr: 0.15 };
  let answer: ((result: Result<Rescue>) => void) | undefined;
  rescue.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  render(<NotLearning />);
  expect(
    screen.getByText(/Over the last 30 steps its loss is 2.41 on average. Pure guessing gives 2.303/),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Try three learning rates' }));
  expect(screen.getByRole('button', { name: 'Trying three learning rates…' })).toBeTruthy();
  await act(async () => {
    useApp.setState({ trouble: undefined, runId: 2 });
    answer?.(ok({ ...tried, config }));
  });
  // Its first step brings the id that it is kept under.
  act(() => useApp.setState({ runConfig: { ...config, record: 'kept' } }));
  expect(screen.getByText('Learning rate 0.15 works')).toBeTruthy();
  expect(screen.getByText(/continues from step 120/)).toBeTruthy();
  expect(useApp.getState().settings.lr).toBe('0.15');
  const rows = within(screen.getByRole('table')).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['Learning rate', 'Loss after 20 steps', 'Result'],
    ['0.15', '2.21', 'taken'],
    ['0.05', '2.28', 'falls'],
    ['0.005', 'NaN', 'explodes'],
    ['no learning', '2.305', ''],
  ]);
  // In trouble again: the offer comes back.
  act(() => useApp.setState({ trouble }));
  expect(screen.getByText('It is not learning')).toBeTruthy();
  act(() => useApp.setState({ trouble: undefined }));
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('table')).toBe(null);
});

test('where no rate helps, it says so, and where else to look', async () => {
  rescue.mockResolvedValue(ok({ ...tried, tries: tried.tries.map((one) => ({ ...one, helps: false })) }));
  render(<NotLearning />);
  await userEvent.click(screen.getByRole('button', { name: 'Try three learning rates' }));
  expect(screen.getByText('None of the three learning rates helps')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Doctor' }).getAttribute('href')).toBe('#/doctor');
});

test('a failed call is reported, and can be repeated', async () => {
  rescue.mockResolvedValue({ ok: false, error: { code: 'busy', message: 'The Lab is benchmarking.' } });
  render(<TryRates />);
  await userEvent.click(screen.getByRole('button', { name: 'Try three learning rates' }));
  expect(useApp.getState().runError?.message).toBe('The Lab is benchmarking.');
  expect(screen.getByRole('button', { name: 'Try three learning rates' })).toBeTruthy();
});

import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ok, type Result } from '../../../../base/result.ts';
import { completed } from '../../../../run/settings/rules.ts';
import type { DatasetEntry, WorkerApi } from '../../../../worker/api.ts';
import { live } from '../../../metrics/live.ts';
import { useApp } from '../../../state/store.ts';
import { Exploded } from './Exploded.tsx';
import { anyPart } from '../../../testing/any-part.ts';

const train = vi.fn<WorkerApi['train']['train']>();
vi.mock('../../../client.ts', () => {
  const ask = <T,>(question: (api: unknown) => Promise<Result<T>>) => question(anyPart({ train }));
  return { ask };
});

const classes = Array.from({ length: 10 }, (_, i) => String(i));
const digits = {
  name: 'digits',
  title: 'Digits',
  classes,
  counts: { train: 100, test: 10 },
  shape: [1, 28, 28],
  augmentation: {},
  status: { state: 'ready' },
} as unknown as DatasetEntry;

beforeEach(() => {
  live.clear();
  train.mockReset().mockResolvedValue(ok(undefined));
  const initial = useApp.getInitialState();
  const runConfig = { ...completed({ optimizer: 'sgd', lr: 20 }), model: 'lenet5', dataset: 'digits' };
  const settings = { ...initial.settings, optimizer: 'sgd', lr: '20' };
  useApp.setState(
    { ...initial, settings, runConfig, runId: 1, runState: 'training', device: 'ready', datasets: [digits] },
    true,
  );
});

test('a run that guesses with an exploded loss is warned of, and restarts with a lower learning rate', async () => {
  live.addEvaluation({ step: 157, epoch: 1, testLoss: 2.4, testAccuracy: 0.1 });
  const { rerender } = render(<Exploded />);
  expect(screen.queryByText('This run has stopped learning')).toBe(null);
  await act(async () => live.addEvaluation({ step: 314, epoch: 2, testLoss: 28.4, testAccuracy: 0.1 }));
  rerender(<Exploded />);
  await screen.findByText('This run has stopped learning');
  expect(screen.getByText(/Its test loss is 28.4 \(random guessing: 2.303\)/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Restart with learning rate 2' }));
  expect(train.mock.lastCall?.[0]).toMatchObject({ lr: 2, optimizer: 'sgd' });
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('This run has stopped learning')).toBe(null);
});

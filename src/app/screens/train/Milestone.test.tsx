import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { completed } from '../../../run/settings/rules.ts';
import type { DatasetEntry } from '../../../worker/api.ts';
import { live } from '../../metrics/live.ts';
import { usePad } from '../../pad/pad-store.ts';
import { useApp } from '../../state/store.ts';
import { milestoneOf, Milestone } from './Milestone.tsx';

const classes = Array.from({ length: 10 }, (_, i) => String(i));
const digits = { name: 'digits', classes, counts: { train: 100, test: 2000 } } as unknown as DatasetEntry;
const runConfig = { ...completed({ epochs: 3 }), model: 'lenet5', dataset: 'digits' };

beforeEach(() => {
  live.clear();
  const initial = useApp.getInitialState();
  useApp.setState({ ...initial, runConfig, runId: 1, runState: 'training', datasets: [digits] }, true);
});

const answer = (step: number, of: number) => ({
  step,
  probabilities: Float32Array.from(classes, (_, i) => (i === of ? 0.9 : 0.01)),
});
const tested = (epoch: number, testAccuracy: number) =>
  act(async () => {
    live.addEvaluation({ step: 100 * epoch, epoch, testLoss: 0.2, testAccuracy });
    await new Promise((resolve) => setTimeout(resolve, 120));
  });

test('after the first test, at 95 % and at the end it says what the network can do, and the person’s digit before and now', async () => {
  render(<Milestone />);
  const image = new Uint8Array(784);
  act(() => usePad.setState({ network: 'run', image, prediction: answer(0, 3) }));
  expect(screen.queryByRole('region')).toBe(null);
  await tested(1, 0.914);
  act(() => usePad.setState({ prediction: answer(100, 7) }));
  expect(screen.getByText('The first epoch is done')).toBeTruthy();
  expect(screen.getByText('It reads 91.40 % of 2,000 digits that it has never seen.')).toBeTruthy();
  expect(screen.getByText('Your image on the pad: “3” at step 0, now “7”.')).toBeTruthy();
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '#/inspect/mistakes',
    '#/lessons',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('region')).toBe(null);
  await tested(2, 0.96);
  expect(screen.getByText('More than 95 % right')).toBeTruthy();
  // A run in trouble has nothing to celebrate.
  act(() => useApp.setState({ trouble: { loss: 3, guessing: 2.3, steps: 30 } }));
  expect(screen.queryByRole('region')).toBe(null);
});

test('at the end it says so, also once it is stopped; few images are counted', async () => {
  const images = { ...digits, classes: ['cat', 'dog', 'cow'], counts: { train: 48, test: 12 } };
  useApp.setState({ runState: 'paused', datasets: [images as DatasetEntry] });
  live.setPosition(300, 3);
  render(<Milestone />);
  await tested(3, 1);
  expect(screen.getByText('Training is complete')).toBeTruthy();
  expect(screen.getByText('It gets 12 of 12 images right that it has never seen.')).toBeTruthy();
  act(() => useApp.setState({ runState: 'stopped' }));
  expect(screen.getByText('Training is complete')).toBeTruthy();
});

test.each([
  [0.5, 10, false, 'first'],
  [0.95, 10, false, 'great'],
  // Of two classes, 95 % may be guessing.
  [0.99, 2, false, 'first'],
  [0.5, 10, true, 'end'],
] as const)('accuracy %s of %d classes, completed %s: %s', (accuracy, count, completedAll, milestone) => {
  expect(milestoneOf(accuracy, count, completedAll)).toBe(milestone);
});

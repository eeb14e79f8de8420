import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ok, type Result } from '../../base/result.ts';
import type { StepRow } from '../../run/metrics/rows.ts';
import { completed } from '../../run/settings/rules.ts';
import type { DatasetEntry } from '../../worker/api.ts';
import { live } from '../metrics/live.ts';
import { useApp } from '../state/store.ts';
import { pointsOf, RunChip } from './RunChip.tsx';
import { anyPart } from '../testing/any-part.ts';

const called = vi.fn<(name: string) => void>();
vi.mock('../client.ts', () => {
  const method = (name: string) => async () => {
    called(name);
    return ok(undefined);
  };
  const api = { pause: method('pause'), train: method('train'), resumeStopped: method('resumeStopped') };
  const ask = <T,>(question: (one: unknown) => Promise<Result<T>>) => question(anyPart(api));
  return { ask };
});

const config = { ...completed({}), model: 'lenet5', dataset: 'digits' };

const row = (step: number, loss: number): StepRow => ({
  step,
  loss,
  accuracy: 0.5,
  imagesPerSecond: 100,
  learningRate: 0.1,
});

beforeEach(() => {
  live.clear();
  called.mockReset();
  useApp.setState({ ...useApp.getInitialState(), device: 'ready' }, true);
});

test('its accuracy says which images it is of, and of few where the true one lies', () => {
  const set = (tested: number) =>
    ({ name: 'digits', counts: { train: 48, test: tested } }) as unknown as DatasetEntry;
  useApp.setState({ runId: 1, runState: 'training', runConfig: config, datasets: [set(2000)] });
  live.addEvaluation({ step: 10, epoch: 1, testLoss: 0.2, testAccuracy: 11 / 12 });
  render(<RunChip />);
  const link = screen.getByRole('link', { name: 'Training, last test accuracy 91.67 %' });
  expect(link.title).toMatch(/last test accuracy 91\.67 % \(2,000 images\)$/);
  act(() => useApp.setState({ datasets: [set(12)] }));
  expect(link.title).toMatch(/last test accuracy 92 % \(12 images, 95 % interval 65 to 99 %\)$/);
});

test('there is nothing before the first run', () => {
  const { container } = render(<RunChip />);
  expect(container.childElementCount).toBe(0);
});

test('it pauses a run, resumes it, and resumes one that was stopped', async () => {
  useApp.setState({ runId: 1, runState: 'training', runConfig: config });
  live.addEvaluation({ step: 10, epoch: 1, testLoss: 0.2, testAccuracy: 0.914 });
  render(<RunChip />);
  expect(screen.getByRole('region', { name: 'Current run' })).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Training, last test accuracy 91.40 %' });
  expect(link.getAttribute('href')).toBe('#/train');
  await userEvent.click(screen.getByRole('button', { name: 'Pause the run' }));
  expect(called).toHaveBeenLastCalledWith('pause');
  act(() => useApp.setState({ runState: 'paused' }));
  await userEvent.click(screen.getByRole('button', { name: 'Resume the run' }));
  expect(called).toHaveBeenLastCalledWith('train');
  act(() => useApp.setState({ runState: 'stopped' }));
  await userEvent.click(screen.getByRole('button', { name: 'Resume the run' }));
  expect(called).toHaveBeenLastCalledWith('resumeStopped');
  act(() => useApp.setState({ runState: 'failed' }));
  expect(screen.queryByRole('button')).toBe(null);
});

test('its line shows the whole run, from the largest loss to the smallest', () => {
  expect(pointsOf(live.curve)).toBe('');
  live.addSteps(Array.from({ length: 500 }, (_, i) => row(i + 1, 2 / (i + 1))));
  const places = pointsOf(live.curve)
    .split(' ')
    .map((place) => place.split(',').map(Number));
  expect(places).toHaveLength(57);
  expect(places[0]).toEqual([2, 2]);
  expect(places.at(-1)).toEqual([58, 18]);
});

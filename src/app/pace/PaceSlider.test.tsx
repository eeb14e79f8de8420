import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { DatasetEntry } from '../../worker/api.ts';
import { useApp } from '../state/store.ts';
import { followPace, WATCH } from './pace.ts';
import { noteOf, PaceSlider } from './PaceSlider.tsx';
import { anyPart } from '../testing/any-part.ts';

const setPace = vi.fn<(stepsPerSecond: number) => void>();
vi.mock('../client.ts', () => ({
  ask: async (message: (api: unknown) => unknown) => message(anyPart({ setPace })),
}));

const dataset = (name: string, train: number) => ({ name, counts: { train, test: 10 } }) as DatasetEntry;
const initial = useApp.getInitialState();

followPace();

beforeEach(() => {
  localStorage.clear();
  useApp.setState({ ...initial, datasets: [dataset('digits', 10_000), dataset('mnist', 60_000)] }, true);
  setPace.mockReset();
});

const slider = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Pace' });

test('a small data set is watched, a large one is trained on at full speed, until a pace is chosen', () => {
  render(<PaceSlider />);
  expect(screen.getByText('Watch: 40 steps/s')).toBeTruthy();
  fireEvent.change(slider(), { target: { value: '0' } });
  expect(slider().getAttribute('aria-valuetext')).toBe('Slow motion');
  expect(setPace).toHaveBeenLastCalledWith(0.5);
  expect(localStorage.getItem('wgrad.pace')).toBe('0.5');
  fireEvent.change(slider(), { target: { value: slider().max } });
  expect(screen.getByText('Full speed')).toBeTruthy();
  expect(setPace).toHaveBeenLastCalledWith(Infinity);
  expect(localStorage.getItem('wgrad.pace')).toBe('full');
});

test('the worker gets the pace that follows from the data set of the run', () => {
  useApp.setState({ settings: { ...initial.settings, dataset: 'mnist' } });
  expect(setPace).toHaveBeenLastCalledWith(Infinity);
  useApp.setState({ runState: 'training', runConfig: { dataset: 'digits' } as never });
  expect(setPace).toHaveBeenLastCalledWith(WATCH);
});

test.each([
  [WATCH, undefined, ''],
  [WATCH, { stepsPerSecond: 3_102, atLeast: false }, 'full speed: 3,100 steps/s'],
  [WATCH, { stepsPerSecond: 612, atLeast: true }, 'full speed: 612+ steps/s'],
  [WATCH, { stepsPerSecond: 12.3, atLeast: true }, 'full speed: 12 steps/s'],
  [Infinity, { stepsPerSecond: 3_102, atLeast: false }, '3,100 steps/s'],
  [Infinity, { stepsPerSecond: 612, atLeast: true }, ''],
])('at %s steps/s, of %o: "%s"', (pace, speed, words) => {
  expect(noteOf(pace, speed)).toBe(words);
});

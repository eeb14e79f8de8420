import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { StepRow } from '../../../run/metrics/rows.ts';
import { live } from '../../metrics/live.ts';

const fed: number[] = [];
vi.mock('./plot.ts', () => ({
  makePlot: () => ({
    setData: ([places]: [Float64Array]) => fed.push(places.length),
    setSize: () => undefined,
    destroy: () => undefined,
  }),
}));
let resize: (width: number, height: number) => void = () => undefined;
vi.stubGlobal(
  'ResizeObserver',
  class {
    constructor(report: (entries: { contentRect: { width: number; height: number } }[]) => void) {
      resize = (width, height) => report([{ contentRect: { width, height } }]);
    }
    observe = () => undefined;
    disconnect = () => undefined;
  },
);
vi.stubGlobal('requestAnimationFrame', (frame: () => void) => setTimeout(frame, 0));
const { Plot } = await import('./Plot.tsx');

test('a plot that is shown again has what came while it was not', async () => {
  vi.useFakeTimers();
  const add = (...steps: number[]) => {
    live.addSteps(steps.map((step) => ({ step, loss: 1, accuracy: 0, ms: 1 }) as unknown as StepRow));
    return vi.advanceTimersByTimeAsync(500);
  };
  render(<Plot className="" series={[]} formatTick={String} epochsAt="top" onPoint={() => undefined} />);
  resize(300, 200);
  await add(1, 2);
  expect(fed.at(-1)).toBe(2);
  // Another part of the screen takes its place, and the run ends.
  resize(0, 0);
  await add(3, 4, 5);
  expect(fed.at(-1)).toBe(2);
  resize(300, 200);
  await vi.advanceTimersByTimeAsync(100);
  expect(fed.at(-1)).toBe(5);
});

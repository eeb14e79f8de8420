import type uPlot from 'uplot';
import { expect, test, vi } from 'vitest';
import type { PlotOptions } from './plot.ts';

const made: uPlot.Options[] = [];
vi.mock('uplot', () => ({
  default: class {
    static sync = () => ({ plots: [] });
    constructor(options: uPlot.Options) {
      made.push(options);
    }
  },
}));
vi.mock('./token.ts', () => ({ token: (name: string) => name }));
vi.stubGlobal('devicePixelRatio', 1);
vi.stubGlobal('document', {});
vi.stubGlobal('getComputedStyle', () => ({ fontSize: '16px' }));

const { LOG_SCALE, makePlot, placeLabels } = await import('./plot.ts');

const label = (x: number, width: number) => ({ x, width });

test('labels stand right of their marks, at the right edge left of them, and never on one another', () => {
  expect(placeLabels([label(10, 40)], 0, 200)).toEqual([{ x: 10, width: 40, left: 11 }]);
  expect(placeLabels([label(180, 40)], 0, 200)).toEqual([{ x: 180, width: 40, left: 139 }]);
  expect(placeLabels([label(10, 40), label(30, 40), label(60, 40)], 0, 200).map(({ x }) => x)).toEqual([
    10, 60,
  ]);
  expect(placeLabels([label(150, 40), label(195, 40)], 0, 200).map(({ x }) => x)).toEqual([150]);
});

test('the label of a mark is drawn over the curves, on ground of its own', () => {
  const options = {
    series: [],
    evaluations: [],
    marks: () => [{ step: 20, words: 'learning rate 0.1' }],
    placeOf: (step: number) => step,
    epochsAt: 'top',
  } as unknown as PlotOptions;
  makePlot({} as HTMLElement, options);
  const drawn: string[] = [];
  const ctx = {
    fillStyle: '',
    save: () => undefined,
    restore: () => undefined,
    measureText: () => ({ width: 80 }),
    fillRect: (left: number, _top: number, width: number) =>
      drawn.push(`${ctx.fillStyle} from ${left} to ${left + width}`),
    fillText: (words: string, left: number) => drawn.push(`${words} at ${left}`),
  };
  const bbox = { left: 0, top: 0, width: 300, height: 100 };
  const plot = { ctx, bbox, valToPos: (x: number) => x } as unknown as uPlot;
  // uPlot calls them once all curves are drawn.
  for (const hook of made[0].hooks?.draw ?? []) hook?.(plot);
  expect(drawn).toEqual(['--surface from 21 to 109', 'learning rate 0.1 at 25']);
});

test('a value that is not a number has no place on a logarithmic scale, zero one below it', () => {
  const { clamp } = LOG_SCALE as { clamp: (plot: unknown, value: number, low: number) => number };
  expect(clamp(undefined, NaN, 1e-3)).toBeNaN();
  expect(clamp(undefined, 0, 1e-3)).toBe(1e-4);
});

import { expect, test, vi } from 'vitest';

vi.mock('uplot', () => ({ default: vi.fn<() => void>() }));

const { placeLabels } = await import('./plot.ts');

const label = (x: number, width: number) => ({ x, width });

test('labels stand right of their marks, at the right edge left of them, and never on one another', () => {
  expect(placeLabels([label(10, 40)], 0, 200)).toEqual([{ x: 10, width: 40, left: 11 }]);
  expect(placeLabels([label(180, 40)], 0, 200)).toEqual([{ x: 180, width: 40, left: 139 }]);
  expect(placeLabels([label(10, 40), label(30, 40), label(60, 40)], 0, 200).map(({ x }) => x)).toEqual([
    10, 60,
  ]);
  expect(placeLabels([label(150, 40), label(195, 40)], 0, 200).map(({ x }) => x)).toEqual([150]);
});

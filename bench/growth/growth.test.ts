import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/base/result.ts';
import type { ProfileLine } from '../tables/lines.ts';
import { drawGrowth } from './draw.ts';
import { growthOf } from './series.ts';

const profile = (model: string, batchSize: number, median: number): ProfileLine => ({
  model,
  batchSize,
  optimizer: 'sgd',
  precision: 'single',
  ms: { median, p10: 0.9 * median, p90: 1.1 * median },
  n: 9,
  kernels: [
    { kernel: 'conv1 fprop', ms: 1, flop: 4e9, bytes: 1e3 },
    { kernel: 'bn1', ms: 1, flop: 0, bytes: 3e9 },
  ],
  flopPerSecond: 1e12,
  bytesPerSecond: 1e12,
});
const profiles = [
  profile('resnet20', 512, 7.4),
  profile('resnet20', 128, 2.8),
  profile('resnet110', 128, 15),
  profile('resnet20-x4', 128, 8),
];

describe('growth of a step', () => {
  test('each size grows while the others stay, in order, above what the kernels take at least', () => {
    const series = growthOf(profiles);
    expect(series.map(({ points }) => points.map(({ at }) => at))).toEqual([
      [128, 512],
      [20, 110],
      [1, 4],
    ]);
    expect(series[0].points[0]).toMatchObject({ least: 7, dispatches: 2, n: 9 });
  });

  test('what does not grow is no series, and other networks are refused', () => {
    expect(growthOf(profiles.slice(0, 2))).toHaveLength(1);
    expect(() => growthOf([profiles[0]])).toThrow('of which a size grows');
    expect(() => growthOf([profile('lenet5', 128, 1)])).toThrow(Failure);
  });

  test('all points are drawn within the picture', () => {
    const svg = drawGrowth('A <GPU>', growthOf(profiles));
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
    const lines = [...svg.matchAll(/points="([^"]*)"/g)];
    expect(lines).toHaveLength(6);
    for (const [, points] of lines)
      for (const point of points.split(' ')) {
        const [x, y] = point.split(',').map(Number);
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(Number(width));
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(Number(height));
      }
    expect(svg).toContain('A &lt;GPU&gt;');
  });

  test('names of sizes leave room for each other', () => {
    const sizes = [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];
    const svg = drawGrowth('GPU', growthOf(sizes.map((batch) => profile('resnet20', batch, batch / 64))));
    const named = [...svg.matchAll(/<text x="([\d.]+)" y="294" text-anchor="middle">(\d+)</g)];
    expect(named.map(([, , at]) => at)).toEqual(['32', '64', '128', '256', '512', '2048', '8192']);
    for (const [i, [, x, at]] of named.slice(1).entries())
      expect(Number(x) - Number(named[i][1])).toBeGreaterThan((7 * (at.length + named[i][2].length)) / 2);
  });
});

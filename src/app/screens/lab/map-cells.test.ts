import { expect, test } from 'vitest';
import { waiting, type Measurement } from './batch.ts';
import { cellOf, CHANNELS, IMAGES, mapCells, measuredCell, predictedCell } from './map-cells.ts';
import { measured, request, timed, wrong } from './testing.ts';

test('a cell is a padded problem, its FLOPs those of direct convolution', () => {
  const { sizes, flops } = cellOf(4, 8, 2, 3);
  expect(sizes).toEqual({
    N: 2,
    C: 4,
    H: 8,
    W: 8,
    K: 4,
    R: 3,
    S: 3,
    stride: [1, 1],
    padding: [1, 1],
    dilation: [1, 1],
    groups: 1,
    layout: 'nchw',
  });
  expect(flops).toBe(2 * 2 * 4 * 4 * 8 * 8 * 3 * 3);
});

test('cells with the fewest FLOPs come first, slow ones are skipped', () => {
  const cells = mapCells(CHANNELS, IMAGES, 16, 3, 1e9);
  const work = cells.map(({ flops }) => flops);
  expect(work).toEqual([...work].sort((a, b) => a - b));
  expect(Math.max(...work)).toBeLessThanOrEqual(1e9);
  expect(mapCells(CHANNELS, IMAGES, 1, 1, Infinity)).toHaveLength(60);
});

test('a measured cell shows the fastest algorithm and its lead', () => {
  const cell = cellOf(4, 8, 1, 3);
  const show = (one: Measurement | undefined, maxFlops = Infinity) => measuredCell(cell, one, maxFlops);
  const [direct, fft] = [timed('direct', 2), timed('fft', 1)];
  expect(show(measured([direct, fft]))).toEqual({
    title: 'C = K = 4, 8 × 8: fft, 1.00 ms, 2.00× as fast as direct',
    algorithms: ['fft'],
    content: 'F',
    small: '1.00 ms · 2.00×',
    state: 'measured',
  });
  expect(show(measured([direct, fft, wrong('implicit_gemm')], [direct]))).toMatchObject({
    title: 'C = K = 4, 8 × 8: tie of fft and direct, 1.00 ms. Incorrect results: implicit_gemm',
    algorithms: ['fft', 'direct'],
    content: '=',
  });
  expect(show(measured([direct, fft], [], [], [direct]))).toMatchObject({
    title: 'C = K = 4, 8 × 8: too noisy to tell fft and direct apart, 1.00 ms',
    algorithms: ['fft'],
    content: 'F ?',
  });
  expect(show(measured([wrong('fft')]))).toMatchObject({ content: '×', state: 'none' });
  expect(show({ ...waiting(request), state: 'measuring' })).toMatchObject({ content: '…', state: 'busy' });
  expect(show(undefined).title).toContain('not measured yet');
  expect(show(undefined, 1)).toMatchObject({ title: expect.stringContaining('too slow'), content: '–' });
});

test('a predicted cell shows the choice', () => {
  const cell = cellOf(4, 8, 1, 3);
  expect(predictedCell(cell, undefined).title).toContain('no prediction');
  expect(predictedCell(cell, { algorithm: 'winograd_f2x3', launch: '' })).toMatchObject({
    title: 'C = K = 4, 8 × 8: predicted winograd_f2x3, not measured',
    content: 'W23',
    state: 'predicted',
  });
});

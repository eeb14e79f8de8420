/** Single values of a convolution in float64, to check results that are too large to compute completely on the CPU. */
import { Random } from '../../../base/random.ts';
import { elements, type Shape } from '../../../base/shape.ts';
import { inputIndexing, outputIndexing, weightIndexing } from './layout.ts';
import type { ConvProblem, Direction } from './problem.ts';

/** The value at a flat index of a tensor, which need not be in memory. */
export type NumberSource = (at: number) => number;

/** The value at flat index `at` of y, dx or dw, from the two inputs of that direction in DIRECTION_TENSORS' order. */
export function convNumber(
  problem: ConvProblem,
  direction: Direction,
  inputs: readonly [NumberSource, NumberSource],
  at: number,
): number {
  switch (direction) {
    case 'fprop':
      return yNumber(problem, inputs[0], inputs[1], at);
    case 'dgrad':
      return dxNumber(problem, inputs[0], inputs[1], at);
    case 'wgrad':
      return dwNumber(problem, inputs[0], inputs[1], at);
  }
}

function yNumber(problem: ConvProblem, x: NumberSource, w: NumberSource, at: number) {
  const { C, H, W, K, R, S, stride, padding, dilation, groups } = problem;
  const [input, weight] = [inputIndexing(problem), weightIndexing(problem)];
  const [cg, kg] = [C / groups, K / groups];
  const [n, k, p, q] = outputIndexing(problem).placeOf(at);
  let sum = 0;
  for (let c = 0; c < cg; c++) {
    for (let r = 0; r < R; r++) {
      for (let s = 0; s < S; s++) {
        const h = p * stride[0] + r * dilation[0] - padding.top;
        const column = q * stride[1] + s * dilation[1] - padding.left;
        if (h < 0 || h >= H || column < 0 || column >= W) continue;
        const channel = Math.floor(k / kg) * cg + c;
        sum += x(input.at(n, channel, h, column)) * w(weight.at(k, c, r, s));
      }
    }
  }
  return sum;
}

function dxNumber(problem: ConvProblem, dy: NumberSource, w: NumberSource, at: number) {
  const { C, K, R, S, P, Q, stride, padding, dilation, groups } = problem;
  const [output, weight] = [outputIndexing(problem), weightIndexing(problem)];
  const [cg, kg] = [C / groups, K / groups];
  const [n, c, h, column] = inputIndexing(problem).placeOf(at);
  const group = Math.floor(c / cg);
  let sum = 0;
  for (let k = group * kg; k < (group + 1) * kg; k++) {
    for (let r = 0; r < R; r++) {
      for (let s = 0; s < S; s++) {
        const p = (h + padding.top - r * dilation[0]) / stride[0];
        const q = (column + padding.left - s * dilation[1]) / stride[1];
        if (!Number.isInteger(p) || !Number.isInteger(q) || p < 0 || p >= P || q < 0 || q >= Q) continue;
        sum += dy(output.at(n, k, p, q)) * w(weight.at(k, c % cg, r, s));
      }
    }
  }
  return sum;
}

function dwNumber(problem: ConvProblem, dy: NumberSource, x: NumberSource, at: number) {
  const { N, C, H, W, K, P, Q, stride, padding, dilation, groups } = problem;
  const [input, output] = [inputIndexing(problem), outputIndexing(problem)];
  const [cg, kg] = [C / groups, K / groups];
  const [k, c, r, s] = weightIndexing(problem).placeOf(at);
  const channel = Math.floor(k / kg) * cg + c;
  let sum = 0;
  for (let n = 0; n < N; n++) {
    for (let p = 0; p < P; p++) {
      const h = p * stride[0] + r * dilation[0] - padding.top;
      if (h < 0 || h >= H) continue;
      for (let q = 0; q < Q; q++) {
        const column = q * stride[1] + s * dilation[1] - padding.left;
        if (column < 0 || column >= W) continue;
        sum += dy(output.at(n, k, p, q)) * x(input.at(n, channel, h, column));
      }
    }
  }
  return sum;
}

/**
 * Flat indices at which to check a tensor: its corners, where off-by-one errors show, then random places from a fixed
 * seed. All indices if there are at most `count`.
 */
export function samplePlaces(shape: Shape, count: number): number[] {
  const size = elements(shape);
  if (size <= count) return Array.from({ length: size }, (_, i) => i);
  const corners = shape.reduce<number[]>(
    (places, length) => places.flatMap((place) => [place * length, place * length + length - 1]),
    [0],
  );
  const places = new Set([size - 1, ...corners].slice(0, Math.ceil(count / 2)));
  const random = new Random(1, 'places');
  while (places.size < count) places.add(random.below(size));
  return [...places];
}

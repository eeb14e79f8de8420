/**
 * How convolutions are cut into tiles for transforms of T points each way. A product of spectra is a circular
 * correlation (fprop, wgrad) or convolution (dgrad) of T points; tiles overlap so that the values used from it are free
 * of wrap-around (overlap-save).
 */
import type { Pair } from '../../../../../base/shape.ts';
import { assert } from '../../../../../base/assert.ts';
import type { ConvProblem, Direction } from '../../problem.ts';

/** One dimension of planes cut into tiles. */
export interface Cut {
  /** Points of the transform. */
  size: number;
  tiles: number;
  /** The distance from tile to tile. */
  step: number;
  /**
   * To transform: where the first tile starts. To transform back: the first value used of a tile is number `-origin`.
   */
  origin: number;
  /** Values used per tile. */
  reach: number;
  /** The plane's length. */
  length: number;
}

/** [vertical, horizontal] */
export type Cuts = readonly [Cut, Cut];

export interface Tiling {
  /** Points of the transforms. */
  size: Pair;
  /** One tile per image, whatever the filter's size. */
  whole: boolean;
}

/** Points of the shortest transform. */
const SHORTEST = 16;

/**
 * The points of a transform of whole images, powers of two: the image and the wider padding, whose zeros serve both
 * ends.
 */
export function wholeSize({ H, W, P, Q, R, S, padding }: ConvProblem): Pair {
  const points = (...numbers: number[]) => 2 ** Math.ceil(Math.log2(Math.max(SHORTEST, ...numbers)));
  const { top, bottom, left, right } = padding;
  return [points(H + Math.max(top, bottom), P, R), points(W + Math.max(left, right), Q, S)];
}

/**
 * The factors and the result of the products: for wgrad dy, x and dw, otherwise the image, the filter and the result.
 */
export interface DirectionCuts {
  image: Cuts;
  /** The image's counterpart: the filter, or dy. */
  other: Cuts;
  result: Cuts;
}

export function cutsOf(problem: ConvProblem, direction: Direction, tiling: Tiling): DirectionCuts {
  const both = ([0, 1] as const).map((d) => cutsAlong(problem, direction, tiling, d));
  const pick = (name: keyof DirectionCuts): Cuts => [both[0][name], both[1][name]];
  return { image: pick('image'), other: pick('other'), result: pick('result') };
}

function cutsAlong(
  { H, W, P, Q, R, S, padding }: ConvProblem,
  direction: Direction,
  { size: sizes, whole }: Tiling,
  d: 0 | 1,
): Record<keyof DirectionCuts, Cut> {
  const [input, output, filter, size] = [[H, W][d], [P, Q][d], [R, S][d], sizes[d]];
  const before = [padding.top, padding.left][d];
  const length = direction === 'dgrad' ? input : output;
  const step = whole ? length : size - filter + 1;
  assert(step > 0 && step <= size, `tiles of ${size} for a filter of ${filter}`);
  const tiles = Math.ceil(length / step);
  const once = { size, tiles: 1, step: 0, origin: 0, reach: filter, length: filter };
  const outputs = { size, tiles, step, origin: 0, reach: step, length: output };
  const inputs = { size, tiles, step, origin: -before, reach: size, length: input };
  switch (direction) {
    case 'fprop':
      return { image: inputs, other: once, result: outputs };
    case 'wgrad':
      return { image: inputs, other: outputs, result: once };
    case 'dgrad': {
      // A convolution: dx[h] reads dy[h + before - r], so a tile starts filter - 1 before its first result.
      const early = filter - 1;
      return {
        image: { size, tiles, step, origin: before - early, reach: size, length: output },
        other: once,
        result: { size, tiles, step, origin: -early, reach: step, length: input },
      };
    }
  }
}

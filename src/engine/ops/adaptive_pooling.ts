/**
 * The geometry that adaptive_avg_pool and adaptive_max_pool share: P x Q windows share each plane of H x W out among
 * them, so that the output's size is what is asked for. Where a plane does not divide evenly, windows overlap by a row or
 * column; where there are more windows than rows, they have rows in common. As PyTorch's nn.AdaptiveAvgPool2d: window p
 * begins at floor(p H / P) and ends before ceil((p + 1) H / P).
 */
import { Failure } from '../../base/result.ts';
import { elements, showShape, type Shape } from '../../base/shape.ts';
import type { Constants } from '../../gpu/link.ts';
import type { Pair } from './pooling.ts';

export interface AdaptivePoolAttributes {
  /** [P, Q]; [1, 1] is global pooling. */
  outputSize: Pair;
}

export interface Window {
  first: number;
  /** Behind the last. */
  end: number;
}

/** The windows of `count` over a line of `size` places. */
export const sharedOut = (size: number, count: number): Window[] =>
  Array.from({ length: count }, (_, i) => ({
    first: Math.floor((i * size) / count),
    end: Math.ceil(((i + 1) * size) / count),
  }));

/**
 * [N, C, P, Q]
 * @param op for messages: "adaptive_avg_pool"
 * @throws Failure `bad-input`
 */
export function adaptiveOutputShape(op: string, { outputSize }: AdaptivePoolAttributes, input: Shape): Shape {
  if (input.length !== 4 || elements(input) < 1) {
    throw new Failure('bad-input', `${op}: expected images [N, C, H, W], found ${showShape(input)}`);
  }
  // The type says that it is a pair; a model's file may say otherwise.
  const isPair = Array.isArray(outputSize) && outputSize.length === 2;
  // The kernels' indices, (p + 1) H + P, stay within 32 bits.
  if (!isPair || !outputSize.every((size) => Number.isSafeInteger(size) && size >= 1 && size <= 32768)) {
    throw new Failure(
      'bad-input',
      `${op}: expected outputSize to be a pair [vertical, horizontal] of whole numbers from 1 to 32768, ` +
        `found ${JSON.stringify(outputSize)}`,
      'For global pooling it is [1, 1].',
    );
  }
  return [input[0], input[1], ...outputSize];
}

/** The constants of shaders/common/pooling.wgsl. */
export function adaptiveConstants({ outputSize: [P, Q] }: AdaptivePoolAttributes, input: Shape): Constants {
  const [, , H, W] = input;
  const largest = (size: number, count: number) =>
    Math.max(...sharedOut(size, count).map(({ first, end }) => end - first));
  return { ADAPTIVE: true, H, W, R: largest(H, P), S: largest(W, Q), P, Q };
}

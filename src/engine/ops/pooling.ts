/**
 * The geometry that max_pool and avg_pool share: windows of R x S move over images of H x W and give P x Q outputs, each
 * channel by itself. Pairs are [vertical, horizontal]; attributes have the names and defaults of PyTorch.
 */
import { Failure } from '../../base/result.ts';
import type { Constants } from '../../gpu/link.ts';
import { elements, showShape, type Shape } from '../../base/shape.ts';

export type Pair = readonly [vertical: number, horizontal: number];

export interface PoolAttributes {
  kernelSize: Pair;
  /** Default: the kernel size. */
  stride?: Pair;
  /** At most half of the (dilated) kernel size. Default 0. */
  padding?: Pair;
}

export interface PoolProblem {
  readonly N: number;
  readonly C: number;
  readonly H: number;
  readonly W: number;
  readonly R: number;
  readonly S: number;
  readonly P: number;
  readonly Q: number;
  readonly stride: Pair;
  readonly padding: Pair;
  readonly dilation: Pair;
}

/**
 * @param op for messages: "max_pool"
 * @throws Failure `bad-input` if the attributes do not fit one another or the input
 */
export function poolProblem(
  op: string,
  attributes: PoolAttributes & { dilation?: Pair },
  input: Shape,
): PoolProblem {
  const { kernelSize, stride = kernelSize, padding = [0, 0], dilation = [1, 1] } = attributes;
  const bad = (message: string) => new Failure('bad-input', `${op}: ${message}`);
  const requireWhole = (name: string, pair: Pair, least: number) => {
    // The types say that it is a pair; a model's file may say otherwise.
    if (!Array.isArray(pair) || pair.length !== 2) {
      throw bad(`expected ${name} to be a pair [vertical, horizontal], found ${JSON.stringify(pair)}`);
    }
    const wrong = pair.find((value) => !Number.isSafeInteger(value) || value < least);
    if (wrong !== undefined)
      throw bad(`expected ${name} to be whole numbers of at least ${least}, found ${wrong}`);
  };
  if (input.length !== 4 || elements(input) < 1) {
    throw bad(`expected images [N, C, H, W], found ${showShape(input)}`);
  }
  requireWhole('the kernel size', kernelSize, 1);
  requireWhole('stride', stride, 1);
  requireWhole('padding', padding, 0);
  requireWhole('dilation', dilation, 1);
  const [N, C, H, W] = input;
  const [P, Q] = [0, 1].map((axis) => {
    const size = input[2 + axis];
    const reach = dilation[axis] * (kernelSize[axis] - 1) + 1;
    if (padding[axis] > reach / 2) {
      throw bad(`padding ${padding[axis]} is more than half of the kernel's reach of ${reach}`);
    }
    const room = size + 2 * padding[axis] - reach;
    if (room < 0)
      throw bad(`a kernel that reaches over ${reach} does not fit into ${size} padded by ${padding[axis]}`);
    const count = Math.floor(room / stride[axis]) + 1;
    for (let i = 0; i < count; i++) {
      const first = i * stride[axis] - padding[axis];
      // The first tap at or after 0.
      const inside = first < 0 ? first + Math.ceil(-first / dilation[axis]) * dilation[axis] : first;
      if (inside >= Math.min(size, first + reach)) throw bad(`window ${i} lies in the padding alone`);
    }
    return count;
  });
  return Object.freeze({ N, C, H, W, R: kernelSize[0], S: kernelSize[1], P, Q, stride, padding, dilation });
}

/** [N, C, P, Q] */
export const poolOutputShape = ({ N, C, P, Q }: PoolProblem): Shape => [N, C, P, Q];

/** The constants of shaders/common/pooling.wgsl. */
// prettier-ignore
export const poolConstants = ({ H, W, R, S, P, Q, stride, padding, dilation }: PoolProblem): Constants => ({
  H, W, R, S, P, Q,
  STRIDE_V: stride[0], STRIDE_H: stride[1],
  PADDING_V: padding[0], PADDING_H: padding[1],
  DILATION_V: dilation[0], DILATION_H: dilation[1],
});

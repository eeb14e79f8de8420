import { resolvePadding, type Padding } from '../../../base/padding.ts';
import { Failure } from '../../../base/result.ts';
import { showShape, type Shape } from '../../../base/shape.ts';
import type { ValuesOf } from '../../../ops/attributes.ts';
import attributes from '../../../ops/pad/attributes.ts';
import type { Op } from '../../op.ts';
import { fetchedPasses } from '../fetched.ts';

export type PadAttributes = ValuesOf<typeof attributes>;

export function sidesOf({ padding }: PadAttributes, [, , H, W]: Shape): Padding {
  const one = { filter: 1, stride: 1, dilation: 1 };
  return resolvePadding(padding, { size: H, ...one }, { size: W, ...one });
}

/** A border around each plane, as PyTorch's nn.ConstantPad2d and nn.ReflectionPad2d. */
const pad: Op<PadAttributes> = {
  name: 'pad',
  title: 'Padding',
  attributes,

  outputShape(given, input) {
    const [N, C, H, W] = input;
    if (input.length !== 4)
      throw new Failure('bad-input', `pad: expected images [N, C, H, W], found ${showShape(input)}`);
    const { top, bottom, left, right } = sidesOf(given, input);
    if (given.mode === 'reflect' && (Math.max(top, bottom) >= H || Math.max(left, right) >= W))
      throw new Failure(
        'bad-input',
        `pad: expected less than ${H} reflected rows and ${W} columns, the image's, found ${JSON.stringify(given.padding)}`,
      );
    return [N, C, top + H + bottom, left + W + right];
  },

  ...fetchedPasses(() => import('./passes.ts')),
};

export default pad;

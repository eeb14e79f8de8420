import { resolvePadding, type Padding, type PaddingSetting } from '../../../base/padding.ts';
import { Failure } from '../../../base/result.ts';
import { showShape, type Shape } from '../../../base/shape.ts';
import { choice, number, paddingSpec } from '../../../ops/attributes.ts';
import type { Op } from '../../op.ts';
import { fetchedPasses } from '../fetched.ts';

/** As of PyTorch's F.pad. */
export interface PadAttributes {
  /** Default 0. `same` is 0. */
  padding?: PaddingSetting;
  /** `reflect`: the image, mirrored at its edges, which are not repeated. Default `constant`. */
  mode?: 'constant' | 'reflect';
  /** Of a constant border. Default 0. */
  value?: number;
}

export function sidesOf({ padding = [0, 0] }: PadAttributes, [, , H, W]: Shape): Padding {
  const one = { filter: 1, stride: 1, dilation: 1 };
  return resolvePadding(padding, { size: H, ...one }, { size: W, ...one });
}

/** A border around each plane, as PyTorch's nn.ConstantPad2d and nn.ReflectionPad2d. */
const pad: Op<PadAttributes> = {
  name: 'pad',
  title: 'Padding',
  attributes: { padding: paddingSpec, mode: choice('constant', 'reflect'), value: number() },

  outputShape(attributes, input) {
    const [N, C, H, W] = input;
    if (input.length !== 4)
      throw new Failure('bad-input', `pad: expected images [N, C, H, W], found ${showShape(input)}`);
    const { top, bottom, left, right } = sidesOf(attributes, input);
    if (attributes.mode === 'reflect' && (Math.max(top, bottom) >= H || Math.max(left, right) >= W))
      throw new Failure(
        'bad-input',
        `pad: expected less than ${H} reflected rows and ${W} columns, the image's, found ${JSON.stringify(attributes.padding)}`,
      );
    return [N, C, top + H + bottom, left + W + right];
  },

  ...fetchedPasses(() => import('./passes.ts')),
};

export default pad;

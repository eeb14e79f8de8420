import { Failure } from '../../../base/result.ts';
import { showShape } from '../../../base/shape.ts';
import type { ValuesOf } from '../../../ops/attributes.ts';
import attributes from '../../../ops/linear/attributes.ts';
import { slicedGradients } from '../../gemm/slices.ts';
import { chooseSlices, chooseTile } from '../../gemm/choose-tile.ts';
import { productConstants } from '../../gemm/tile-constants.ts';
import { tileGrid } from '../../gemm/tiles.ts';
import type { Op } from '../../op.ts';

export type LinearAttributes = ValuesOf<typeof attributes>;

/** y = x w^T + b, with x [N, in], w [out, in], b [out]: PyTorch's nn.Linear. */
const linear: Op<LinearAttributes> = {
  name: 'linear',
  title: 'Fully connected',
  attributes,
  fusesRelu: true,

  outputShape({ outFeatures }, input) {
    if (input.length !== 2) {
      throw new Failure(
        'bad-input',
        `linear: expected an input of shape [N, features], found ${showShape(input)}`,
        'Put a flatten layer before it.',
      );
    }
    return [input[0], outFeatures];
  },

  parameters({ outFeatures, bias }, input) {
    const fans = { fanIn: input[1], fanOut: outFeatures };
    const weight = { name: 'weight', shape: [outFeatures, input[1]], narrow: true, ...fans };
    return bias ? [weight, { name: 'bias', shape: [outFeatures], ...fans }] : [weight];
  },

  forward(plan, { label, input, output, parameters, relu }) {
    const [N, IN] = input.shape;
    const OUT = output.shape[1];
    const size = { M: N, N: OUT, K: IN, alongK: true };
    const tile = chooseTile(plan.device, size, input.type);
    plan.dispatch({
      label: `${label} fprop`,
      kernel: {
        shader: 'linear/fprop',
        constants: {
          ...productConstants(tile, size),
          A_ALONG_K: true,
          B_ALONG_K: true,
          IN,
          OUT,
          HAS_BIAS: 'bias' in parameters,
          RELU: relu,
          Number: input.type,
        },
      },
      tensors: { x: input, w: parameters.weight, bias: parameters.bias ?? parameters.weight, y: output },
      uniforms: { N },
      workgroups: tileGrid(tile, size),
      flop: 2 * N * IN * OUT,
    });
  },

  backward(plan, { label, input, parameters, gradients, outputGradient, inputGradient, maskInput }) {
    const [N, IN] = input.shape;
    const OUT = outputGradient.shape[1];
    if (gradients.weight) {
      const size = { M: OUT, N: IN + ('bias' in gradients ? 1 : 0), K: N, sliced: true };
      const tile = chooseTile(plan.device, size, input.type);
      const slices = chooseSlices(plan.device, tile, size);
      const sliced = slicedGradients(plan, `${label} wgrad`, slices, gradients.weight, gradients.bias);
      plan.dispatch({
        label: `${label} wgrad`,
        kernel: {
          shader: 'linear/wgrad',
          constants: {
            ...productConstants(tile, size, slices),
            A_ALONG_K: false,
            B_ALONG_K: false,
            IN,
            OUT,
            HAS_BIAS: 'bias' in gradients,
            SLICES: slices,
            Number: input.type,
          },
        },
        tensors: { dy: outputGradient, x: input, dw: sliced.dw, db: sliced.db },
        uniforms: { N },
        workgroups: tileGrid(tile, { ...size, count: slices }),
        flop: 2 * N * IN * OUT,
      });
      sliced.finish();
    }
    if (inputGradient) {
      const size = { M: N, N: IN, K: OUT };
      const tile = chooseTile(plan.device, size, input.type);
      plan.dispatch({
        label: `${label} dgrad`,
        kernel: {
          shader: 'linear/dgrad',
          constants: {
            ...productConstants(tile, size),
            A_ALONG_K: true,
            B_ALONG_K: false,
            IN,
            OUT,
            MASK: maskInput,
            Number: input.type,
          },
        },
        tensors: { dy: outputGradient, w: parameters.weight, x: input, dx: inputGradient },
        uniforms: { N },
        workgroups: tileGrid(tile, size),
        flop: 2 * N * IN * OUT,
      });
    }
  },
};

export default linear;

import { Failure } from '../../../base/result.ts';
import { elements } from '../../../base/shape.ts';
import { number } from '../../../ops/attributes.ts';
import type { Op } from '../../op.ts';
import { elementGrid } from '../../plan.ts';
import { droppedBelow, scaleOf, streamOf } from './drawing.ts';

export interface DropoutAttributes {
  /** The probability that an element is dropped, 0 to 1. Default 0.5. */
  p?: number;
}

const constants = (p: number) => ({ DROPPED: droppedBelow(p), SCALE: scaleOf(p) });

/**
 * Sets random elements to 0 and scales up the rest, in training steps only, for inputs of any shape (Srivastava et al.,
 * "Dropout", 2014), as PyTorch's nn.Dropout. A hash of the step's seed, the layer's name and the element's index
 * decides what is dropped, so backward recomputes it and nothing is saved.
 */
const dropout: Op<DropoutAttributes> = {
  name: 'dropout',
  title: 'Dropout',
  channelsLast: true,
  attributes: { p: number(0, 1) },
  passesInEvaluation: true,

  outputShape({ p = 0.5 }, input) {
    // Written so that NaN fails.
    if (!(typeof p === 'number' && p >= 0 && p <= 1)) {
      throw new Failure('bad-input', `dropout: expected p from 0 to 1, found ${JSON.stringify(p)}`);
    }
    return input;
  },

  forward(plan, { label, attributes: { p = 0.5 }, input, output }) {
    const count = elements(input.shape);
    plan.dispatch({
      label,
      kernel: { shader: 'dropout/forward', constants: { ...constants(p), Number: input.type } },
      tensors: { x: input, y: output },
      uniforms: { count, stream: streamOf(label) },
      workgroups: elementGrid(count),
    });
  },

  backward(plan, { label, attributes: { p = 0.5 }, input, outputGradient, inputGradient, maskInput }) {
    if (!inputGradient) return;
    const count = elements(input.shape);
    plan.dispatch({
      label: `${label} backward`,
      kernel: {
        shader: 'dropout/backward',
        constants: { ...constants(p), Number: input.type, MASK: maskInput },
      },
      tensors: {
        // Not read without a mask; binding the input would prolong its life for nothing.
        x: maskInput ? input : outputGradient,
        dy: outputGradient,
        dx: inputGradient,
      },
      uniforms: { count, stream: streamOf(label) },
      workgroups: elementGrid(count),
    });
  },
};

export default dropout;

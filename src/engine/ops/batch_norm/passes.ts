/** The dispatches of batch normalisation. */
import { assert } from '../../../base/assert.ts';
import { Failure } from '../../../base/result.ts';
import { ceilDiv, elements, showShape } from '../../../base/shape.ts';
import type { Device } from '../../../gpu/device.ts';
import { bytesOf, tensorBytes, wgslVectorType, type Task } from '../../dispatch.ts';
import { slicedGradients } from '../../gemm/slices.ts';
import type { BackwardNode, Node, Passes } from '../../op.ts';
import { grid, type PlanBuilder, type Tensor } from '../../plan.ts';
import { sumThreads } from '../../shared-sum.ts';
import { bitsOf, planTasks } from '../../tasks.ts';
import { channelSlices, withoutEmpty } from '../channel_slices.ts';
import type { BatchNormAttributes } from './index.ts';

/** Threads per workgroup if each has its own sums. */
const OWN_THREADS = 16;
/** Columns side by side, in NHWC, that a workgroup adds up: together they are the 128 bytes that GPUs load at once. */
const MOST_ACROSS = 16;
/**
 * Threads of elementwise kernels, and pieces of each, as many apart: columns whose number divides that are the same for all.
 */
const [PIECE_THREADS, PIECES_EACH] = [128, 4];
/** Threads that add up a channel's slices. */
const COMBINE_THREADS = 64;
/** Threads of a workgroup that moves running statistics. */
const RUNNING_THREADS = 64;

/** Pieces that a thread of the kernels in parts computes at a time. */
const PARTS_EACH = 4;
/**
 * A workgroup may read this many bytes of other workgroups' sums for each byte of the input and the output: adding up slices in
 * the pass that needs their sums saves a dispatch, but every workgroup does it.
 */
const COMBINED_SHARE = 1 / 4;
/** Workgroups that keep a large GPU's memory busy. */
const ENOUGH_PARTS = 256;

/** The sizes of one use of the op. */
function settingOf(device: Device, { eps }: BatchNormAttributes, { shape, type, layout }: Tensor) {
  const [N, C, ...rest] = shape;
  const plane = elements(rest);
  const last = layout === 'nhwc';
  const vec4 = (last ? C : plane) % 4 === 0;
  const width = vec4 ? 4 : 1;
  const shared = !device.onProcessor;
  const columns = last ? C / width : C;
  const across = last && shared ? Math.min(MOST_ACROSS, 2 ** Math.ceil(Math.log2(columns))) : 1;
  const blocks = Math.ceil(columns / across);
  // Pieces, and values, of what a workgroup covers.
  const pieces = last ? N * plane : (N * plane) / width;
  const values = last ? pieces * across * width : N * plane;
  const slices = withoutEmpty(channelSlices(device, blocks, values), pieces);
  const constants = {
    C,
    PLANE: plane,
    CHANNELS_LAST: last,
    VEC4: vec4,
    Piece: wgslVectorType('f32', vec4),
    Stored: wgslVectorType(type, vec4),
  };
  const Column = wgslVectorType('f32', vec4 && last);
  const threads = sumThreads(device);
  /** Ranges of a column, if workgroups add up the slices themselves, as many as useful or as are allowed. */
  const useful = ceilDiv(pieces * across, threads * PARTS_EACH);
  const moved = 2 * (tensorBytes({ shape, type }) / blocks);
  const allowed = Math.floor((COMBINED_SHARE * moved) / (8 * slices * Math.ceil(C / blocks)));
  const parts = Math.min(useful, allowed);
  const inParts = shared && parts > 0 && blocks * parts >= Math.min(ENOUGH_PARTS, blocks * useful);
  const sliced = (sharing: number) => ({
    ...constants,
    SLICES: slices,
    SHARED: shared,
    THREADS: shared ? sharing : OWN_THREADS,
  });
  return {
    N,
    C,
    eps,
    slices,
    /** Constants of kernels that have a thread per piece. */
    elementwise: { ...constants, Column, Element: constants.Piece, GROUP: PIECE_THREADS, EPS: eps },
    /** And of those that add up slices of columns, and slices of channels. */
    overSlices: { ...sliced(threads), Column, Summed: Column, ACROSS: across },
    perChannel: { ...sliced(COMBINE_THREADS), Column, MOMENTS: C },
    /** Undefined if sums of slices are better added up in a pass of their own. */
    inParts: inParts
      ? {
          constants: {
            ...sliced(threads),
            Column,
            Summed: Column,
            ACROSS: across,
            EPS: eps,
            PARTS: withoutEmpty(parts, pieces),
            EACH: PARTS_EACH,
          },
          workgroups: grid(blocks * withoutEmpty(parts, pieces), 1),
        }
      : undefined,
    /** Values per channel. */
    numbers: N * plane,
    pieces: elements(shape) / width,
    blocks,
    columns,
    /** Workgroups for this many sums. */
    sums: (count: number) => grid(count, shared ? 1 : OWN_THREADS),
  };
}

const passes: Passes<BatchNormAttributes> = {
  forward(plan, node) {
    const { label, attributes, input, parameters, buffers, training, relu, saved, addend } = node;
    const y = node.output;
    const setting = settingOf(plan.device, attributes, input);
    const {
      N,
      C,
      slices,
      elementwise,
      overSlices,
      perChannel,
      inParts,
      numbers,
      pieces,
      blocks,
      columns,
      sums,
    } = setting;
    const output = {
      constants: { RELU: relu, ADDED: addend !== undefined },
      // Not read without a sum.
      tensors: { x: input, ...parameters, y, addend: addend ?? input },
      uniforms: { count: pieces, N },
    };
    let { running_mean: mean, running_var: variance } = buffers;
    if (training) {
      if (numbers < 2) {
        throw new Failure(
          'bad-input',
          `${label}: batch_norm: expected more than one value per channel to train on, found ${showShape(input.shape)}`,
          'Train with larger batches.',
        );
      }
      const statistics = plan.tensor(`${label} statistics`, [3, C]);
      saved.statistics = mean = variance = statistics;
      const moments = plan.tensor(`${label} moments`, [2, slices, C]);
      plan.dispatch({
        label: `${label} moments`,
        kernel: { shader: 'batch_norm/moments', constants: overSlices },
        tensors: { x: input, moments },
        uniforms: { N },
        workgroups: sums(blocks * slices),
      });
      // No part of the forward pass: it must not run twice.
      const move = () =>
        plan.during({ pass: 'update', layer: label }, () => planRunning(plan, node, statistics));
      if (inParts) {
        plan.dispatch({
          label,
          kernel: {
            shader: 'batch_norm/forward_in_parts',
            constants: { ...inParts.constants, ...output.constants, MOMENTS: columns },
          },
          tensors: { ...output.tensors, moments, statistics },
          uniforms: output.uniforms,
          workgroups: inParts.workgroups,
        });
        move();
        return;
      }
      plan.dispatch({
        label: `${label} statistics`,
        kernel: { shader: 'batch_norm/statistics', constants: perChannel },
        tensors: { x: input, moments, statistics },
        uniforms: { N },
        workgroups: sums(C),
        // Of the input, one value per channel.
        bytes: bytesOf({ moments, statistics }) + 4 * C,
      });
      move();
    }
    plan.dispatch({
      label,
      kernel: {
        shader: 'batch_norm/forward',
        constants: { ...elementwise, ...output.constants, TOGETHER: training },
      },
      tensors: { ...output.tensors, mean, variance },
      uniforms: output.uniforms,
      workgroups: grid(pieces, PIECE_THREADS * PIECES_EACH),
    });
  },

  backward(plan, node) {
    const { label, attributes, input, parameters, saved, outputGradient, inputGradient, gradients } = node;
    if (!node.training) {
      inferenceBackward(plan, node);
      return;
    }
    const { statistics } = saved;
    const setting = settingOf(plan.device, attributes, input);
    const { N, C, eps, slices, elementwise, overSlices, inParts, pieces, blocks, sums } = setting;
    const dw = gradients.weight ?? plan.tensor(`${label} dw`, [C]);
    const db = gradients.bias ?? plan.tensor(`${label} db`, [C]);
    const sliced = slicedGradients(plan, `${label} sums`, slices, dw, db);
    const common = { x: input, dy: outputGradient, statistics };
    plan.dispatch({
      label: `${label} sums`,
      kernel: { shader: 'batch_norm/sums', constants: { ...overSlices, EPS: eps } },
      tensors: { ...common, dw: sliced.dw, db: sliced.db },
      uniforms: { N },
      workgroups: sums(blocks * slices),
    });
    sliced.finish();
    if (!inputGradient) return;
    const from = inParts ? { dw: sliced.dw, db: sliced.db } : { dw, db };
    plan.dispatch({
      label: `${label} backward`,
      kernel: {
        shader: inParts ? 'batch_norm/backward_in_parts' : 'batch_norm/backward',
        constants: { ...(inParts ? inParts.constants : elementwise), MASK: node.maskInput },
      },
      tensors: { ...common, weight: parameters.weight, ...from, dx: inputGradient },
      uniforms: { count: pieces, N },
      workgroups: inParts ? inParts.workgroups : grid(pieces, PIECE_THREADS * PIECES_EACH),
    });
  },
};

/** Moves the running statistics towards those of the batch. */
function planRunning(
  plan: PlanBuilder,
  { label, attributes: { momentum = 0.1 }, buffers }: Node<BatchNormAttributes>,
  statistics: Tensor,
): void {
  const [, C] = statistics.shape;
  const task = (from: number, output: Tensor, kept: number, share: number, counts: boolean): Task => {
    const count = elements(output.shape);
    const numbers = [count, bitsOf(kept), bitsOf(share), Number(counts)];
    return { input: statistics, from, output, groups: ceilDiv(count, RUNNING_THREADS), numbers };
  };
  planTasks(
    plan,
    {
      label: `${label} running statistics`,
      kernel: { shader: 'batch_norm/running', constants: { THREADS: RUNNING_THREADS } },
    },
    [
      task(0, buffers.running_mean, 1 - momentum, momentum, false),
      task(2 * C, buffers.running_var, 1 - momentum, momentum, false),
      task(0, buffers.num_batches_tracked, 1, 1, true),
    ],
  );
}

/**
 * With fixed statistics the output is linear in the input: dx = weight / sqrt(variance + eps) dy, which is what forward
 * computes of dy with mean 0 and bias 0.
 */
function inferenceBackward(plan: PlanBuilder, node: BackwardNode<BatchNormAttributes>): void {
  const { label, attributes, parameters, buffers, outputGradient, inputGradient, gradients, maskInput } =
    node;
  assert(
    Object.keys(gradients).length === 0 && !maskInput,
    `${label}: gradients of parameters need a training step`,
  );
  if (!inputGradient) return;
  const { N, C, elementwise, pieces } = settingOf(plan.device, attributes, outputGradient);
  const zeros = plan.constant(`${label} zeros`, new Uint32Array(C));
  plan.dispatch({
    label: `${label} backward`,
    kernel: { shader: 'batch_norm/forward', constants: { ...elementwise, RELU: false } },
    tensors: {
      x: outputGradient,
      mean: zeros,
      variance: buffers.running_var,
      weight: parameters.weight,
      bias: zeros,
      y: inputGradient,
      addend: outputGradient,
    },
    uniforms: { count: pieces, N },
    workgroups: grid(pieces, PIECE_THREADS * PIECES_EACH),
  });
}

export default passes;

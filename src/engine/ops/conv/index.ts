import type { PaddingSetting } from '../../../base/padding.ts';
import { Failure } from '../../../base/result.ts';
import { showShape, type Shape } from '../../../base/shape.ts';
import { flag, paddingSpec, pair, required, whole } from '../../attributes.ts';
import type { Op } from '../../op.ts';
import type { NumberType, PlanBuilder } from '../../plan.ts';
import type { Launch } from './algorithm.ts';
import { convAlgorithms } from './algorithms/index.ts';
import { get } from './choice/get.ts';
import type { Choice } from './choice/types.ts';
import {
  convProblem,
  outputShape,
  weightShape,
  type ConvProblem,
  type Direction,
  type Pair,
} from './problem.ts';
import { DEFAULT_WORKSPACE, launchesOf, launchName, whyNot } from './run.ts';

/** As in PyTorch's nn.Conv2d; pairs are [vertical, horizontal]. */
export interface ConvAttributes {
  outChannels: number;
  kernelSize: Pair;
  stride?: Pair;
  padding?: PaddingSetting;
  dilation?: Pair;
  groups?: number;
  /** Default true. */
  bias?: boolean;
  /** The algorithms chosen for it. Default: predicted. */
  run?: { workspace: number } & Partial<Record<Direction, Choice>>;
}

/** @param input [N, C, H, W] */
export function problemOf(
  { outChannels, kernelSize, stride, padding, dilation, groups }: ConvAttributes,
  input: Shape,
): ConvProblem {
  if (input.length !== 4) {
    throw new Failure(
      'bad-input',
      `conv: expected an input of shape [N, C, H, W], found ${showShape(input)}`,
    );
  }
  const [N, C, H, W] = input;
  return convProblem({
    N,
    C,
    H,
    W,
    K: outChannels,
    R: kernelSize[0],
    S: kernelSize[1],
    stride,
    padding,
    dilation,
    groups,
  });
}

function launchFor<D extends Direction>(
  { device }: PlanBuilder,
  label: string,
  { run = { workspace: DEFAULT_WORKSPACE } }: ConvAttributes,
  problem: ConvProblem,
  direction: D,
  number: NumberType,
): Launch<D> {
  const { workspace } = run;
  const setting = { device, problem, workspace, number };
  const choice = run[direction] ?? get(device, problem, direction, { workspace, number });
  const algorithm = convAlgorithms.get(choice.algorithm);
  const reason = whyNot(algorithm, setting, direction);
  const launches = reason === undefined ? launchesOf(algorithm, setting, direction) : [];
  const launch = launches.find(({ name }) => name === launchName(choice.launch));
  if (launch) return launch;
  throw new Failure(
    'unsupported',
    `${label}: ${direction} was chosen to run as ${choice.algorithm}, "${choice.launch}", ` +
      (reason === undefined
        ? 'but this version has no such variant'
        : `which is not supported here: ${reason}`),
    'The choice was made on another device or with another version. Start a new run.',
  );
}

const conv: Op<ConvAttributes> = {
  name: 'conv',
  // `run` is set by a run, not by a model.
  attributes: {
    outChannels: required(whole()),
    kernelSize: required(pair()),
    stride: pair(),
    padding: paddingSpec,
    dilation: pair(),
    groups: whole(),
    bias: flag,
  },
  fusesRelu: true,

  outputShape: (attributes, input) => outputShape(problemOf(attributes, input)),

  parameters(attributes, input) {
    const problem = problemOf(attributes, input);
    const shape = weightShape(problem);
    const window = problem.R * problem.S;
    const fans = { fanIn: shape[1] * window, fanOut: problem.K * window };
    const weight = { name: 'weight', shape, narrow: true, ...fans };
    return attributes.bias === false ? [weight] : [weight, { name: 'bias', shape: [problem.K], ...fans }];
  },

  forward(plan, { label, attributes, input, output, parameters, relu }) {
    const tensors = { x: input, w: parameters.weight, bias: parameters.bias, y: output, relu };
    const problem = problemOf(attributes, input.shape);
    launchFor(plan, label, attributes, problem, 'fprop', input.type).add(plan, `${label} fprop`, tensors);
  },

  backward(
    plan,
    { label, attributes, input, parameters, gradients, outputGradient: dy, inputGradient: dx, maskInput },
  ) {
    const problem = problemOf(attributes, input.shape);
    if (gradients.weight) {
      const tensors = { dy, x: input, dw: gradients.weight, db: gradients.bias };
      launchFor(plan, label, attributes, problem, 'wgrad', input.type).add(plan, `${label} wgrad`, tensors);
    }
    if (dx) {
      const mask = maskInput ? input : undefined;
      const tensors = { dy, w: parameters.weight, dx, mask };
      launchFor(plan, label, attributes, problem, 'dgrad', input.type).add(plan, `${label} dgrad`, tensors);
    }
  },
};

export default conv;

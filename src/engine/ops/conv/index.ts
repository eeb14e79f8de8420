import { Failure } from '../../../base/result.ts';
import { showShape, type Shape } from '../../../base/shape.ts';
import type { ValuesOf } from '../../../ops/attributes.ts';
import attributes from '../../../ops/conv/attributes.ts';
import type { Op } from '../../op.ts';
import type { NumberType, PlanBuilder } from '../../plan.ts';
import type { Layout } from '../../dispatch.ts';
import { planSum } from '../add/sum.ts';
import type { DgradTensors, Launch, WgradTensors } from './algorithm.ts';
import { convAlgorithms } from './algorithms/index.ts';
import { get } from './choice/get.ts';
import type { Choice } from './choice/types.ts';
import { convProblem, outputShape, weightShape, type ConvProblem, type Direction } from './problem.ts';
import { launchesOf, usualWorkspace, whyNot } from './run.ts';
import { transpose } from './transposed.ts';

export type ConvAttributes = ValuesOf<typeof attributes> & {
  /** The algorithms that a run chose for it. Default: predicted. */
  run?: { workspace: number } & Partial<Record<Direction, Choice>>;
};

/** @param input [N, C, H, W] */
export function problemOf(
  { outChannels, kernelSize, stride, padding, dilation, groups }: ConvAttributes,
  input: Shape,
  layout?: Layout,
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
    layout,
  });
}

function launchFor<D extends Direction>(
  { device }: PlanBuilder,
  label: string,
  { run = { workspace: usualWorkspace(device) } }: ConvAttributes,
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
  const launch = launches.find(({ name }) => name === choice.launch);
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

/** Adds a launch of wgrad whose dw has PyTorch's order, as all parameters, whatever the problem's layout. */
function addInPytorchsOrder(
  plan: PlanBuilder,
  label: string,
  problem: ConvProblem,
  launch: Launch<'wgrad'>,
  tensors: WgradTensors,
): void {
  if (problem.layout === 'nchw' || launch.ordersWeights) {
    launch.add(plan, label, { ...tensors, parameterOrder: true });
    return;
  }
  const own = plan.tensor(`${label} dw`, tensors.dw.shape);
  launch.add(plan, label, { ...tensors, dw: own });
  transpose(plan, `${label} dw to NCHW`, problem, 'dw', 'nchw', own, tensors.dw);
}

/** Adds a launch of dgrad that adds `addend` to dx, or a sum after it. */
function addAll(plan: PlanBuilder, label: string, launch: Launch<'dgrad'>, tensors: DgradTensors): void {
  const { addend, dx, mask, ...others } = tensors;
  if (!addend || launch.adds) {
    launch.add(plan, label, tensors);
    return;
  }
  const own = plan.tensorLike(`${label} alone`, dx);
  launch.add(plan, label, { ...others, dx: own });
  planSum(plan, `${label} sum of gradients`, [addend, own], dx, { mask });
}

const conv: Op<ConvAttributes> = {
  name: 'conv',
  title: 'Convolution',
  attributes,
  fusesRelu: true,
  channelsLast: true,
  addsGradient: true,

  outputShape: (given, input) => outputShape(problemOf(given, input)),

  parameters(given, input) {
    const problem = problemOf(given, input);
    const shape = weightShape(problem);
    const window = problem.R * problem.S;
    const fans = { fanIn: shape[1] * window, fanOut: problem.K * window };
    const weight = { name: 'weight', shape, groups: problem.groups, narrow: true, ...fans };
    return given.bias ? [weight, { name: 'bias', shape: [problem.K], ...fans }] : [weight];
  },

  forward(plan, { label, attributes: given, input, output, parameters, relu }) {
    const tensors = { x: input, w: parameters.weight, bias: parameters.bias, y: output, relu };
    const problem = problemOf(given, input.shape, input.layout);
    launchFor(plan, label, given, problem, 'fprop', input.type).add(plan, `${label} fprop`, tensors);
  },

  backward(plan, node) {
    const { label, attributes: given, input, parameters, gradients } = node;
    const { outputGradient: dy, inputGradient: dx } = node;
    const problem = problemOf(given, input.shape, input.layout);
    if (gradients.weight) {
      const launch = launchFor(plan, label, given, problem, 'wgrad', input.type);
      const tensors = { dy, x: input, dw: gradients.weight, db: gradients.bias };
      addInPytorchsOrder(plan, `${label} wgrad`, problem, launch, tensors);
    }
    if (dx) {
      const launch = launchFor(plan, label, given, problem, 'dgrad', input.type);
      const mask = node.maskInput ? input : undefined;
      const tensors = { dy, w: parameters.weight, mask };
      addAll(plan, `${label} dgrad`, launch, { ...tensors, dx, addend: node.gradientAddend });
    }
  },
};

export default conv;

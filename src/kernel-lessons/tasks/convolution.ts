/** The forward pass of a convolution, y = x * w, in NCHW. */
import type { Sum } from '../../engine/error-bound.ts';
import { launchNamed } from '../../engine/ops/conv/choice/layers.ts';
import { get } from '../../engine/ops/conv/choice/get.ts';
import { openLaunch } from '../../engine/ops/conv/choice/open-launch.ts';
import { convFprop } from '../../engine/ops/conv/reference.ts';
import { convProblem, flops, inputShape, outputShape, weightShape } from '../../engine/ops/conv/problem.ts';
import { usualWorkspace } from '../../engine/ops/conv/run.ts';
import { assert } from '../../base/assert.ts';
import type { Device } from '../../gpu/device.ts';
import type { KernelTask, OpenWork } from '../lesson.ts';

export interface ConvTaskSizes {
  N: number;
  C: number;
  H: number;
  W: number;
  K: number;
  R: number;
  S: number;
  /** Both ways. Default 1. */
  stride?: number;
  /** On all sides. Default 0. */
  padding?: number;
}

export const problemOfTask = ({ stride = 1, padding = 0, ...sizes }: ConvTaskSizes) =>
  convProblem({ ...sizes, stride: [stride, stride], padding: [padding, padding] });

export const convConstants = (sizes: ConvTaskSizes) => {
  const { N, C, H, W, K, R, S, P, Q } = problemOfTask(sizes);
  return { N, C, H, W, K, R, S, P, Q, STRIDE: sizes.stride ?? 1, PADDING: sizes.padding ?? 0 };
};

/** @param sum how a value is summed up; default: plainly */
export const convolution = (
  sum: (sizes: ConvTaskSizes) => Sum = ({ C, R, S }) => ({ terms: C * R * S }),
): KernelTask<ConvTaskSizes> => ({
  inputs: (sizes) => {
    const problem = problemOfTask(sizes);
    return [
      { name: 'x', shape: inputShape(problem) },
      { name: 'w', shape: weightShape(problem) },
    ];
  },
  output: (sizes) => ({ name: 'y', shape: outputShape(problemOfTask(sizes)) }),
  dimensions: ['n', 'k', 'p', 'q'],
  constants: convConstants,
  reference: (sizes, [x, w]) => convFprop(problemOfTask(sizes), x, w),
  sum,
  products: (sizes) => flops(problemOfTask(sizes)) / 2,
});

/** The launch that wgrad would take, of all algorithms or of one. */
export async function openConvolution(
  device: Device,
  sizes: ConvTaskSizes,
  algorithm?: string,
): Promise<OpenWork> {
  const setting = {
    device,
    problem: problemOfTask(sizes),
    workspace: usualWorkspace(device),
    number: 'f32',
  } as const;
  const choice = get(device, setting.problem, 'fprop', algorithm ? { algorithms: [algorithm] } : {});
  const launch = launchNamed(setting, 'fprop', choice);
  assert(launch !== undefined, `no variant "${choice.launch}" here`);
  return openLaunch(setting, 'fprop', launch);
}

/** The output as a matrix for each image: a row for each filter, a column for each pixel. */
export const pixelsByFilters = (sizes: ConvTaskSizes) => {
  const [N, K, P, Q] = outputShape(problemOfTask(sizes));
  return [P * Q, K, N] as const;
};

/** What the tests of all convolutions begin with. */
export const AWKWARD: readonly ConvTaskSizes[] = [
  { N: 1, C: 1, H: 1, W: 1, K: 1, R: 1, S: 1 },
  { N: 2, C: 3, H: 7, W: 5, K: 4, R: 3, S: 2 },
  { N: 1, C: 2, H: 6, W: 9, K: 3, R: 3, S: 3, padding: 1 },
  { N: 2, C: 2, H: 11, W: 8, K: 5, R: 2, S: 3, stride: 3, padding: 2 },
  { N: 1, C: 17, H: 9, W: 10, K: 33, R: 3, S: 3, padding: 1 },
];

import { elements } from '../../../../../base/shape.ts';
import { sliceBytes, slicedGradients } from '../../../../gemm/slices.ts';
import { copyingWork, LOAD_COST, loadingWork } from '../../../../cost.ts';
import { grid } from '../../../../plan.ts';
import { problemConstants, type ConvAlgorithm, type ConvSetting, type Launch } from '../../algorithm.ts';
import { LAYOUTS } from '../../layout.ts';
import { flops, inputShape, outputShape, type ConvProblem } from '../../problem.ts';
import { mostTerms } from '../../terms.ts';
import { blockedLaunches } from './blocked.ts';
import { asDgrad, dgradOf, fpropOf, type Correlation, type CorrelationLaunch } from './correlation.ts';
import { NAMES } from './names.ts';
import { tiledLaunches } from './tiled.ts';

/** Values in dw. */
const weights = ({ K, C, groups, R, S }: ConvProblem) => (K * C * R * S) / groups;

/** Bytes of x or of dy. */
const largestBytes = ({ problem, number }: ConvSetting) =>
  Math.max(elements(inputShape(problem)), elements(outputShape(problem))) * (number === 'f16' ? 2 : 4);

/** `wanted` slices of dw and db, or as many as fit the workspace. */
const affordable = ({ problem, workspace }: ConvSetting, wanted: number) =>
  Math.max(1, Math.floor(Math.min(wanted, workspace / (4 * (weights(problem) + problem.K)))));

const plainFprop = (setting: ConvSetting): Launch<'fprop'> => ({
  name: NAMES.plain,
  workspaceBytes: 0,
  add(plan, label, { x, w, bias, y, relu = false }) {
    const { N, K, P, Q } = setting.problem;
    plan.dispatch({
      label,
      kernel: {
        shader: 'conv/direct/fprop',
        constants: { ...problemConstants(setting), HAS_BIAS: bias !== undefined, RELU: relu },
      },
      tensors: { x, w, bias: bias ?? w, y },
      uniforms: { N },
      workgroups: grid(N * K * P * Q, 64),
      flop: flops(setting.problem),
      work: loadingWork(64, 1, mostTerms(setting.problem, 'fprop'), 2),
    });
  },
});

const plainDgrad = (setting: ConvSetting): Launch<'dgrad'> => ({
  name: NAMES.plain,
  workspaceBytes: 0,
  add(plan, label, { dy, w, dx, mask }) {
    const { N, C, H, W, K, R, S, groups } = setting.problem;
    plan.dispatch({
      label,
      kernel: {
        shader: 'conv/direct/dgrad',
        constants: { ...problemConstants(setting), MASK: mask !== undefined },
      },
      tensors: { dy, w, x: mask ?? w, dx },
      uniforms: { N },
      workgroups: grid(N * C * H * W, 64),
      flop: flops(setting.problem),
      // Threads visit the positions of the filter that lie between outputs, too.
      work: loadingWork(64, 1, (K / groups) * R * S, 2),
    });
  },
});

/** Several outputs per thread, and input tiles, the best ones first. */
const improved = (
  correlation: Correlation | undefined,
): { blocked: CorrelationLaunch[]; tiled: CorrelationLaunch[] } =>
  correlation
    ? { blocked: blockedLaunches(correlation), tiled: tiledLaunches(correlation).toReversed() }
    : { blocked: [], tiled: [] };

/** On processors, barriers cost more than workgroup memory saves; software adapters gain nothing from several outputs, either. */
const bestFirst = <T>({ device }: ConvSetting, plain: T, blocked: T[], tiled: T[] = []): T[] =>
  device.adapter.software
    ? [plain, ...blocked, ...tiled]
    : device.onProcessor
      ? [...blocked, plain, ...tiled]
      : [...blocked, ...tiled, plain];

/** Threads that keep a large GPU busy: the batch is cut into slices until there are about this many. */
const WGRAD_THREADS = 32768;

function plainWgrad(setting: ConvSetting): Launch<'wgrad'> {
  const { problem } = setting;
  const { N, K, P, Q } = problem;
  const slices = affordable(setting, Math.min(N, Math.round(WGRAD_THREADS / (weights(problem) + K))));
  return {
    name: NAMES.weight,
    workspaceBytes: sliceBytes(slices, weights(problem), K),
    add(plan, label, { dy, x, dw, db }) {
      const sliced = slicedGradients(plan, label, slices, dw, db);
      plan.dispatch({
        label,
        kernel: {
          shader: 'conv/direct/wgrad',
          constants: { ...problemConstants(setting), HAS_BIAS: db !== undefined, SLICES: slices },
        },
        tensors: { dy, x, dw: sliced.dw, db: sliced.db },
        uniforms: { N },
        workgroups: grid(slices * (weights(problem) + (db ? K : 0)), 64),
        flop: flops(problem),
        work: loadingWork(64, 1, Math.ceil(N / slices) * P * Q, 2),
      });
      sliced.finish();
    },
  };
}

/** Threads of shaders/conv/direct/wgrad_shared.wgsl. */
const SHARED_THREADS = 64;
/** The cost of a value that it reads: see ../../../../cost.ts. */
const SHARED_LOAD_COST = 3.8;
/** The least outputs that one thread sums, to justify the final addition, and the most, to stay accurate. */
const [MIN_OUTPUTS, MAX_OUTPUTS] = [16, 4096];

/** Sums that registers hold; an array of more lies in memory. */
const FAST_SUMS = 32;

/** Every sum of a thread reads another value of the image; with a stride, neighbouring threads share fewer of them. */
const sharedWork = (setting: ConvSetting, reads: number, sums: number, outputs: number) =>
  loadingWork(SHARED_THREADS, sums, outputs + SHARED_THREADS, (1 + reads) * (sums > FAST_SUMS ? 4 : 1), {
    each: SHARED_LOAD_COST,
    streamed: largestBytes(setting),
  });

/** Undefined if the filter has too many weights for a thread to hold a sum of each. */
function sharedWgrad(setting: ConvSetting): Launch<'wgrad'> | undefined {
  const { device, problem } = setting;
  const { N, C, K, R, S, P, Q, groups } = problem;
  const memory = R * S * (SHARED_THREADS + 1) * 4;
  if (R * S > SHARED_THREADS || memory > device.limit('maxComputeWorkgroupStorageSize')) return undefined;
  const outputs = (N * P * Q) / SHARED_THREADS;
  const pairs = K * (C / groups);
  const wanted = Math.max(WGRAD_THREADS / SHARED_THREADS / pairs, outputs / MAX_OUTPUTS);
  const slices = affordable(setting, Math.min(wanted, outputs / MIN_OUTPUTS));
  return {
    name: NAMES.shared,
    workspaceBytes: sliceBytes(slices, weights(problem), K),
    add(plan, label, { dy, x, dw, db }) {
      const sliced = slicedGradients(plan, label, slices, dw, db);
      const constants = { HAS_BIAS: db !== undefined, SLICES: slices, THREADS: SHARED_THREADS };
      plan.dispatch({
        label,
        kernel: {
          shader: 'conv/direct/wgrad_shared',
          constants: { ...problemConstants(setting), ...constants },
        },
        tensors: { dy, x, dw: sliced.dw, db: sliced.db },
        uniforms: { N },
        workgroups: grid(slices * (pairs + (db ? K : 0)), 1),
        flop: flops(problem),
        work: sharedWork(setting, R * S * problem.stride[1], R * S, outputs / slices),
      });
      sliced.finish();
    },
  };
}

/** Sums that a processor's registers hold, in vectors of four filters. */
const REGISTER_SUMS = 12;
/** Bytes that are staged at a time, and invocations of a workgroup, at most. */
const [STAGED_BYTES, STAGED_THREADS] = [24576, 256];
/** Slices that keep a processor's cores busy. */
const CORES = 8;

/** Undefined where a row of a filter has more weights than registers hold, or a row of an output is too long to stage. */
function rowWgrad(setting: ConvSetting): Launch<'wgrad'> | undefined {
  const { device, problem } = setting;
  const { N, C, K, R, S, P, Q, groups, stride, dilation } = problem;
  if (S > REGISTER_SUMS) return undefined;
  const memory = Math.min(STAGED_BYTES, device.limit('maxComputeWorkgroupStorageSize'));
  const threads = Math.min(STAGED_THREADS, device.limit('maxComputeInvocationsPerWorkgroup'));
  const [CG, KG] = [C / groups, K / groups];
  const VECTORS = KG > 4 && 2 * S <= REGISTER_SUMS ? 2 : 1;
  const WZ = Math.min(4, Math.ceil(KG / (4 * VECTORS)));
  const width = (Q - 1) * stride[1] + (S - 1) * dilation[1] + 1;
  const bytes = (rows: number, channels: number) =>
    4 * width * ((rows - 1) * stride[0] + (R - 1) * dilation[0] + 1) * channels +
    16 * rows * Q * WZ * VECTORS;
  if (R * WZ > threads || bytes(1, 1) > memory) return undefined;
  let CB = Math.min(CG, Math.floor(threads / (R * WZ)));
  while (CB > 1 && bytes(Math.min(P, 4), CB) > memory) CB--;
  let TILE_P = P;
  while (TILE_P > 1 && bytes(TILE_P, CB) > memory) TILE_P = Math.ceil(TILE_P / 2);
  const slices = affordable(setting, Math.min(N, CORES));
  const workers = CB * R * WZ;
  return {
    name: NAMES.row,
    workspaceBytes: sliceBytes(slices, weights(problem), K),
    add(plan, label, { dy, x, dw, db }) {
      const sliced = slicedGradients(plan, label, slices, dw, db);
      const constants = { HAS_BIAS: db !== undefined, SLICES: slices, VECTORS, WZ, CB, TILE_P };
      plan.dispatch({
        label,
        kernel: {
          shader: 'conv/direct/wgrad_rows',
          constants: { ...problemConstants(setting), ...constants },
        },
        tensors: { dy, x, dw: sliced.dw, db: sliced.db },
        uniforms: { N },
        workgroups: grid(slices * groups * Math.ceil(KG / (4 * WZ * VECTORS)) * Math.ceil(CG / CB), 1),
        flop: flops(problem),
        work: {
          ...copyingWork(workers, 4 * S * VECTORS, (N / slices) * P * Q, S + VECTORS, LOAD_COST, {
            copies: ((N / slices) * Math.ceil(P / TILE_P) * bytes(TILE_P, CB)) / 4 / workers,
            steps: (N / slices) * Math.ceil(P / TILE_P),
            memory: bytes(TILE_P, CB),
            bytes: largestBytes(setting),
          }),
          // The processor's costs of reads are fitted without the copies.
          reads: { staged: (N / slices) * P * Q * (S + VECTORS) },
        },
      });
      sliced.finish();
    },
  };
}

const direct: ConvAlgorithm = {
  name: 'direct',
  summary:
    'Direct convolution: each thread loops over the filter for its outputs. The baseline, plus optimised variants.',
  exact: true,
  layouts: LAYOUTS,

  unsupported: () => undefined,

  fprop(setting) {
    const { blocked, tiled } = improved(fpropOf(setting));
    return bestFirst(setting, plainFprop(setting), blocked, tiled);
  },

  dgrad(setting) {
    const { blocked, tiled } = improved(dgradOf(setting));
    return bestFirst(setting, plainDgrad(setting), blocked.map(asDgrad), tiled.map(asDgrad));
  },

  wgrad(setting) {
    const [shared, row] = [sharedWgrad(setting), rowWgrad(setting)];
    const others = setting.device.adapter.cpu ? [row, shared] : [shared, row];
    return bestFirst(
      setting,
      plainWgrad(setting),
      others.filter((launch) => launch !== undefined),
    );
  },
};

export default direct;

/** Tiles of outputs, with several pixels times several filters per thread. */
import { LONG_SUM } from '../../../../gemm/tile-constants.ts';
import { copyingWork } from '../../../../cost.ts';
import { grid } from '../../../../plan.ts';
import { problemConstants, type ConvSetting } from '../../algorithm.ts';
import { flops } from '../../problem.ts';
import { finishConstants, finishTensors, type Correlation, type CorrelationLaunch } from './correlation.ts';
import { blockName } from './names.ts';
import { equalParts, imageBytes, patchSize } from './tiled.ts';

/** The constants of shaders/conv/direct/blocked.wgsl. */
export interface DirectBlock {
  /** Threads along an output row, down a column, and along the filters. */
  WX: number;
  WY: number;
  WZ: number;
  /** Pixels per thread, one below the other. */
  ROWS: number;
  /** Filters per thread, in vectors of four. */
  VECTORS: number;
}

export const BLOCKS: readonly DirectBlock[] = [
  { WX: 16, WY: 4, WZ: 4, ROWS: 4, VECTORS: 2 },
  { WX: 8, WY: 2, WZ: 8, ROWS: 4, VECTORS: 2 },
  { WX: 32, WY: 2, WZ: 2, ROWS: 4, VECTORS: 2 },
  { WX: 8, WY: 4, WZ: 4, ROWS: 2, VECTORS: 2 },
  { WX: 16, WY: 4, WZ: 1, ROWS: 4, VECTORS: 1 },
  { WX: 8, WY: 8, WZ: 1, ROWS: 1, VECTORS: 2 },
  { WX: 4, WY: 4, WZ: 8, ROWS: 1, VECTORS: 2 },
];
/** How many blocks are tried. */
const MAX_BLOCKS = 4;

/** Threads that keep a large GPU busy. */
const BUSY_THREADS = 65536;
/** Bytes of workgroup memory that leave room for several workgroups at a time. */
const MEMORY = 16384;
/** More channels per step would not save a relevant number of barriers. */
const MAX_DEPTH = 8;

const threads = ({ WX, WY, WZ }: DirectBlock) => WX * WY * WZ;
const filters = ({ WZ, VECTORS }: DirectBlock) => WZ * VECTORS * 4;

/** Workgroups: tiles, blocks of filters, groups, images. */
function workgroups(block: DirectBlock, { problem: { N, K, P, Q, groups } }: ConvSetting): number {
  const tiles = Math.ceil(P / (block.WY * block.ROWS)) * Math.ceil(Q / block.WX);
  return N * groups * Math.ceil(K / groups / filters(block)) * tiles;
}

/** Channels that are staged at a time; 0 if not even one fits. */
function depthOf(block: DirectBlock, { device, problem }: ConvSetting): number {
  const { C, R, S, groups } = problem;
  const patch = patchSize(problem, [block.WY * block.ROWS, block.WX]);
  const channel = patch * 4 + R * S * filters(block) * 4;
  const memory = device.limit('maxComputeWorkgroupStorageSize');
  const most = device.adapter.cpu ? Math.max(1, Math.floor(CPU_SUM / (R * S))) : MAX_DEPTH;
  const depth = Math.min(most, C / groups, Math.floor(MEMORY / channel));
  return depth > 0 ? depth : channel <= memory ? 1 : 0;
}

/**
 * A block's approximate cost: the outputs that it covers, how often each value read is reused, and how busy it keeps a
 * GPU. On software adapters, where no block is fast, the time to compile it.
 */
function cost(block: DirectBlock, setting: ConvSetting): number {
  const { ROWS, VECTORS, WX, WY } = block;
  if (setting.device.onProcessor) return threads(block) * ROWS * VECTORS;
  const count = workgroups(block, setting);
  const outputs = count * WX * WY * ROWS * filters(block);
  const reads = 1 / (VECTORS * 4) + 1 / (ROWS * 4); // one value per filter, one vector per pixel
  const busy = Math.min(1, (count * threads(block)) / BUSY_THREADS);
  return (outputs * (0.1 + reads)) / busy;
}

/** Invocations of a workgroup on the processor itself. */
const CPU_THREADS = 256;
/** Sums that stay in its registers: pixels times vectors of filters. */
const [CPU_ROWS, CPU_VECTORS] = [4, 2];

/** Terms that a processor adds up by themselves: without fused multiply-adds, every term is rounded twice. */
const CPU_SUM = 64;
/** Of long sums, at most so many terms are added up by themselves, unless there are more in a step. */
const PART = 256;

/** The whole output, or even parts of it, in blocks that the processor's registers hold. */
function cpuBlock({ device, problem: { K, P, Q, groups } }: ConvSetting): DirectBlock {
  const most = Math.min(CPU_THREADS, device.limit('maxComputeInvocationsPerWorkgroup'));
  const VECTORS = K / groups > 4 ? CPU_VECTORS : 1;
  const ROWS = Math.min(CPU_ROWS, P);
  const WZ = equalParts(Math.ceil(K / groups / (4 * VECTORS)), 4);
  const WX = equalParts(Q, 16);
  const WY = equalParts(Math.ceil(P / ROWS), Math.floor(most / (WX * WZ)));
  return { WX, WY, WZ, ROWS, VECTORS };
}

/** Launches of the blocks that fit, the best guess first. */
export function blockedLaunches(correlation: Correlation): CorrelationLaunch[] {
  const { setting } = correlation;
  const { device } = setting;
  const limit = device.limit('maxComputeInvocationsPerWorkgroup');
  const known = device.adapter.cpu ? [cpuBlock(setting)] : BLOCKS;
  const blocks = known.filter((block) => threads(block) <= limit && depthOf(block, setting) > 0);
  return blocks
    .sort((a, b) => cost(a, setting) - cost(b, setting))
    .slice(0, device.onProcessor ? 1 : MAX_BLOCKS)
    .map((block) => blocked(correlation, block));
}

/** The cost of a value, or a vector of four, that serves several sums. */
const SHARED_LOAD_COST = 0.58;

/** Banks of a GPU's workgroup memory, and threads that read at the same time. */
const BANKS = 32;

/** How many different values of a patch such threads read from one bank, at most: these reads take turns. */
function conflicts({ WX }: DirectBlock, { problem: { S, stride, dilation } }: ConvSetting): number {
  const width = (WX - 1) * stride[1] + (S - 1) * dilation[1] + 1;
  const banks = Array.from({ length: BANKS }, (_, thread) => {
    const at = Math.floor(thread / WX) * stride[0] * width + (thread % WX) * stride[1];
    return at % BANKS;
  });
  return Math.max(...banks.map((bank) => banks.filter((other) => other === bank).length));
}

function blockedWork(block: DirectBlock, setting: ConvSetting) {
  const { C, K, R, S, groups } = setting.problem;
  const [channels, depth] = [C / groups, depthOf(block, setting)];
  const weights = R * S * block.WZ * block.VECTORS;
  const patch = patchSize(setting.problem, [block.WY * block.ROWS, block.WX]);
  // Compilers leave out sums of filters that a group does not have.
  const vectors = Math.min(block.VECTORS, Math.ceil(K / groups / 4));
  const reads = block.ROWS * conflicts(block, setting) + vectors;
  return copyingWork(
    threads(block),
    block.ROWS * Math.min(K / groups, block.VECTORS * 4),
    channels * R * S,
    reads,
    SHARED_LOAD_COST,
    {
      copies: (channels * (patch + weights)) / threads(block),
      steps: Math.ceil(channels / depth),
      memory: depth * (4 * patch + 16 * weights),
      bytes: imageBytes(setting),
    },
  );
}

/** A launch with the given block, which must fit. */
export function blocked({ setting, flipped }: Correlation, block: DirectBlock): CorrelationLaunch {
  const { device, problem } = setting;
  const { C, groups, R, S } = problem;
  const DEPTH = depthOf(block, setting);
  return {
    name: blockName(block.WY * block.ROWS, block.WX, filters(block)),
    workspaceBytes: 0,
    add(plan, label, tensors) {
      plan.dispatch({
        label,
        kernel: {
          shader: 'conv/direct/blocked',
          constants: {
            ...problemConstants(setting),
            ...block,
            DEPTH,
            STEPS: device.adapter.cpu ? 1 : Math.max(1, Math.floor(PART / (DEPTH * R * S))),
            FLIPPED: flipped,
            PARTIAL_SUMS: (C / groups) * R * S > (device.adapter.cpu ? CPU_SUM : LONG_SUM),
            ...finishConstants(tensors),
          },
        },
        tensors: { ...finishTensors(tensors), w: tensors.w },
        uniforms: { N: setting.problem.N },
        workgroups: grid(workgroups(block, setting), 1),
        flop: flops(setting.problem),
        work: blockedWork(block, setting),
      });
    },
  };
}

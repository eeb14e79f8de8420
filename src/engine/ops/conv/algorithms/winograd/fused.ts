/** fprop and dgrad in one kernel, except for the filters' transform: little memory traffic if channels are few. */
import { STAGED_WAIT } from '../../../../cost.ts';
import { LONG_SUM } from '../../../../gemm/tile-constants.ts';
import { grid } from '../../../../plan.ts';
import {
  channelConstants,
  filterBytes,
  planFilters,
  resultConstants,
  resultTensors,
  tileConstants,
  type WinogradLaunch,
  type WinogradWork,
} from './correlation.ts';
import { positions, tilesAn, winogradShader } from './shape.ts';

/** A workgroup's block: constants of shaders/conv/winograd/fused.wgsl. */
export interface FusedBlock {
  /** Filters and tiles per thread. */
  readonly TM: number;
  readonly TN: number;
  /** Threads along tiles and filters, at each position. */
  readonly WX: number;
  readonly WY: number;
  /** Channels per step, a multiple of WY. */
  readonly STEP: number;
}

/** The cost of a thread's part of a channel's transform. */
const TRANSFORM_COST = 57;

const filtersOf = ({ TM, WY }: FusedBlock) => TM * WY;
const tilesOf = ({ TN, WX }: FusedBlock) => TN * WX;

/** Bytes of workgroup memory: a step's transformed filters and tiles. */
const memory = (work: WinogradWork, block: FusedBlock) =>
  4 * positions(work.variant) * block.STEP * (filtersOf(block) + tilesOf(block));

const threads = (work: WinogradWork, { WX, WY }: FusedBlock) => positions(work.variant) * WX * WY;

const blockName = (block: FusedBlock) =>
  `fused, ${filtersOf(block)} filters x ${tilesOf(block)} tiles x ${block.STEP} channels`;

/**
 * The launches of `blocks` that this GPU can run; none if the workspace is too small, or if channels are so many that adding one
 * after the other loses precision: non-fused launches add up parts.
 */
export function fusedLaunches(work: WinogradWork, blocks: readonly FusedBlock[]): WinogradLaunch[] {
  const { device, workspace } = work.setting;
  const bytes = filterBytes(work);
  const binding = device.limit('maxStorageBufferBindingSize');
  if (channelConstants(work).INNER > LONG_SUM) return [];
  if (bytes > Math.min(workspace, binding) || work.setting.problem.groups > 65535) return [];
  return blocks
    .filter(
      (block) =>
        memory(work, block) <= device.limit('maxComputeWorkgroupStorageSize') &&
        threads(work, block) <= device.limit('maxComputeInvocationsPerWorkgroup') &&
        threads(work, block) <= device.limit('maxComputeWorkgroupSizeX'),
    )
    .map((block) => fusedLaunch(work, block));
}

const fusedLaunch = (work: WinogradWork, block: FusedBlock): WinogradLaunch => ({
  name: blockName(block),
  workspaceBytes: filterBytes(work),
  add(plan, label, tensors) {
    const { variant, setting, correlation } = work;
    const { image, start } = correlation;
    const { N } = setting.problem;
    const { GROUPS, INNER, OUTER } = channelConstants(work);
    const filters = planFilters(plan, label, work, tensors.w);
    const across = Math.ceil(OUTER / filtersOf(block));
    // The last step's channels are computed, too, where there are none; the outputs' transform costs about as much.
    const channels = (Math.ceil(INNER / block.STEP) + 1) * block.STEP;
    const [x, y] = grid(across * Math.ceil((N * tilesAn(correlation)) / tilesOf(block)), 1);
    plan.dispatch({
      label,
      kernel: {
        shader: winogradShader('fused', variant),
        constants: {
          ...tileConstants(work),
          ...resultConstants(work, tensors),
          ...block,
          GROUPS,
          INNER,
          IMAGE_ROWS: image.rows,
          IMAGE_COLUMNS: image.columns,
          START_V: start[0],
          START_H: start[1],
        },
      },
      tensors: { image: tensors.image, filters, ...resultTensors(tensors) },
      uniforms: { N, FIRST: 0, FIRST_FILTER: 0 },
      workgroups: [x, y, GROUPS],
      flop: 2 * positions(variant) * GROUPS * OUTER * INNER * N * tilesAn(correlation),
      work: {
        threads: threads(work, block),
        sums: block.TM * block.TN,
        // Apart from sums, each channel's tiles are transformed.
        cost: channels * (block.TM * block.TN + TRANSFORM_COST),
        wait: channels * STAGED_WAIT,
        products: channels * block.TM * block.TN,
        reads: { staged: channels * (block.TM / 4 + block.TN + 1), gathered: channels },
      },
    });
  },
});

/** The Winograd algorithms: one for each variant F(M x M, R x R). */
import type { ConvAlgorithm, ConvSetting } from '../../algorithm.ts';
import { LAYOUTS } from '../../layout.ts';
import type { ConvProblem, Direction } from '../../problem.ts';
import { F2X3, F2X5, F4X3, F4X5, type Variant } from './cook_toom.ts';
import { asDgrad, asFprop, type WinogradLaunch, type WinogradWork } from './correlation.ts';
import { fusedLaunches, type FusedBlock } from './fused.ts';
import { nonFusedBytes, nonFusedLaunches } from './non_fused.ts';
import {
  backwardCorrelation,
  forwardCorrelation,
  GRID_LIMIT,
  MAX_TILES,
  positions,
  tilesAn,
} from './shape.ts';
import { sumOfTiles } from './sum.ts';
import { leastWgradBytes, wgradLaunches } from './wgrad.ts';

/** Up to this many channels and filters per group, fused launches are predicted best. */
const FEW_CHANNELS = 64;

/** The other differences between variants. */
interface Traits extends Pick<ConvAlgorithm, 'summary' | 'exact'> {
  /** The workgroups' blocks of fused launches, for a number of filters per group. */
  blocks?(setting: ConvSetting, filters: number): readonly FusedBlock[];
}

/** The algorithm of a variant. */
export function winograd(variant: Variant, { blocks, ...traits }: Traits): ConvAlgorithm {
  const correlate = (setting: ConvSetting, direction: 'fprop' | 'dgrad'): WinogradLaunch[] => {
    const work = workOf(variant, setting, direction);
    const { groups } = setting.problem;
    const { image, result } = work.correlation;
    const fused = fusedLaunches(work, blocks?.(setting, result.channels / groups) ?? []);
    const nonFused = nonFusedLaunches(work);
    const few = Math.max(image.channels, result.channels) / groups <= FEW_CHANNELS;
    return few && !setting.device.onProcessor ? [...fused, ...nonFused] : [...nonFused, ...fused];
  };
  return {
    name: variant.name,
    ...traits,
    layouts: LAYOUTS,
    sum: (problem, direction) => sumOfTiles(variant, problem, direction),

    unsupported: (setting, direction) => {
      const reason = otherShape(variant, setting, direction) ?? hugeImage(variant, setting, direction);
      if (reason !== undefined) return reason;
      const launches =
        direction === 'wgrad' ? wgradLaunches(variant, setting) : correlate(setting, direction);
      return launches.length > 0 ? undefined : shortOfWorkspace(variant, setting, direction);
    },

    fprop: (setting) => correlate(setting, 'fprop').map(asFprop),
    dgrad: (setting) => correlate(setting, 'dgrad').map(asDgrad),
    wgrad: (setting) => wgradLaunches(variant, setting),
  };
}

/** 32 KiB of workgroup memory, then 16. */
const MANY_FILTERS: readonly FusedBlock[] = [
  { TM: 8, TN: 8, WX: 4, WY: 4, STEP: 8 },
  { TM: 8, TN: 8, WX: 4, WY: 4, STEP: 4 },
  { TM: 8, TN: 8, WX: 8, WY: 4, STEP: 4 },
];
/** 64 filters at once, so tiles are transformed once. 48 KiB. */
const WIDE: FusedBlock = { TM: 8, TN: 8, WX: 4, WY: 8, STEP: 8 };
/** 24 and 12 KiB. */
const FEW_FILTERS: readonly FusedBlock[] = [
  { TM: 4, TN: 8, WX: 4, WY: 4, STEP: 8 },
  { TM: 4, TN: 8, WX: 4, WY: 4, STEP: 4 },
];
/** For workgroups of 128 threads, as in compatibility mode. 12 and 10 KiB. */
const SMALL_WORKGROUPS: readonly FusedBlock[] = [
  { TM: 8, TN: 8, WX: 4, WY: 2, STEP: 4 },
  { TM: 4, TN: 8, WX: 4, WY: 2, STEP: 4 },
];
/** For software adapters, which take seconds to compile the unrolled loops of the others. */
const SHORT: readonly FusedBlock[] = [{ TM: 4, TN: 4, WX: 4, WY: 1, STEP: 4 }];

function f2x3Blocks({ device }: ConvSetting, filters: number): readonly FusedBlock[] {
  if (device.onProcessor) return SHORT;
  if (device.limit('maxComputeInvocationsPerWorkgroup') < 256) return SMALL_WORKGROUPS;
  if (filters <= 16) return FEW_FILTERS;
  return filters > 32 ? [MANY_FILTERS[0], WIDE, ...MANY_FILTERS.slice(1)] : MANY_FILTERS;
}

export default [
  winograd(F2X3, {
    summary: "Winograd's F(2x2, 3x3): 16 multiplications instead of 36 for four outputs, exact on integers.",
    exact: true,
    blocks: f2x3Blocks,
  }),
  winograd(F4X3, {
    summary: "Winograd's F(4x4, 3x3): 36 multiplications instead of 144 for sixteen outputs.",
    exact: false,
  }),
  winograd(F2X5, {
    summary: "Winograd's F(2x2, 5x5): 36 multiplications instead of 100 for four outputs.",
    exact: false,
  }),
  winograd(F4X5, {
    summary: "Winograd's F(4x4, 5x5): 64 multiplications instead of 400 for sixteen outputs.",
    exact: false,
  }),
];

const correlationOf = (variant: Variant, problem: ConvProblem, direction: Direction) =>
  (direction === 'dgrad' ? backwardCorrelation : forwardCorrelation)(variant, problem);

const workOf = (variant: Variant, setting: ConvSetting, direction: 'fprop' | 'dgrad'): WinogradWork => ({
  variant,
  setting,
  correlation: correlationOf(variant, setting.problem, direction),
});

/** Why the variant does not support a problem's shape. In dgrad, a stride leaves each phase a part of the filter. */
function otherShape(variant: Variant, { problem }: ConvSetting, direction: Direction): string | undefined {
  const { C, K, R, S, stride, dilation, groups } = problem;
  const size = variant.R;
  const phases = direction === 'dgrad' ? stride : [1, 1];
  const part = [Math.ceil(R / phases[0]), Math.ceil(S / phases[1])];
  if (part[0] !== size || part[1] !== size) {
    const each = Math.max(...phases) > 1 ? `, ${part.join('x')} for each phase of the stride` : '';
    return `it requires ${size}x${size} filters, got ${R}x${S}${each}`;
  }
  if (direction !== 'dgrad' && Math.max(...stride) > 1) {
    return `it requires stride 1, got ${stride.join('x')}`;
  }
  if (dilation[0] !== 1 || dilation[1] !== 1) {
    return `it does not support dilation, got ${dilation.join('x')}`;
  }
  const channels = Math.max(C * phases[0] * phases[1], K);
  if (channels > GRID_LIMIT) return `it supports at most ${GRID_LIMIT} channels, got ${channels}`;
  const products = positions(variant) * groups;
  if (products > GRID_LIMIT) {
    return `${groups} groups need ${products} matrix multiplications per dispatch, limit ${GRID_LIMIT}`;
  }
  return undefined;
}

/** Why the variant does not support an image's size. */
function hugeImage(variant: Variant, { problem }: ConvSetting, direction: Direction): string | undefined {
  const tiles = tilesAn(correlationOf(variant, problem, direction));
  return tiles > MAX_TILES ? `it supports at most ${MAX_TILES} tiles per image, got ${tiles}` : undefined;
}

/** Why not even one image at a time fits. */
function shortOfWorkspace(variant: Variant, setting: ConvSetting, direction: Direction): string {
  const bytes =
    direction === 'wgrad'
      ? leastWgradBytes(variant, setting)
      : nonFusedBytes(workOf(variant, setting, direction), 1);
  const mebibytes = (count: number) => `${(count / 2 ** 20).toFixed(1)} MiB`;
  if (bytes <= setting.workspace) {
    const binding = setting.device.limit('maxStorageBufferBindingSize');
    return `it needs a buffer above this device’s limit of ${mebibytes(binding)}, even for one image`;
  }
  return `it needs ${mebibytes(bytes)} of workspace even for one image, limit ${mebibytes(setting.workspace)}`;
}

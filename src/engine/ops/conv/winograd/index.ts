/** What the four Winograd algorithms share. Each is one variant: F(M x M, R x R). */
import type { ConvAlgorithm, ConvSetting } from '../algorithm.ts';
import type { ConvProblem, Direction } from '../problem.ts';
import type { Variant } from './cook_toom.ts';
import { asDgrad, asFprop, type CorrelationLaunch, type Work } from './correlation.ts';
import { fusedLaunches, type Block } from './fused.ts';
import { nonFusedBytes, nonFusedLaunches } from './non_fused.ts';
import {
  backwardCorrelation,
  forwardCorrelation,
  GRID_LIMIT,
  MOST_TILES,
  positions,
  tilesAn,
} from './shape.ts';
import { leastWgradBytes, wgradFits, wgradLaunches } from './wgrad.ts';

/** Up to this many channels, and filters, of a group, fused launches are guessed best. */
const FEW_CHANNELS = 64;

/** What differs between them, apart from the variant. */
interface Traits extends Pick<ConvAlgorithm, 'summary' | 'tolerance' | 'exact'> {
  /** What workgroups of fused launches work on, for so many filters of a group. */
  blocks?(setting: ConvSetting, filters: number): readonly Block[];
}

export function winograd(variant: Variant, { blocks, ...traits }: Traits): ConvAlgorithm {
  const correlate = (setting: ConvSetting, direction: 'fprop' | 'dgrad'): CorrelationLaunch[] => {
    const work = workOf(variant, setting, direction);
    const { groups } = setting.problem;
    const { image, result } = work.correlation;
    const fused = fusedLaunches(work, blocks?.(setting, result.channels / groups) ?? []);
    const nonFused = nonFusedLaunches(work);
    const few = Math.max(image.channels, result.channels) / groups <= FEW_CHANNELS;
    return few && !setting.device.adapter.software ? [...fused, ...nonFused] : [...nonFused, ...fused];
  };
  return {
    name: variant.name,
    ...traits,

    unsupported: (setting, direction) => {
      const reason = otherShape(variant, setting) ?? hugeImage(variant, setting, direction);
      if (reason !== undefined) return reason;
      const fits =
        direction === 'wgrad' ? wgradFits(variant, setting) : correlate(setting, direction).length > 0;
      return fits ? undefined : shortOfWorkspace(variant, setting, direction);
    },

    fprop: (setting) => correlate(setting, 'fprop').map(asFprop),
    dgrad: (setting) => correlate(setting, 'dgrad').map(asDgrad),
    wgrad: (setting) => wgradLaunches(variant, setting),
  };
}

const correlationOf = (variant: Variant, problem: ConvProblem, direction: Direction) =>
  (direction === 'dgrad' ? backwardCorrelation : forwardCorrelation)(variant, problem);

const workOf = (variant: Variant, setting: ConvSetting, direction: 'fprop' | 'dgrad'): Work => ({
  variant,
  setting,
  correlation: correlationOf(variant, setting.problem, direction),
});

/** Why a problem's shape does not suit the variant. */
function otherShape(variant: Variant, { problem }: ConvSetting): string | undefined {
  const { C, K, R, S, stride, dilation, groups } = problem;
  const size = variant.R;
  if (R !== size || S !== size) return `it is made for filters of ${size}x${size}, and these are ${R}x${S}`;
  if (stride[0] !== 1 || stride[1] !== 1) {
    return `its tiles share inputs only at stride 1, and the stride is ${stride.join('x')}`;
  }
  if (dilation[0] !== 1 || dilation[1] !== 1) {
    return `it is made for filters without gaps, and the dilation is ${dilation.join('x')}`;
  }
  if (Math.max(C, K) > GRID_LIMIT) {
    return `it lays channels side by side, and the GPU allows ${GRID_LIMIT}; there are ${Math.max(C, K)}`;
  }
  const products = positions(variant) * groups;
  if (products > GRID_LIMIT) {
    return `${groups} groups make ${products} matrix products, and the GPU allows ${GRID_LIMIT} side by side`;
  }
  return undefined;
}

/** Why an image's size does not suit. */
function hugeImage(variant: Variant, { problem }: ConvSetting, direction: Direction): string | undefined {
  const tiles = tilesAn(correlationOf(variant, problem, direction));
  return tiles > MOST_TILES
    ? `an image is cut into ${tiles} tiles, and the GPU allows ${MOST_TILES} side by side`
    : undefined;
}

/** What to say where not even one image at a time fits. */
function shortOfWorkspace(variant: Variant, setting: ConvSetting, direction: Direction): string {
  const bytes =
    direction === 'wgrad'
      ? leastWgradBytes(variant, setting)
      : nonFusedBytes(workOf(variant, setting, direction), 1);
  const mebibytes = (count: number) => `${(count / 2 ** 20).toFixed(1)} MiB`;
  if (bytes <= setting.workspace) {
    const binding = setting.device.limit('maxStorageBufferBindingSize');
    return `even one image at a time takes an array of more than the ${mebibytes(binding)} that the GPU allows`;
  }
  return (
    `even one image at a time needs ${mebibytes(bytes)} of workspace; ` +
    `${mebibytes(setting.workspace)} are allowed`
  );
}

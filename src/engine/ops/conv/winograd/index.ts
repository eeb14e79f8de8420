/** What the four Winograd algorithms share. Each is one variant: F(M x M, R x R). */
import type { ConvAlgorithm, ConvSetting, Launch } from '../algorithm.ts';
import type { Direction } from '../problem.ts';
import type { Variant } from './cook_toom.ts';
import { correlationBytes, correlationFits, correlationLaunches } from './correlate.ts';
import { backwardCorrelation, forwardCorrelation, positions } from './shape.ts';
import { leastWgradBytes, wgradFits, wgradLaunches } from './wgrad.ts';

/** WebGPU's limit on workgroups along one dimension of a dispatch. */
const GRID_LIMIT = 65535;

/** What differs between them, apart from the variant. */
interface Traits extends Pick<ConvAlgorithm, 'summary' | 'tolerance' | 'exact'> {
  /** Further launches, that go before the others. */
  fused?(setting: ConvSetting): { fprop: Launch<'fprop'>[]; dgrad: Launch<'dgrad'>[] };
}

export function winograd(variant: Variant, { fused, ...traits }: Traits): ConvAlgorithm {
  return {
    name: variant.name,
    ...traits,

    unsupported: (setting, direction) =>
      otherShape(variant, setting) ?? shortOfWorkspace(variant, setting, direction),

    fprop: (setting) => [
      ...(fused?.(setting).fprop ?? []),
      ...correlationLaunches(
        variant,
        setting,
        'fprop',
        forwardCorrelation(variant, setting.problem),
        ({ x, w, bias, y, relu }) => ({ image: x, w, bias, relu, result: y }),
      ),
    ],

    dgrad: (setting) => [
      ...(fused?.(setting).dgrad ?? []),
      ...correlationLaunches(
        variant,
        setting,
        'dgrad',
        backwardCorrelation(variant, setting.problem),
        ({ dy, w, dx, mask }) => ({ image: dy, w, mask, result: dx }),
      ),
    ],

    wgrad: (setting) => wgradLaunches(variant, setting),
  };
}

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

/** Why the workspace does not do. */
function shortOfWorkspace(variant: Variant, setting: ConvSetting, direction: Direction): string | undefined {
  const correlation =
    direction === 'dgrad'
      ? backwardCorrelation(variant, setting.problem)
      : forwardCorrelation(variant, setting.problem);
  const fits =
    direction === 'wgrad' ? wgradFits(variant, setting) : correlationFits(variant, setting, correlation);
  if (fits) return undefined;
  const bytes =
    direction === 'wgrad'
      ? leastWgradBytes(variant, setting)
      : correlationBytes(variant, setting, correlation, 1);
  const mebibytes = (count: number) => `${(count / 2 ** 20).toFixed(1)} MiB`;
  return (
    `even one image at a time needs ${mebibytes(bytes)} of workspace; ` +
    `${mebibytes(setting.workspace)} are allowed`
  );
}

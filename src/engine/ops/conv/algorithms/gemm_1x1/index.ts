import { showPadding } from '../../../../../base/padding.ts';
import { sliceBytes, slicedGradients } from '../../../../gemm/slices.ts';
import { chooseSlices, chooseTiles } from '../../../../gemm/choose-tile.ts';
import { tileName, type Tile } from '../../../../gemm/tiles.ts';
import type { ConvAlgorithm, ConvSetting, Launch } from '../../algorithm.ts';
import { biasGradientBytes, planBiasGradient } from '../../bias_gradient.ts';
import * as channelsLast from '../../channels_last/index.ts';
import {
  gradientSize,
  planPointwise,
  planPointwiseGradient,
  productSize,
  type PointwiseSizes,
} from '../../pointwise/index.ts';
import { LAYOUTS } from '../../layout.ts';
import type { ConvProblem } from '../../problem.ts';

/** Products from x to y; those from dy to dx swap the two. */
const sizesOf = ({ N, C, H, W, K, groups }: ConvProblem): PointwiseSizes => ({
  groups,
  inputs: C / groups,
  outputs: K / groups,
  pixels: H * W,
  columns: N * H * W,
  xPlane: H * W,
  yPlane: H * W,
});

const swapped = (sizes: PointwiseSizes): PointwiseSizes => ({
  ...sizes,
  inputs: sizes.outputs,
  outputs: sizes.inputs,
});

/** fprop with the given tiles. */
export function fpropWith({ problem, number }: ConvSetting, tile: Tile): Launch<'fprop'> {
  const sizes = sizesOf(problem);
  return {
    name: tileName(tile),
    workspaceBytes: 0,
    add: (plan, label, { x, w, bias, y, relu }) =>
      planPointwise(plan, label, {
        ...sizes,
        tile,
        number,
        x,
        w,
        y,
        bias,
        relu,
        transposed: false,
        wRow: sizes.inputs,
      }),
  };
}

export function dgradWith({ problem, number }: ConvSetting, tile: Tile): Launch<'dgrad'> {
  const sizes = swapped(sizesOf(problem));
  return {
    name: tileName(tile),
    workspaceBytes: 0,
    add: (plan, label, { dy, w, dx, mask }) =>
      planPointwise(plan, label, {
        ...sizes,
        tile,
        number,
        x: dy,
        w,
        y: dx,
        mask,
        transposed: true,
        wRow: sizes.outputs,
      }),
  };
}

export function wgradWith(setting: ConvSetting, tile: Tile): Launch<'wgrad'> {
  const { device, problem, number, workspace } = setting;
  const { K, C, groups } = problem;
  const sizes = sizesOf(problem);
  const affordable = workspace / (4 * ((K * C) / groups));
  const wanted = chooseSlices(device, tile, gradientSize(sizes));
  const slices = Math.max(1, Math.floor(Math.min(wanted, affordable, 65535 / groups)));
  return {
    name: `${tileName(tile)}, ${slices} slices`,
    workspaceBytes: Math.max(sliceBytes(slices, (K * C) / groups, 0), biasGradientBytes(setting)),
    add(plan, label, { dy, x, dw, db }) {
      const sliced = slicedGradients(plan, label, slices, dw, undefined);
      planPointwiseGradient(plan, label, { ...sizes, tile, slices, number, dy, x, dw: sliced.dw });
      sliced.finish();
      if (db) planBiasGradient(plan, `${label} bias`, setting, dy, db);
    },
  };
}

const gemm1x1: ConvAlgorithm = {
  name: 'gemm_1x1',
  summary: 'For 1x1 filters: the input already is the matrix, so a plain matrix multiplication suffices.',
  exact: true,
  layouts: LAYOUTS,

  unsupported({ problem: { R, S, stride, padding, groups } }) {
    if (R * S !== 1) return `it requires 1x1 filters, got ${R}x${S}`;
    if (Math.max(...stride) > 1 || Math.max(...Object.values(padding)) > 0) {
      return (
        'it requires stride 1 and no padding, got ' +
        `stride ${stride.join('x')}, padding ${showPadding(padding)}`
      );
    }
    if (groups > 65535) {
      return `it supports at most 65535 groups, got ${groups}`;
    }
    return undefined;
  },

  fprop(setting) {
    if (setting.problem.layout === 'nhwc') return channelsLast.fpropLaunches(setting, true);
    const tiles = chooseTiles(setting.device, productSize(sizesOf(setting.problem)), setting.number);
    return tiles.map((tile) => fpropWith(setting, tile));
  },

  dgrad(setting) {
    if (setting.problem.layout === 'nhwc') return channelsLast.dgradLaunches(setting, true);
    const tiles = chooseTiles(setting.device, productSize(swapped(sizesOf(setting.problem))), setting.number);
    return tiles.map((tile) => dgradWith(setting, tile));
  },

  wgrad(setting) {
    if (setting.problem.layout === 'nhwc') return channelsLast.wgradLaunches(setting, true);
    const tiles = chooseTiles(setting.device, gradientSize(sizesOf(setting.problem)), setting.number);
    return tiles.map((tile) => wgradWith(setting, tile));
  },
};

export default gemm1x1;

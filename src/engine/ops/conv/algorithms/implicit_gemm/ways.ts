/** How a product with gathered columns is launched: its tile, and slices of long sums with their second pass. */
import { elements } from '../../../../../base/shape.ts';
import { chooseSlices, chooseTiles } from '../../../../gemm/choose-tile.ts';
import { tileName, type ProductSize, type Tile } from '../../../../gemm/tiles.ts';
import { elementGrid, type PlanBuilder, type Tensor } from '../../../../plan.ts';
import type { ConvSetting } from '../../algorithm.ts';

const MAX_TABLE_BYTES = 65536;

export interface GemmWay {
  tile: Tile;
  /** Parts of long sums, added up by a second pass. */
  slices: number;
  /** Whether filter positions are read from a table. */
  tabled?: boolean;
}

export const nameOf = ({ tile, slices, tabled }: GemmWay): string =>
  [
    tileName(tile),
    ...(slices > 1 ? [`${slices} slices`] : []),
    ...(tabled ? ['precomputed offsets'] : []),
  ].join(', ');

/** Sliced ways that are tried. */
const MAX_SLICED = 6;

/** Every tile, on GPUs also with sums in slices where that fills it better. @param outputs values of the result */
export function waysOf(
  { device, workspace, number }: ConvSetting,
  size: ProductSize,
  outputs: number,
): GemmWay[] {
  const whole = chooseTiles(device, size, number).map((tile): GemmWay => ({ tile, slices: 1 }));
  if (device.onProcessor) return whole;
  const most = Math.floor(Math.min(workspace / (4 * outputs), 65535 / (size.count ?? 1)));
  const cut = { ...size, sliced: true };
  const sliced = chooseTiles(device, cut, number)
    .filter(({ STAGED }) => STAGED)
    .map((tile): GemmWay => ({ tile, slices: Math.min(most, chooseSlices(device, tile, cut)) }));
  return [...whole, ...sliced.filter(({ slices }) => slices > 1).slice(0, MAX_SLICED)];
}

/** The ways, on GPUs the first staged one also with a table of positions; on processors, all. */
export function withTables({ device }: ConvSetting, ways: GemmWay[], bytes: number): GemmWay[] {
  if (bytes > MAX_TABLE_BYTES) return ways;
  const tabled = device.onProcessor ? ways : ways.filter(({ tile }) => tile.STAGED).slice(0, 2);
  return [...ways, ...tabled.map((way) => ({ ...way, tabled: true }))];
}

/** What is done with complete sums. */
interface Finish {
  bias?: Tensor | undefined;
  relu?: boolean;
  mask?: Tensor | undefined;
}

/**
 * The target of a product whose sums are cut into slices, and the second pass.
 * @param result y or dx
 */
export function inSlices(
  plan: PlanBuilder,
  label: string,
  slices: number,
  result: Tensor,
  finish: Finish,
): { target: Tensor; finish: Finish; addUp: () => void } {
  if (slices === 1) return { target: result, finish, addUp: () => undefined };
  const target = plan.tensor(`${label} slices`, [slices, ...result.shape]);
  const { bias, relu = false, mask } = finish;
  const [, channels, height, width] = result.shape;
  const count = elements(result.shape);
  return {
    target,
    finish: {},
    addUp: () =>
      plan.dispatch({
        label: `${label} sum`,
        kernel: {
          shader: 'conv/implicit_gemm/sum_slices',
          constants: {
            Number: result.type,
            SLICES: slices,
            CHANNELS: channels,
            PLANE: height * width,
            HAS_BIAS: bias !== undefined,
            RELU: relu,
            MASK: mask !== undefined,
          },
        },
        tensors: { slices: target, bias: bias ?? target, mask: mask ?? target, result },
        uniforms: { count },
        workgroups: elementGrid(count),
      }),
  };
}

/** Two-dimensional Fourier transforms of tiles of planes, real on one side: see shaders/conv/fft/tiles.wgsl. */
import type { Shape, Pair } from '../../../../../base/shape.ts';
import type { Device } from '../../../../../gpu/device.ts';
import type { Constants } from '../../../../../gpu/link.ts';
import { toFour } from '../../../../gemm/products.ts';
import { grid, type NumberType, type PlanBuilder, type Tensor } from '../../../../plan.ts';
import { rootsOfUnity } from './roots.ts';
import type { Cuts } from './tilings.ts';

/** The data to transform: planes of some images, cut into tiles. */
export interface Planes {
  cuts: Cuts;
  firstImage: number;
  images: number;
  /** Planes per image. */
  planes: number;
  groups: number;
  /** Distance in memory from one image's plane to the next image's. */
  imageStride: number;
  /** Distance from one plane to the next. */
  planeStride: number;
  number: NumberType;
}

/** How many real multiplications make a complex one. */
export type ComplexProducts = 'four' | 'three';

/** What spectra are for, which determines what is stored of them. */
export type Role = 'right' | 'left' | 'filter';

export const sizeOf = ({ cuts }: Planes): Pair => [cuts[0].size, cuts[1].size];

/** Stored frequencies. */
export const frequencies = ([vertical, horizontal]: Pair): number => (vertical * horizontal) / 2 + 2;

/** Tiles: neighbours in the spectra. */
export const itemsOf = ({ cuts, images }: Planes): number => images * cuts[0].tiles * cuts[1].tiles;

/** [frequency, group, parts of the group's planes, items to 4]; filters of four products have two parts of the items, too. */
export function spectraShape(planes: Planes, products: ComplexProducts, filter: boolean): Shape {
  const { groups, planes: count } = planes;
  const parts = products === 'three' ? 3 : 2;
  return [frequencies(sizeOf(planes)), groups, (parts * count) / groups, rowOf(planes, products, filter)];
}

const rowOf = (planes: Planes, products: ComplexProducts, filter: boolean): number =>
  toFour(filter && products === 'four' ? 2 * itemsOf(planes) : itemsOf(planes));

/** The longest transform that a thread computes in its registers. */
const MAX_IN_REGISTERS = 32;

/** The data between the passes over columns and rows: pairs of values; empty if one pass does both. */
export function halfwayShape(planes: Planes): Shape {
  const size = sizeOf(planes);
  if (Math.max(...size) <= MAX_IN_REGISTERS) return [0];
  return [planes.planes, itemsOf(planes), size[0] / 2, size[1], 2];
}

/** For transforms in two passes. */
export interface Halfway {
  /** At least as large as halfwayShape. */
  tensor: Tensor;
  /** Roots of unity for columns and for rows. */
  columnRoots: Tensor;
  rowRoots: Tensor;
}

export function planHalfway(plan: PlanBuilder, label: string, shape: Shape, size: Pair): Halfway {
  const roots = (length: number) =>
    plan.constant(`${label} roots of unity`, new Uint32Array(rootsOfUnity(length).buffer));
  return {
    tensor: plan.tensor(`${label} halfway`, shape),
    columnRoots: roots(size[0]),
    rowRoots: roots(size[1]),
  };
}

export interface ForwardTransform {
  planes: Planes;
  source: Tensor;
  spectra: Tensor;
  /** Without it, one pass does both, for sizes up to 32. */
  halfway: Halfway | undefined;
  products: ComplexProducts;
  role: Role;
  /** For the left factor of three products. */
  conjugate?: boolean;
}

/** Adds the transforms of all tiles to `plan`. */
export function planForward(plan: PlanBuilder, label: string, forward: ForwardTransform): void {
  const { planes, source, spectra, halfway, products, role, conjugate = false } = forward;
  const filter = role === 'filter';
  const size = sizeOf(planes);
  const uniforms = uniformsOf(planes, rowOf(planes, products, filter));
  const spectrum = spectrumConstants(size, products);
  // Only constants that make a difference, so that equal kernels are compiled once.
  const factor: Constants =
    products === 'four' ? { FILTER: filter } : { LEFT: role !== 'right', CONJUGATE: conjugate };
  if (!halfway) {
    const lengths = lengthsOf(plan.device, planes);
    plan.dispatch({
      label,
      kernel: {
        shader: 'conv/fft/forward',
        constants: { ...spectrum, ...lengths, ...factor, Number: planes.number },
      },
      tensors: { planes: source, spectra },
      uniforms,
      workgroups: grid(planes.planes * Math.ceil(itemsOf(planes) / lengths.LANES), 1),
    });
    return;
  }
  plan.dispatch({
    label: `${label}, columns`,
    kernel: {
      shader: 'conv/fft/columns_forward',
      constants: { ...spectrumConstants(size), ...columnLines(plan.device, size), Number: planes.number },
    },
    tensors: { planes: source, halfway: halfway.tensor, roots: halfway.columnRoots },
    uniforms,
    workgroups: columnGrid(plan.device, planes),
  });
  plan.dispatch({
    label: `${label}, rows`,
    kernel: {
      shader: 'conv/fft/rows_forward',
      constants: { ...spectrum, ...linesOf(plan.device, size[1]), ...factor },
    },
    tensors: { halfway: halfway.tensor, spectra, roots: halfway.rowRoots },
    uniforms,
    workgroups: rowGrid(plan.device, planes),
  });
}

export interface Inverse {
  planes: Planes;
  spectra: Tensor;
  target: Tensor;
  /** Without it, one pass does both, for sizes up to 32. */
  halfway: Halfway | undefined;
  products: ComplexProducts;
  /** For filters: spectra hold their parts on both sides. */
  filter?: boolean;
  /** Parts of sums, one spectrum after the other. Default 1. */
  slices?: number;
  /** One value per plane. */
  bias?: Tensor;
  relu?: boolean;
  /** Same layout as `target`. */
  mask?: Tensor;
  /** Adds to the values in `target`. */
  add?: boolean;
}

/** Adds the inverse transforms to `plan`: they write those values of each tile that its cuts select. */
export function planInverse(plan: PlanBuilder, label: string, inverse: Inverse): void {
  const { planes, spectra, target, halfway, products, filter = false, slices = 1, bias, mask } = inverse;
  const size = sizeOf(planes);
  const uniforms = uniformsOf(planes, rowOf(planes, products, filter));
  const product = {
    ...spectrumConstants(size, products),
    FILTER: filter && products === 'four',
    SLICES: slices,
  };
  const sink = {
    HAS_BIAS: bias !== undefined,
    RELU: inverse.relu ?? false,
    MASK: mask !== undefined,
    ADD: inverse.add ?? false,
    Number: planes.number,
  };
  const outside = { bias: bias ?? spectra, mask: mask ?? spectra, planes: target };
  if (!halfway) {
    const lengths = lengthsOf(plan.device, planes);
    plan.dispatch({
      label,
      kernel: { shader: 'conv/fft/inverse', constants: { ...product, ...lengths, ...sink } },
      tensors: { spectra, ...outside },
      uniforms,
      workgroups: grid(planes.planes * Math.ceil(itemsOf(planes) / lengths.LANES), 1),
    });
    return;
  }
  plan.dispatch({
    label: `${label}, rows`,
    kernel: { shader: 'conv/fft/rows_inverse', constants: { ...product, ...linesOf(plan.device, size[1]) } },
    tensors: { spectra, halfway: halfway.tensor, roots: halfway.rowRoots },
    uniforms,
    workgroups: rowGrid(plan.device, planes),
  });
  plan.dispatch({
    label: `${label}, columns`,
    kernel: {
      shader: 'conv/fft/columns_inverse',
      constants: { ...spectrumConstants(size), ...columnLines(plan.device, size), ...sink },
    },
    tensors: {
      halfway: halfway.tensor,
      roots: halfway.columnRoots,
      planes: target,
      bias: bias ?? halfway.tensor,
      mask: mask ?? halfway.tensor,
    },
    uniforms,
    workgroups: columnGrid(plan.device, planes),
  });
}

const uniformsOf = (planes: Planes, row: number): Readonly<Record<string, number>> => {
  const [vertical, horizontal] = planes.cuts;
  return {
    first_image: planes.firstImage,
    items: itemsOf(planes),
    row,
    planes: planes.planes,
    group_planes: planes.planes / planes.groups,
    tiles_v: vertical.tiles,
    tiles_h: horizontal.tiles,
    step_v: vertical.step,
    step_h: horizontal.step,
    origin_v: vertical.origin,
    origin_h: horizontal.origin,
    reach_v: vertical.reach,
    reach_h: horizontal.reach,
    height: vertical.length,
    width: horizontal.length,
    image_stride: planes.imageStride,
    plane_stride: planes.planeStride,
  };
};

const spectrumConstants = (size: Pair, products: ComplexProducts = 'four'): Constants => ({
  T_V: size[0],
  T_H: size[1],
  GAUSS: products === 'three',
});

/** With more bytes of workgroup memory, a GPU runs too few workgroups side by side. */
const CROSSING_BYTES = 40960;
/** The same for software adapters, whose compile time grows with the size of workgroup memory. */
const SOFTWARE_BYTES = 2048;
const MAX_THREADS = 256;
/** Workgroups that keep a large GPU busy; if there are fewer, smaller ones are better. */
const BUSY_GROUPS = 512;

/** The constants of shaders/conv/fft/lengths.wgsl. */
interface Lengths extends Constants {
  /** Neighbouring tiles per workgroup, which write this many adjacent values. */
  LANES: number;
}

function lengthsOf(device: Device, planes: Planes): Lengths {
  const size = sizeOf(planes);
  const [vertical, horizontal] = size;
  const longest = Math.max(...size);
  const most = device.onProcessor ? SOFTWARE_BYTES : CROSSING_BYTES;
  const bytes = Math.min(most, device.limit('maxComputeWorkgroupStorageSize'));
  const threads = Math.min(MAX_THREADS, device.limit('maxComputeInvocationsPerWorkgroup'));
  const items = itemsOf(planes);
  const fits = (lanes: number) => (vertical / 2) * horizontal * 8 * lanes <= bytes;
  const groups = (lanes: number) => planes.planes * Math.ceil(items / lanes);
  const few = (lanes: number) =>
    !device.onProcessor && (lanes >= 2 * items || (lanes > 8 && groups(lanes) < BUSY_GROUPS));
  let lanes = 32;
  while (lanes > 1 && (!fits(lanes) || (lanes * longest) / 2 > threads || few(lanes))) lanes /= 2;
  // Neighbouring pairs of columns, and then lanes, should fall on different memory banks.
  const padding = Math.max(1, 32 / horizontal);
  return {
    V_16: vertical === 16,
    H_16: horizontal === 16,
    BETWEEN_V: vertical / 2 - 1,
    BETWEEN_H: horizontal / 2 - 1,
    LANES: lanes,
    PADDING: fits(lanes + padding) ? padding : 0,
    THREADS: (lanes * longest) / 2,
  };
}

/** Values of its lines that a workgroup holds in memory. */
const LINES_NUMBERS = 1024;

/** The constants of shaders/conv/fft/lines.wgsl. */
interface Lines extends Constants {
  /** Lines per workgroup. */
  LANES: number;
}

/** @param most the number of adjacent lines, a power of two */
function linesOf({ onProcessor }: Device, length: number, most = Infinity): Lines {
  const A = length <= 16 ? 4 : length <= 64 ? 8 : 16;
  const B = length / A;
  const numbers = onProcessor ? SOFTWARE_BYTES / 8 : LINES_NUMBERS;
  const lanes = Math.min(numbers / length, 16, most);
  return {
    A,
    B,
    A_4: A === 4,
    A_8: A === 8,
    B_4: B === 4,
    B_8: B === 8,
    // On a software adapter, the cost of a barrier grows with the number of threads.
    LANES: lanes,
    PADDING: onProcessor ? 0 : 1,
    THREADS: onProcessor ? 4 : lanes * Math.max(A, B),
  };
}

const columnLines = (device: Device, [vertical, horizontal]: Pair): Lines =>
  linesOf(device, vertical, horizontal / 2);

const columnGrid = (device: Device, planes: Planes) => {
  const size = sizeOf(planes);
  const blocks = size[1] / 2 / columnLines(device, size).LANES;
  return grid(planes.planes * itemsOf(planes) * blocks, 1);
};

const rowGrid = (device: Device, planes: Planes) => {
  const [vertical, horizontal] = sizeOf(planes);
  const blocks = Math.ceil(itemsOf(planes) / linesOf(device, horizontal).LANES);
  return grid(planes.planes * (vertical / 2) * blocks, 1);
};

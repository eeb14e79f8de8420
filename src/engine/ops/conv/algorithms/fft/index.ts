/**
 * The FFT algorithms: transforms of tiles and filters, one matrix multiplication per frequency, and inverse transforms.
 * They differ only in how they cut images into tiles.
 *
 * Mathieu, Henaff and LeCun, "Fast Training of Convolutional Networks through FFTs" (2013); Vasilache et al., "Fast
 * Convolutional Nets With fbfft" (2014).
 */
import { elements } from '../../../../../base/shape.ts';
import { planProducts } from '../../../../gemm/products.ts';
import { chooseSlices, chooseTiles } from '../../../../gemm/choose-tile.ts';
import { tileName, type Tile } from '../../../../gemm/tiles.ts';
import type { PlanBuilder, Tensor } from '../../../../plan.ts';
import type { ConvAlgorithm, ConvSetting, ConvTensors, Launch, WgradTensors } from '../../algorithm.ts';
import { biasGradientBytes, planBiasGradient } from '../../bias_gradient.ts';
import type { ConvProblem, Direction } from '../../problem.ts';
import { mostTerms } from '../../terms.ts';
import { costOf, largestBytes, sizesBytes, sizesOf, type FftSizes, type FftWay } from './sizes.ts';
import { wholeSize, type Tiling } from './tilings.ts';
import { planForward, planHalfway, planInverse, type ComplexProducts } from './transforms.ts';

/** One algorithm of this family. */
interface FftKind {
  name: string;
  summary: string;
  /** Ways to cut this problem's images, by name; or why there is none, as a clause for a message. */
  tilings(problem: ConvProblem): { name: string; tiling: Tiling }[] | string;
}

/**
 * How often three transforms round a value: two roundings for each halving, where the square root of the halvings stands for
 * the error's norm (Schatzman, "Accuracy of the discrete Fourier transform and the fast Fourier transform", 1996), and four in
 * the product of complex numbers. Fourier transforms keep norms, so no error is enlarged.
 */
function roundingsOf(tilings: ReturnType<FftKind['tilings']>): number {
  const halvings =
    typeof tilings === 'string' ? [] : tilings.map(({ tiling }) => Math.log2(elements(tiling.size)));
  return 3 * 2 * Math.max(0, ...halvings) + 4;
}

const fftAlgorithm = (kind: FftKind): ConvAlgorithm => ({
  name: kind.name,
  summary: kind.summary,
  exact: false,
  sum: (problem, direction) => ({
    terms: mostTerms(problem, direction),
    transforms: { roundings: roundingsOf(kind.tilings(problem)), enlarged: 1 },
  }),
  layouts: ['nchw'],

  unsupported(setting, direction) {
    const ways = waysOf(kind, setting, direction);
    return typeof ways === 'string' ? ways : undefined;
  },

  fprop: (setting) =>
    launches(kind, setting, 'fprop', (plan, label, chosen, { x, w, y, bias, relu }) => {
      planThroughFilters(plan, label, chosen, { from: x, w, to: y, bias, relu });
    }),

  dgrad: (setting) =>
    launches(kind, setting, 'dgrad', (plan, label, chosen, { dy, w, dx, mask }) => {
      planThroughFilters(plan, label, chosen, { from: dy, w, to: dx, mask });
    }),

  wgrad: (setting) => launches(kind, setting, 'wgrad', planFilterGradient),
});

/** The largest transform of whole images. */
const LARGEST = 256;

const fft = fftAlgorithm({
  name: 'fft',
  summary: 'FFT of whole images, for filters that are large relative to the image.',
  tilings(problem) {
    const size = wholeSize(problem);
    const name = size.join('x');
    if (Math.max(...size) > LARGEST) {
      return `it supports transforms up to ${LARGEST}x${LARGEST}, and this image needs ${name}`;
    }
    return [{ name: `${name} points`, tiling: { size, whole: true } }];
  },
});

const TILE_SIZES = [16, 32];

const fftTiling = fftAlgorithm({
  name: 'fft_tiling',
  summary: 'FFT of overlapping 16x16 or 32x32 tiles, for filters of 5x5 and larger.',
  tilings({ R, S }) {
    const sizes = TILE_SIZES.filter((size) => Math.max(R, S) < size);
    if (sizes.length === 0) return `it requires filters smaller than 32x32, got ${R}x${S}`;
    return sizes.map((size) => ({ name: `tile ${size}`, tiling: { size: [size, size], whole: false } }));
  },
});

export default [fft, fftTiling];

/** A way, with the images and slices per chunk that fit the workspace. */
interface Fitted {
  way: FftWay;
  /** For a whole chunk of images; the last may be smaller. */
  sizes: FftSizes;
  images: number;
  /** Parts of sums over images; 1 except for wgrad. */
  slices: number;
}

interface Chosen extends Fitted {
  tile: Tile;
}

const MAX_LAUNCHES = 24;

function launches<D extends Direction>(
  kind: FftKind,
  setting: ConvSetting,
  direction: D,
  add: (plan: PlanBuilder, label: string, chosen: Chosen, tensors: ConvTensors[D]) => void,
): Launch<D>[] {
  const ways = waysOf(kind, setting, direction);
  if (typeof ways === 'string') return [];
  return ways.flatMap(({ name, way, sizes }) =>
    chooseTiles(setting.device, sizes.product, 'f32')
      .slice(0, Math.floor(MAX_LAUNCHES / ways.length))
      .map((tile): Launch<D> => {
        const chosen = { ...fitted(way, tile), tile };
        const slices = direction === 'wgrad' ? `, ${chosen.slices} slices` : '';
        return {
          name: `${name}, ${tileName(tile)}${slices}`,
          workspaceBytes: workspaceBytes(chosen),
          add: (plan, label, tensors) => add(plan, label, chosen, tensors),
        };
      }),
  );
}

/** Ways whose predicted cost is this many times the lowest are not tried. */
const HOPELESS = 3;

const PRODUCTS: readonly ComplexProducts[] = ['four', 'three'];

/** Matrix multiplications side by side in one dispatch. */
const MAX_PRODUCTS = 65535;

const megabytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MB`;

/** The ways that fit this setting, best guess first; or the reason why there is none. */
function waysOf(
  kind: FftKind,
  setting: ConvSetting,
  direction: Direction,
): (Fitted & { name: string })[] | string {
  const { device, problem, workspace } = setting;
  const { stride, dilation } = problem;
  if (Math.max(...stride) > 1) return `it requires stride 1, got ${stride.join('x')}`;
  if (Math.max(...dilation) > 1) {
    return `it does not support dilation, got ${dilation.join('x')}`;
  }
  const tilings = kind.tilings(problem);
  if (typeof tilings === 'string') return tilings;
  // On software adapters, compiling takes longer than computing.
  const ways = tilings
    .slice(0, device.onProcessor ? 1 : undefined)
    .flatMap(({ name, tiling }) =>
      PRODUCTS.map((products) => ({
        name: `${name}, ${products} products`,
        ...fitted({ setting, direction, tiling, products }),
      })),
    );
  const countable = ways.filter(({ sizes }) => sizes.product.count <= MAX_PRODUCTS);
  if (countable.length === 0) {
    const count = Math.min(...ways.map(({ sizes }) => sizes.product.count));
    return `it needs ${count} matrix multiplications per dispatch, limit ${MAX_PRODUCTS}`;
  }
  const roomy = countable.filter((one) => workspaceBytes(one) <= workspace);
  if (roomy.length === 0) {
    const least = megabytes(Math.min(...countable.map(workspaceBytes)));
    return `it needs ${least} of workspace even for one image, limit ${megabytes(workspace)}`;
  }
  const bindable = roomy.filter(({ sizes }) => largestBytes(sizes, 1) <= largestBinding(setting));
  if (bindable.length === 0) {
    const largest = megabytes(Math.min(...roomy.map(({ sizes }) => largestBytes(sizes, 1))));
    return `it needs a buffer of ${largest}, device limit ${megabytes(largestBinding(setting))}`;
  }
  const cost = ({ sizes, images }: Fitted) => (costOf(sizes) * problem.N) / images;
  bindable.sort((a, b) => cost(a) - cost(b));
  return bindable.filter((one) => cost(one) <= HOPELESS * cost(bindable[0]));
}

const largestBinding = ({ device }: ConvSetting): number =>
  Math.min(device.limit('maxStorageBufferBindingSize'), device.limit('maxBufferSize'));

const workspaceBytes = ({ way, sizes, slices }: Fitted): number => sizesBytes(sizes, slices) + biasBytes(way);

const biasBytes = ({ direction, setting }: FftWay): number =>
  direction === 'wgrad' ? biasGradientBytes(setting) : 0;

/**
 * As many images at a time as fit, at least one. Sums over images get at least half of the slices that `tile` would
 * have.
 */
function fitted(way: FftWay, tile?: Tile): Fitted {
  const { setting, direction } = way;
  const { N } = setting.problem;
  for (let chunks = 1; ; chunks++) {
    const images = Math.ceil(N / chunks);
    const sizes = sizesOf(way, images);
    const { product } = sizes;
    const wanted =
      tile && direction === 'wgrad'
        ? Math.min(chooseSlices(setting.device, tile, product), Math.floor(MAX_PRODUCTS / product.count))
        : 1;
    const least = images === 1 ? 1 : Math.ceil(wanted / 2);
    for (let slices = wanted; slices >= least; slices--) {
      const one = { way, sizes, images, slices };
      const room = workspaceBytes(one) <= setting.workspace;
      if (room && largestBytes(sizes, slices) <= largestBinding(setting)) return one;
    }
    if (images === 1) return { way, sizes, images, slices: 1 };
  }
}

/** Calls `each` for every chunk of images, with its range and whether it is the first. */
function forChunks(
  { way, sizes, images }: Fitted,
  each: (sizes: FftSizes, firstImage: number) => void,
): void {
  const { N } = way.setting.problem;
  for (let first = 0; first < N; first += images) {
    each(N - first < images ? sizesOf(way, N - first) : sizes, first);
  }
}

interface ThroughFilters {
  from: Tensor;
  w: Tensor;
  to: Tensor;
  bias?: Tensor;
  relu?: boolean;
  mask?: Tensor;
}

/** fprop and dgrad: images times filters. dgrad's left factors are fprop's, transposed. */
function planThroughFilters(
  plan: PlanBuilder,
  label: string,
  chosen: Chosen,
  { from, w, to, bias, relu, mask }: ThroughFilters,
): void {
  const { way, sizes, tile } = chosen;
  const { products, direction } = way;
  const { image, other, result, halfway } = workspaceTensors(plan, label, chosen);
  const filters = sizes.planes.other;
  planForward(plan, `${label} filters`, {
    planes: filters,
    source: w,
    spectra: other,
    halfway,
    products,
    role: 'filter',
    conjugate: direction === 'fprop',
  });
  forChunks(chosen, ({ planes, product }, firstImage) => {
    planForward(plan, `${label} tiles`, {
      planes: { ...planes.image, firstImage },
      source: from,
      spectra: image,
      halfway,
      products,
      role: 'right',
    });
    planProducts(plan, `${label} products`, {
      ...product,
      tile,
      a: other,
      aAlongK: direction === 'fprop',
      b: image,
      bAlongK: false,
      c: result,
    });
    planInverse(plan, `${label} back`, {
      planes: { ...planes.result, firstImage },
      spectra: result,
      target: to,
      halfway,
      products,
      bias,
      relu,
      mask,
    });
  });
}

/** wgrad: images times gradients, summed over tiles. */
function planFilterGradient(
  plan: PlanBuilder,
  label: string,
  chosen: Chosen,
  { dy, x, dw, db }: WgradTensors,
): void {
  const { way, tile, slices } = chosen;
  const { products, setting } = way;
  const { image, other, result, halfway } = workspaceTensors(plan, label, chosen);
  forChunks(chosen, ({ planes, product }, firstImage) => {
    planForward(plan, `${label} tiles`, {
      planes: { ...planes.image, firstImage },
      source: x,
      spectra: image,
      halfway,
      products,
      role: 'right',
    });
    planForward(plan, `${label} gradients`, {
      planes: { ...planes.other, firstImage },
      source: dy,
      spectra: other,
      halfway,
      products,
      role: 'left',
      conjugate: true,
    });
    planProducts(plan, `${label} products`, {
      ...product,
      tile,
      slices,
      a: other,
      aAlongK: true,
      b: image,
      bAlongK: true,
      c: result,
    });
    planInverse(plan, `${label} back`, {
      planes: planes.result,
      spectra: result,
      target: dw,
      halfway,
      products,
      slices,
      filter: true,
      add: firstImage > 0,
    });
  });
  if (db) planBiasGradient(plan, `${label} bias`, setting, dy, db);
}

function workspaceTensors(plan: PlanBuilder, label: string, { way, sizes, slices }: Fitted) {
  const { spectra, halfway } = sizes;
  return {
    image: plan.tensor(`${label} image spectra`, spectra.image),
    other: plan.tensor(`${label} other spectra`, spectra.other),
    result: plan.tensor(`${label} result spectra`, [slices, ...spectra.result]),
    halfway: elements(halfway) > 0 ? planHalfway(plan, label, halfway, way.tiling.size) : undefined,
  };
}

import { expect, test } from 'vitest';
import { elements, type Shape, type Pair } from '../../../../../base/shape.ts';
import { expectClose } from '../../../../testing/check.ts';
import { normals } from '../../../../testing/fixtures.ts';
import { runPlan, testDevice } from '../../../../testing/gpu.ts';
import type { Cut } from './tilings.ts';
import {
  frequencies,
  itemsOf,
  planForward,
  planHalfway,
  planInverse,
  spectraShape,
  type Planes,
} from './transforms.ts';

/** Two complex lists: real parts, imaginary parts. */
type Complex = [Float64Array, Float64Array];

/** From the definition, along lines of `length` values, `stride` apart. */
function dft([re, im]: Complex, length: number, stride: number): Complex {
  const result: Complex = [new Float64Array(re.length), new Float64Array(re.length)];
  for (let at = 0; at < re.length; at++) {
    const k = Math.floor(at / stride) % length;
    const start = at - k * stride;
    for (let n = 0; n < length; n++) {
      const angle = (-2 * Math.PI * ((k * n) % length)) / length;
      const [a, b] = [re[start + n * stride], im[start + n * stride]];
      result[0][at] += a * Math.cos(angle) - b * Math.sin(angle);
      result[1][at] += a * Math.sin(angle) + b * Math.cos(angle);
    }
  }
  return result;
}

/** The stored frequencies, in order: see shaders/conv/fft/tiles.wgsl. */
function kept([vertical, horizontal]: Pair): Pair[] {
  const [bottom, middle] = [vertical / 2, horizontal / 2];
  const first = Array.from({ length: horizontal }, (_, v): Pair =>
    v <= middle ? [0, v] : [bottom, horizontal - v],
  );
  const others = Array.from({ length: (bottom - 1) * horizontal }, (_, i): Pair => [
    1 + Math.floor(i / horizontal),
    i % horizontal,
  ]);
  return [...first, ...others, [bottom, 0], [bottom, middle]];
}

const IMAGES = 4;
const PLANES = 4;

/** Tiles that overlap, start before the plane and end behind it. */
function planesOf([vertical, horizontal]: Pair): Planes {
  const cut = (size: number, tiles: number, origin: number): Cut => ({
    size,
    tiles,
    step: size - 3,
    origin,
    reach: size,
    length: tiles * (size - 3) + 1,
  });
  const cuts = [cut(vertical, 2, -2), cut(horizontal, 1, -1)] as const;
  const numbers = cuts[0].length * cuts[1].length;
  return {
    cuts,
    firstImage: 1,
    images: IMAGES - 1,
    planes: PLANES,
    groups: 2,
    number: 'f32',
    imageStride: PLANES * numbers,
    planeStride: numbers,
  };
}

/** Spectra of four products' right factor, from the definition. */
function reference(planes: Planes, data: ArrayLike<number>): Float64Array {
  const { cuts, firstImage, imageStride, planeStride } = planes;
  const [vertical, horizontal] = cuts;
  const size: Pair = [vertical.size, horizontal.size];
  const shape = spectraShape(planes, 'four', false);
  const row = shape[3];
  const spectra = new Float64Array(elements(shape));
  for (let plane = 0; plane < planes.planes; plane++) {
    for (let item = 0; item < itemsOf(planes); item++) {
      const image = firstImage + Math.floor(item / 2);
      const [top, left] = [(item % 2) * vertical.step + vertical.origin, horizontal.origin];
      const tile: Complex = [new Float64Array(size[0] * size[1]), new Float64Array(size[0] * size[1])];
      for (let i = 0; i < size[0]; i++) {
        for (let j = 0; j < size[1]; j++) {
          const [h, w] = [top + i, left + j];
          if (h < 0 || w < 0 || h >= vertical.length || w >= horizontal.length) continue;
          const at = image * imageStride + plane * planeStride + h * horizontal.length + w;
          tile[0][i * size[1] + j] = data[at];
        }
      }
      const [re, im] = dft(dft(tile, size[1], 1), size[0], size[1]);
      kept(size).forEach(([u, v], f) => {
        const group = Math.floor(plane / 2);
        const at = ((f * 2 + group) * 4 + (plane % 2)) * row + item;
        spectra[at] = re[u * size[1] + v];
        spectra[at + 2 * row] = im[u * size[1] + v];
      });
    }
  }
  return spectra;
}

/** SwiftShader compiles every length once, in a pass for both axes or for one; the CPU engine all of these. */
const cases: { size: Pair; passes: number; again?: boolean }[] = [
  { size: [16, 16], passes: 1 },
  { size: [16, 32], passes: 1, again: true },
  { size: [32, 16], passes: 1, again: true },
  { size: [32, 32], passes: 1 },
  { size: [16, 32], passes: 2, again: true },
  { size: [64, 16], passes: 2 },
  { size: [32, 128], passes: 2 },
  { size: [16, 256], passes: 2 },
];
const { software } = (await testDevice()).adapter;

test.each(cases.filter(({ again }) => !software || !again))(
  '$size points in $passes passes, there and back',
  async ({ size, passes }) => {
    const planes = planesOf(size);
    const shape: Shape = [IMAGES, PLANES, planes.cuts[0].length, planes.cuts[1].length];
    const source = normals(1, shape);
    const spectraSize = spectraShape(planes, 'four', false);
    expect(spectraSize[0]).toBe(frequencies(size));
    // Each tile writes only its own values.
    const inner = (cut: Cut): Cut => ({ ...cut, reach: cut.step });
    const back: Planes = { ...planes, cuts: [inner(planes.cuts[0]), inner(planes.cuts[1])] };
    const { spectra, target } = await runPlan({
      inputs: { source },
      outputs: { spectra: spectraSize, target: { shape, data: new Float32Array(elements(shape)) } },
      build: (plan, t) => {
        const halfwayShape = [PLANES, itemsOf(planes), size[0] / 2, size[1], 2];
        const halfway = passes === 2 ? planHalfway(plan, 'two passes', halfwayShape, size) : undefined;
        const common = { spectra: t.spectra, halfway, products: 'four' } as const;
        planForward(plan, 'there', { ...common, planes, source: t.source, role: 'right' });
        planInverse(plan, 'back', { ...common, planes: back, target: t.target });
      },
    });
    expectClose('spectra', written(spectra, planes), written(reference(planes, source.data), planes), 1e-6);
    // The first image and values after the last tile do not change.
    const first = planes.firstImage * planes.imageStride;
    const [height, width] = [shape[2], shape[3]];
    const expected = source.data.map((number, at) => {
      const [h, w] = [Math.floor(at / width) % height, at % width];
      const inside = h < 2 * planes.cuts[0].step && w < planes.cuts[1].step;
      return at >= first && inside ? number : 0;
    });
    expectClose('numbers', target, expected, 1e-6);
  },
);

/** Without the padding at the end of rows, which is never written. */
function written(spectra: Float32Array | Float64Array, planes: Planes): Float64Array {
  const row = spectraShape(planes, 'four', false)[3];
  return new Float64Array(spectra).filter((_, at) => at % row < itemsOf(planes));
}

/**
 * Histograms of weights, of their gradients in the last step, and of layers' outputs for some training images. Their plan
 * runs on request, apart from training steps, and uses the step's memory: a run that nobody asks costs nothing.
 */
import { owning, type Owned } from '../base/owned.ts';
import { elements, type Shape } from '../base/shape.ts';
import type { HistogramKind } from '../run/metrics/histograms.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import { gathered, writtenRing } from './batch.ts';
import { buildForward, type Layer } from './network.ts';
import type { ParameterStore } from './parameters.ts';
import { grid, placedIn, PlanBuilder, type Plan, type Tensor } from './plan.ts';
import type { DeviceSamples } from './samples.ts';

export interface HistogramsOptions {
  /** The network for a number of images. @param input [N, C, H, W] */
  layers(input: Shape): readonly Layer[];
  /** [C, H, W] */
  input: Shape;
  /** With gradients. */
  parameters: ParameterStore;
  /** Some of them go through the network. */
  samples: DeviceSamples;
  readback: Readback;
  /** A plan whose memory this one may share. */
  within: Plan;
}

/** As the kernel counts, by `binEdge`. */
export interface RawHistogram {
  kind: HistogramKind;
  layer: string;
  counts: Uint32Array<ArrayBuffer>;
  /** What the counted values were multiplied by: gradients of a scaled loss. */
  scale: number;
}

/** Images whose activations are counted, at most. */
const IMAGES = 64;

/** As in shaders/measures/histogram.wgsl. */
const SHIFT = 19;
const SMALLEST = 1648;
const LARGEST = 2416;
const HALF = LARGEST - SMALLEST;
export const BINS = 2 * HALF + 2;
/** The bin of values near 0, and that of values that are not finite. */
export const ZERO = HALF;
export const BROKEN = BINS - 1;
const PIECE = 4096;

const word = new DataView(new ArrayBuffer(4));

/** The size of the numbers at the inner end of the bin that is `place` bins from that of 0. */
function sizeAt(place: number): number {
  word.setUint32(0, (SMALLEST + place) << SHIFT);
  return word.getFloat32(0);
}

/** The numbers that a bin counts: from the first to before the second, by size. Not for the last bin. */
export function binEdges(bin: number): readonly [least: number, most: number] {
  if (bin === ZERO) return [-sizeAt(0), sizeAt(0)];
  if (bin > ZERO) return [sizeAt(bin - ZERO - 1), sizeAt(bin - ZERO)];
  return [-sizeAt(ZERO - bin), -sizeAt(ZERO - bin - 1)];
}

/** The bin of a number: what the kernel computes. */
export function binOf(value: number): number {
  word.setFloat32(0, value);
  const bits = word.getUint32(0);
  const size = (bits & 0x7fffffff) >>> SHIFT;
  if (size >= 0x7f800000 >>> SHIFT) return BROKEN;
  if (size < SMALLEST) return ZERO;
  const place = Math.min(size, LARGEST - 1) - SMALLEST;
  return bits >>> 31 === 1 ? HALF - 1 - place : HALF + 1 + place;
}

/** Adds a histogram of a tensor to `plan`. @param first the first of its bins in `counts`, which were cleared before */
export function countValues(
  plan: PlanBuilder,
  label: string,
  x: Tensor,
  counts: Tensor,
  first: number,
): void {
  const count = elements(x.shape);
  plan.dispatch({
    label: `histogram of ${label}`,
    kernel: { shader: 'measures/histogram' },
    tensors: { x, counts },
    uniforms: { count, first },
    workgroups: grid(count, PIECE),
  });
}

export class Histograms {
  private constructor(
    private readonly device: Device,
    private readonly plan: Plan,
    private readonly counts: GpuBuffer,
    private readonly counted: readonly Omit<RawHistogram, 'counts' | 'scale'>[],
    private readonly options: HistogramsOptions,
    private readonly owned: Owned,
  ) {}

  static async create(device: Device, options: HistogramsOptions): Promise<Histograms> {
    const { input, parameters, samples, within } = options;
    const batch = Math.min(IMAGES, samples.count);
    const shape = [batch, ...input];
    const layers = options.layers(shape);
    const weights = parameters.layout.entries.filter(({ narrow }) => narrow);
    const most = layers.length + 2 * weights.length;
    return owning(async (owned) => {
      const counts = owned.own(await device.ledger.storage('histograms', most * BINS * 4));
      const indices = Uint32Array.from({ length: batch }, (_, i) => Math.floor((i * samples.count) / batch));
      const ring = await writtenRing(device, batch, [{ metricsSlot: 0, indices }]);
      owned.own(ring.buffer);

      const builder = new PlanBuilder(device, 'histograms');
      const all = placedIn(counts, [most * BINS]);
      const counted: Omit<RawHistogram, 'counts' | 'scale'>[] = [];
      const add = (kind: HistogramKind, layer: string, x: Tensor) => {
        countValues(builder, `${kind} of ${layer}`, x, all, counted.length * BINS);
        counted.push({ kind, layer });
      };
      for (const { name, layer } of weights) {
        add('weights', layer, parameters.trained.parameters(name));
        add('gradients', layer, parameters.gradient(name));
      }
      const { x } = gathered(builder, samples, shape);
      await buildForward(builder, layers, x, {
        ...parameters.forInference,
        training: false,
        onOutput: (layer, output) => add('activations', layer, output),
      });
      const plan = owned.own(await builder.compile(ring, { within }));
      return new Histograms(device, plan, counts, counted, options, owned);
    });
  }

  /** Counts everything, in one submit and one read-back. */
  async count(): Promise<RawHistogram[]> {
    const { device, plan, counts, counted, options } = this;
    const { parameters, readback } = options;
    device.requireAlive();
    device.queue.writeBuffer(counts.raw, 0, new Uint32Array(counted.length * BINS));
    plan.run();
    const home = parameters.scaling?.storage.home;
    const [bytes, scaling] = await Promise.all([
      readback.read({ buffer: counts, offset: 0, bytes: counted.length * BINS * 4 }),
      home && readback.floats({ ...home, bytes: 8 }),
    ]);
    return counted.map((one, i) => ({
      ...one,
      counts: new Uint32Array(bytes, i * BINS * 4, BINS).slice(),
      scale: one.kind === 'gradients' ? (scaling?.[0] ?? 1) : 1,
    }));
  }

  destroy(): void {
    this.owned.destroy();
  }
}

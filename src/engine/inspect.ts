/**
 * Inspection of a network: every layer's output for one image, and the weights that produced it. It copies all
 * parameters and runs the network on the copy in one submit, so everything read later is consistent, however far the
 * run has trained meanwhile. The results stay on the GPU until the next inspection and are read on demand.
 */
import { assert } from '../base/assert.ts';
import { elements, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import { IMAGES, type Layer } from './graph.ts';
import {
  buildForward,
  inferShapes,
  layoutParameters,
  type LayerShape,
  type TensorLookup,
} from './network.ts';
import { problemOf, type ConvAttributes } from './ops/conv/index.ts';
import { workOutPixel, type ConvPlace, type WorkedPixel } from './ops/conv/pixel.ts';
import type { ConvProblem } from './ops/conv/problem.ts';
import { placed, placedIn, PlanBuilder, tensorBytes, type Plan, type Tensor } from './plan.ts';

export interface InspectorOptions {
  layers: readonly Layer[];
  /** [C, H, W] */
  input: Shape;
  /** The tensors used for inference, by state_dict names. */
  parameters: TensorLookup;
  buffers: TensorLookup;
}

/** One value of a feature map, with the terms of its sum and the value that the network computed. */
export interface ExplainedPixel extends WorkedPixel {
  /** The value computed by the network's kernel. */
  network: number;
  /** |sum - network| over the larger of `magnitude` and the map's largest value. */
  error: number;
}

/** The overview of each layer: the values of its first channels. */
export type Overviews = readonly Float32Array<ArrayBuffer>[];

/** Most values of a layer in an overview; at least one channel is shown. */
const OVERVIEW_VALUES = 4096;
const OVERVIEW_CHANNELS = 4;

/** Channels of `shape` ([N, C, ...]) in an overview. Vectors are shown whole, up to OVERVIEW_VALUES values. */
export function overviewChannels([, channels, ...plane]: Shape): number {
  if (plane.length === 0) return Math.min(channels, OVERVIEW_VALUES);
  const fit = Math.floor(OVERVIEW_VALUES / elements(plane));
  return Math.max(1, Math.min(channels, OVERVIEW_CHANNELS, fit));
}

/** A part of the overview buffer: its offset, and the source tensor. */
interface Strip {
  from: Tensor;
  bytes: number;
  offset: number;
}

interface InspectorParts {
  device: Device;
  shapes: readonly LayerShape[];
  images: { buffer: GpuBuffer; tensor: Tensor };
  outputs: readonly Tensor[];
  plan: Plan;
  /** The run's buffers, each with the copy that this network runs on. */
  copies: ReadonlyMap<GpuBuffer, GpuBuffer>;
  parameters: TensorLookup;
  strips: readonly Strip[];
  overview: GpuBuffer;
  readback: Readback;
}

export class Inspector {
  private constructor(private readonly parts: InspectorParts) {}

  /** @param readback of the same device; the caller still owns it */
  static async create(
    device: Device,
    { layers, input, parameters, buffers }: InspectorOptions,
    readback: Readback,
  ): Promise<Inspector> {
    const made: { destroy(): void }[] = [];
    const own = <T extends { destroy(): void }>(thing: T): T => (made.push(thing), thing);
    try {
      const shapes = inferShapes(layers, [1, ...input]);
      const layout = layoutParameters(shapes);
      const copies = new Map<GpuBuffer, GpuBuffer>();
      const copy = async (tensor: Tensor) => {
        const { home } = tensor.storage;
        assert(home !== undefined, `${tensor.label} lies in a plan`);
        if (copies.has(home.buffer)) return;
        const { label, bytes } = home.buffer;
        copies.set(home.buffer, own(await device.ledger.storage(`copied ${label}`, bytes)));
      };
      for (const { name } of layout.entries) await copy(parameters(name));
      for (const { name } of layout.buffers.entries) await copy(buffers(name));
      const copied =
        (lookup: TensorLookup): TensorLookup =>
        (name) => {
          const { label, shape, type, storage } = lookup(name);
          const buffer = storage.home && copies.get(storage.home.buffer);
          assert(storage.home !== undefined && buffer !== undefined, `${name} was not copied`);
          return placed(label, shape, { ...storage.home, buffer }, type);
        };
      const buffer = own(await device.ledger.storage('image to inspect', elements(input) * 4));
      const tensor = placedIn(buffer, [1, ...input]);
      const builder = new PlanBuilder(device, 'inspect');
      const { outputs } = buildForward(builder, layers, tensor, {
        parameters: copied(parameters),
        buffers: copied(buffers),
        training: false,
        fuse: false,
      });
      for (const output of outputs) builder.keep(output);
      const plan = own(await builder.compile());
      let end = 0;
      const strips = [tensor, ...outputs].map((from): Strip => {
        const { shape, type } = from;
        const channels = overviewChannels(shape);
        const bytes = tensorBytes({ shape: [channels, ...shape.slice(2)], type });
        const offset = end;
        end += Math.ceil(bytes / 4) * 4;
        return { from, bytes, offset };
      });
      return new Inspector({
        device,
        shapes,
        images: { buffer, tensor },
        outputs,
        plan,
        copies,
        parameters: copied(parameters),
        strips,
        overview: own(await device.ledger.storage('overview', end)),
        readback,
      });
    } catch (error) {
      for (const thing of made) thing.destroy();
      throw error;
    }
  }

  /** Of all layers, for one image. */
  get shapes(): readonly LayerShape[] {
    return this.parts.shapes;
  }

  /**
   * Copies the current parameters and runs the network on an image, in one submit, without waiting.
   * @param image C x H x W values, normalised
   */
  look(image: Float32Array<ArrayBuffer>): void {
    const { device, images, plan, copies, strips, overview } = this.parts;
    assert(image.length === elements(images.tensor.shape), `an image of ${image.length} numbers`);
    device.requireAlive();
    device.queue.writeBuffer(images.buffer.raw, 0, image);
    const encoder = device.raw.createCommandEncoder();
    for (const [from, to] of copies) encoder.copyBufferToBuffer(from.raw, 0, to.raw, 0, to.bytes);
    const pass = encoder.beginComputePass();
    plan.encode(pass);
    pass.end();
    for (const { from, bytes, offset } of strips) {
      const range = this.rangeOf(from);
      encoder.copyBufferToBuffer(range.buffer.raw, range.offset, overview.raw, offset, bytes);
    }
    device.queue.submit([encoder.finish()]);
  }

  /** Of the last inspection: the first channels of the image and of every layer, in one read-back. */
  async overviews(): Promise<{ images: Float32Array<ArrayBuffer>; layers: Overviews }> {
    const { strips, overview, readback } = this.parts;
    const last = strips[strips.length - 1];
    const bytes = last.offset + last.bytes;
    const all = await readback.floats({ buffer: overview, offset: 0, bytes });
    const [images, ...layers] = strips.map((strip) =>
      all.slice(strip.offset / 4, (strip.offset + strip.bytes) / 4),
    );
    return { images, layers };
  }

  /** Of the last inspection: a layer's whole output, or the image for IMAGES. */
  output(place: number): Promise<Float32Array<ArrayBuffer>> {
    const tensor = place === IMAGES ? this.parts.images.tensor : this.parts.outputs[place];
    return this.parts.readback.floats(this.rangeOf(tensor));
  }

  /** A parameter at the last inspection, by its state_dict name. */
  parameter(name: string): Promise<Float32Array<ArrayBuffer>> {
    const tensor = this.parts.parameters(name);
    const { home } = tensor.storage;
    assert(home !== undefined, `${name} lies in a plan`);
    return this.parts.readback.floats({ ...home, bytes: tensorBytes(tensor) });
  }

  /** A convolution layer's sizes; undefined for other layers. */
  problem(place: number): ConvProblem | undefined {
    const { layer, op, input } = this.shapes[place];
    return op.name === 'conv' ? problemOf(layer.attributes as unknown as ConvAttributes, input) : undefined;
  }

  /** Of the last inspection: a convolution's weights and, if it has one, its bias. */
  async filters(
    place: number,
  ): Promise<{ weights: Float32Array<ArrayBuffer>; bias?: Float32Array<ArrayBuffer> }> {
    const { layer, parameters } = this.shapes[place];
    const has = parameters.some(({ name }) => name === 'bias');
    const [weights, bias] = await Promise.all([
      this.parameter(`${layer.name}.weight`),
      has ? this.parameter(`${layer.name}.bias`) : undefined,
    ]);
    return { weights, ...(bias ? { bias } : {}) };
  }

  /** Of the last inspection: one value of a convolution's output, and the terms of its sum. */
  async pixel(layer: number, at: ConvPlace): Promise<ExplainedPixel> {
    const problem = this.problem(layer);
    assert(problem !== undefined, `${this.shapes[layer].layer.name} is no convolution`);
    const [x, y, { weights, bias }] = await Promise.all([
      this.output(this.shapes[layer].sources[0]),
      this.output(layer),
      this.filters(layer),
    ]);
    const worked = workOutPixel(problem, x, weights, bias, at);
    const { P, Q } = problem;
    const map = y.subarray(at.k * P * Q, (at.k + 1) * P * Q);
    const network = map[at.p * Q + at.q];
    const scale = map.reduce((most, value) => Math.max(most, Math.abs(value)), worked.magnitude);
    const difference = Math.abs(worked.sum - network);
    return { ...worked, network, error: difference === 0 ? 0 : difference / scale };
  }

  destroy(): void {
    const { plan, images, overview, copies } = this.parts;
    const owned = [plan, images.buffer, overview, ...copies.values()];
    for (const thing of owned) thing.destroy();
  }

  private rangeOf(tensor: Tensor) {
    const { home } = tensor.storage;
    return home ? { ...home, bytes: tensorBytes(tensor) } : this.parts.plan.rangeOf(tensor);
  }
}

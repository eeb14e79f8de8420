/**
 * Inspection of a network: every layer's output for one image, and the weights that produced it. It copies all
 * parameters and runs the network on the copy in one submit, so everything read later is consistent, however far the
 * run has trained meanwhile. The results stay on the GPU until the next inspection and are read on demand.
 */
import { OnDemand, owning, type Owned } from '../base/owned.ts';
import { assert } from '../base/assert.ts';
import { elements, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import { ClassGradients } from './class-gradients.ts';
import { FeaturePass } from './feature-pass.ts';
import { IMAGES, type Layer } from './graph.ts';
import { buildForward, inferShapes, layoutParameters, type LayerShape } from './network.ts';
import { problemOf, type ConvAttributes } from './ops/conv/index.ts';
import { workOutPixel, type OutputPosition, type WorkedPixel } from './ops/conv/pixel.ts';
import type { ConvProblem } from './ops/conv/problem.ts';
import { ParameterCopy, type NetworkState } from './parameter-copy.ts';
import { placedIn, PlanBuilder, tensorBytes, type Plan, type Tensor } from './plan.ts';

/** `parameters` and `buffers` are the tensors used for inference, by state_dict names. */
export interface InspectorOptions extends NetworkState {
  /** The network for a number of images, with the chosen convolution algorithms. @param input [N, C, H, W] */
  layers(input: Shape): readonly Layer[];
  /** [C, H, W] */
  input: Shape;
}

/** One value of a feature map, with the terms of its sum and the value that the network computed. */
export interface ExplainedPixel extends WorkedPixel {
  /** The value computed by the network's kernel. */
  network: number;
  /** |sum - network| over the larger of `magnitude` and the map's largest value. */
  error: number;
}

/** Most values of a layer in an overview; at least one channel is shown. */
const OVERVIEW_VALUES = 2 ** 16;
const OVERVIEW_CHANNELS = 16;
/** Most values of a vector. */
const OVERVIEW_VECTOR = 1024;

/** Channels of `shape` ([N, C, ...]) in an overview. */
export function overviewChannels([, channels, ...plane]: Shape): number {
  if (elements(plane) === 1) return Math.min(channels, OVERVIEW_VECTOR);
  const fit = Math.floor(OVERVIEW_VALUES / elements(plane));
  return Math.max(1, Math.min(channels, OVERVIEW_CHANNELS, fit));
}

interface InspectorParts {
  device: Device;
  options: InspectorOptions;
  shapes: readonly LayerShape[];
  images: { buffer: GpuBuffer; tensor: Tensor };
  outputs: readonly Tensor[];
  plan: Plan;
  copy: ParameterCopy;
  /** Room for every layer's overview. */
  overview: GpuBuffer;
  readback: Readback;
  owned: Owned;
}

/** Bytes of the first channels of a tensor, a multiple of four. */
function overviewBytes({ shape, type }: Pick<Tensor, 'shape' | 'type'>): number {
  const bytes = tensorBytes({ shape: [overviewChannels(shape), ...shape.slice(2)], type });
  return Math.ceil(bytes / 4) * 4;
}

export class Inspector {
  private constructor(private readonly parts: InspectorParts) {}

  private readonly gradients = new OnDemand(() => {
    const { device, options, images, copy, readback } = this.parts;
    const layers = options.layers([1, ...options.input]);
    return ClassGradients.create(device, { layers, image: images.tensor, state: copy, readback });
  });
  private readonly featurePass = new OnDemand(() => {
    const { device, options, copy, readback } = this.parts;
    const { layers, input } = options;
    return FeaturePass.create(device, { layers, input, state: copy, readback });
  });

  /** @param readback of the same device; the caller still owns it */
  static async create(device: Device, options: InspectorOptions, readback: Readback): Promise<Inspector> {
    return owning(async (owned) => {
      const { own } = owned;
      const { input } = options;
      const layers = options.layers([1, ...input]);
      const shapes = inferShapes(layers, [1, ...input]);
      const copy = own(await ParameterCopy.create(device, layoutParameters(shapes), options));
      const buffer = own(await device.ledger.storage('image to inspect', elements(input) * 4));
      const tensor = placedIn(buffer, [1, ...input]);
      const builder = new PlanBuilder(device, 'inspect');
      const { parameters, buffers } = copy;
      const { outputs } = buildForward(builder, layers, tensor, {
        parameters,
        buffers,
        training: false,
        fuse: false,
      });
      for (const output of outputs) builder.keep(output);
      const plan = own(await builder.compile());
      const end = [tensor, ...outputs].reduce((sum, from) => sum + overviewBytes(from), 0);
      return new Inspector({
        device,
        options,
        shapes,
        images: { buffer, tensor },
        outputs,
        plan,
        copy,
        overview: own(await device.ledger.storage('overview', end)),
        readback,
        owned,
      });
    });
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
    const { device, images, plan, copy } = this.parts;
    assert(image.length === elements(images.tensor.shape), `an image of ${image.length} numbers`);
    device.requireAlive();
    device.queue.writeBuffer(images.buffer.raw, 0, image);
    const encoder = device.raw.createCommandEncoder();
    copy.encode(encoder);
    const pass = encoder.beginComputePass();
    plan.encode(pass);
    pass.end();
    device.queue.submit([encoder.finish()]);
  }

  /**
   * Of the last inspection: the first channels of some layers' outputs, in one read-back.
   * @param places layers, each once; IMAGES for the image
   */
  async overviews(places: readonly number[]): Promise<Float32Array<ArrayBuffer>[]> {
    const { device, overview, readback } = this.parts;
    const encoder = device.raw.createCommandEncoder();
    let end = 0;
    const strips = places.map((place) => {
      const from = this.tensorAt(place);
      const range = this.parts.plan.rangeOf(from);
      const strip = { offset: end, bytes: overviewBytes(from) };
      encoder.copyBufferToBuffer(range.buffer.raw, range.offset, overview.raw, strip.offset, strip.bytes);
      end += strip.bytes;
      return strip;
    });
    if (end === 0) return [];
    device.queue.submit([encoder.finish()]);
    const all = await readback.floats({ buffer: overview, offset: 0, bytes: end });
    return strips.map(({ offset, bytes }) => all.slice(offset / 4, (offset + bytes) / 4));
  }

  /**
   * Of the last inspection: the gradient of a class's logit with respect to a layer's output, [C, ...]. Undefined for
   * layers before the first parameters and for those without a computation of their own.
   */
  async classGradient(
    place: number,
    ofClass: number,
  ): Promise<{ shape: Shape; values: Float32Array<ArrayBuffer> } | undefined> {
    const gradients = await this.gradients.get();
    gradients.run(ofClass);
    const found = await gradients.of(this.shapes[place].layer.name);
    return found && { shape: found.shape.slice(1), values: found.values };
  }

  /** Many images through the network, on the parameters of the last inspection. */
  features(): Promise<FeaturePass> {
    return this.featurePass.get();
  }

  /** Of the last inspection: a layer's whole output, or the image for IMAGES. */
  output(place: number): Promise<Float32Array<ArrayBuffer>> {
    return this.parts.readback.floats(this.parts.plan.rangeOf(this.tensorAt(place)));
  }

  /** A buffer (a running statistic) at the last inspection, by its state_dict name. */
  buffer(name: string): Promise<Float32Array<ArrayBuffer>> {
    return this.stored(this.parts.copy.buffers(name));
  }

  /** A parameter at the last inspection, by its state_dict name. */
  parameter(name: string): Promise<Float32Array<ArrayBuffer>> {
    return this.stored(this.parts.copy.parameters(name));
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
    return { weights, bias };
  }

  /** Of the last inspection: one value of a convolution's output, and the terms of its sum. */
  async pixel(layer: number, at: OutputPosition): Promise<ExplainedPixel> {
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
    for (const thing of [this.parts.owned, this.gradients, this.featurePass]) thing.destroy();
  }

  private stored(tensor: Tensor): Promise<Float32Array<ArrayBuffer>> {
    const { home } = tensor.storage;
    assert(home !== undefined, `${tensor.label} lies in a plan`);
    return this.parts.readback.floats({ ...home, bytes: tensorBytes(tensor) });
  }

  private tensorAt(place: number): Tensor {
    return place === IMAGES ? this.parts.images.tensor : this.parts.outputs[place];
  }
}

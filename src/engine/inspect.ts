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
import { ForwardPass } from './forward-pass.ts';
import { IMAGES, type Layer } from './graph.ts';
import { inferShapes, layoutParameters, type LayerShape } from './network.ts';
import { problemOf, type ConvAttributes } from './ops/conv/index.ts';
import { workOutPixel, type OutputPosition, type WorkedPixel } from './ops/conv/pixel.ts';
import type { ConvProblem } from './ops/conv/problem.ts';
import { ParameterCopy, type NetworkState } from './parameter-copy.ts';
import { tensorBytes, type Tensor } from './plan.ts';

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

/** Most images of a pass for features, and about as many input values. */
const MOST_IMAGES = 64;
const MOST_VALUES = 2 ** 22;

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
  /** Of one image. */
  pass: ForwardPass;
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
    const { device, options, pass, copy, readback } = this.parts;
    const layers = options.layers([1, ...options.input]);
    return ClassGradients.create(device, { layers, image: pass.tensorAt(IMAGES), state: copy, readback });
  });
  private readonly featurePasses = new OnDemand(() => {
    const { device, options, copy, readback } = this.parts;
    const size = elements(options.input);
    const input = [Math.max(1, Math.min(MOST_IMAGES, Math.floor(MOST_VALUES / size))), ...options.input];
    const layers = options.layers(input);
    return ForwardPass.create(device, {
      name: 'features',
      layers,
      input,
      state: copy,
      readback,
      keep: 'features',
    });
  });

  /** @param readback of the same device; the caller still owns it */
  static async create(device: Device, options: InspectorOptions, readback: Readback): Promise<Inspector> {
    return owning(async (owned) => {
      const { own } = owned;
      const input = [1, ...options.input];
      const layers = options.layers(input);
      const shapes = inferShapes(layers, input);
      const copy = own(await ParameterCopy.create(device, layoutParameters(shapes), options));
      const forward = { name: 'inspect', layers, input, state: copy, readback, keep: 'outputs' } as const;
      const pass = own(await ForwardPass.create(device, forward));
      const end = [IMAGES, ...shapes.keys()].reduce(
        (sum, place) => sum + overviewBytes(pass.tensorAt(place)),
        0,
      );
      return new Inspector({
        device,
        options,
        shapes,
        pass,
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
    const { device, options, pass, copy } = this.parts;
    assert(image.length === elements(options.input), `an image of ${image.length} numbers`);
    pass.write(image);
    const encoder = device.raw.createCommandEncoder();
    copy.encode(encoder);
    const encoded = encoder.beginComputePass();
    pass.plan.encode(encoded);
    encoded.end();
    device.queue.submit([encoder.finish()]);
  }

  /**
   * Of the last inspection: the first channels of some layers' outputs, in one read-back.
   * @param places layers, each once; IMAGES for the image
   */
  async overviews(places: readonly number[]): Promise<Float32Array<ArrayBuffer>[]> {
    const { device, pass, overview, readback } = this.parts;
    const encoder = device.raw.createCommandEncoder();
    let end = 0;
    const strips = places.map((place) => {
      const from = pass.tensorAt(place);
      const range = pass.plan.rangeOf(from);
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
  features(): Promise<ForwardPass> {
    return this.featurePasses.get();
  }

  /** Of the last inspection: a layer's whole output, or the image for IMAGES. */
  output(place: number): Promise<Float32Array<ArrayBuffer>> {
    const { pass, readback } = this.parts;
    return readback.floats(pass.plan.rangeOf(pass.tensorAt(place)));
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
    const { op, attributes, input } = this.shapes[place];
    return op.name === 'conv' ? problemOf(attributes as ConvAttributes, input) : undefined;
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
    for (const thing of [this.parts.owned, this.gradients, this.featurePasses]) thing.destroy();
  }

  private stored(tensor: Tensor): Promise<Float32Array<ArrayBuffer>> {
    const { home } = tensor.storage;
    assert(home !== undefined, `${tensor.label} lies in a plan`);
    return this.parts.readback.floats({ ...home, bytes: tensorBytes(tensor) });
  }
}

/** Inference: the forward pass, of the network that trains, of a copy of it, or of one loaded from weights. */
import { assert } from '../base/assert.ts';
import { owning, type Owned } from '../base/owned.ts';
import { elements, type Shape } from '../base/shape.ts';
import { softmax } from '../base/softmax.ts';
import { Turns } from '../base/turns.ts';
import type { Device } from '../gpu/device.ts';
import type { BufferRange } from '../gpu/ledger.ts';
import { Readback } from '../gpu/readback.ts';
import { IMAGES } from './graph.ts';
import { buildForward, inferShapes, layoutParameters, type Layer, type LayerShape } from './network.ts';
import type { NetworkState } from './parameter-copy.ts';
import { ParameterStore, type StateDict } from './parameters.ts';
import { placedIn, PlanBuilder, type Plan, type Tensor } from './plan.ts';
import { vectorPlaces } from './vectors.ts';

/** A network with its weights as data. */
export interface LoadedNetwork {
  layers: readonly Layer[];
  /** [N, C, H, W] */
  input: Shape;
  /** Parameters and buffers of the layers. */
  parameters: StateDict;
}

export interface ForwardPassOptions extends Pick<LoadedNetwork, 'layers' | 'input'> {
  /** For messages and labels. */
  name: string;
  /** Where parameters and buffers lie. */
  state: NetworkState;
  readback: Readback;
  /**
   * What can be read besides the logits: the features, which are what the last layer with parameters reads; the vectors,
   * which are what all linear layers read; or all layers' outputs, and then no layers are fused. Default: nothing.
   */
  keep?: 'features' | 'vectors' | 'outputs';
}

interface PassTensors {
  images: Tensor;
  logits: Tensor;
  outputs: readonly Tensor[];
  features: Tensor;
  vectors: readonly Tensor[];
}

export class ForwardPass {
  /** Images stay in place until the copies of what they lead to are submitted. */
  private readonly turns = new Turns();

  private constructor(
    private readonly device: Device,
    /** One pass, for profiles. */
    readonly plan: Plan,
    private readonly tensors: PassTensors,
    private readonly readback: Readback,
    private readonly owned: Owned,
  ) {}

  /** On parameters that the caller owns. */
  static create(device: Device, options: ForwardPassOptions): Promise<ForwardPass> {
    return owning((owned) => ForwardPass.make(device, options, owned));
  }

  /** On its own parameters. @throws Failure('bad-input') if some are missing or of other shapes */
  static load(
    device: Device,
    { layers, input, parameters }: LoadedNetwork,
    keep?: ForwardPassOptions['keep'],
  ): Promise<ForwardPass> {
    return owning(async (owned) => {
      const layout = layoutParameters(inferShapes(layers, input));
      const store = owned.own(await ParameterStore.create(device, layout, undefined));
      store.load(parameters);
      const readback = owned.own(new Readback(device));
      const state = store.forInference;
      const pass = { name: 'prediction', layers, input, state, readback, ...(keep ? { keep } : {}) };
      return ForwardPass.make(device, pass, owned);
    });
  }

  private static async make(
    device: Device,
    { name, layers, input, state: { parameters, buffers }, readback, keep }: ForwardPassOptions,
    owned: Owned,
  ): Promise<ForwardPass> {
    const buffer = owned.own(await device.ledger.storage(`images for ${name}`, elements(input) * 4));
    const images = placedIn(buffer, input);
    const builder = new PlanBuilder(device, name);
    const fuse = keep !== 'outputs';
    const pass = { parameters, buffers, training: false, fuse };
    const { logits, outputs } = await buildForward(builder, layers, images, pass);
    const shapes = inferShapes(layers, input);
    const tensorAt = (place: number) => (place === IMAGES ? images : outputs[place]);
    const features = tensorAt(featurePlace(shapes));
    const vectors = vectorPlaces(shapes).map(tensorAt);
    builder.keep(logits);
    const kept = { outputs, vectors, features: [features] };
    for (const tensor of keep ? kept[keep] : []) builder.keep(tensor);
    const plan = owned.own(await builder.compile());
    return new ForwardPass(device, plan, { images, logits, outputs, features, vectors }, readback, owned);
  }

  /** FLOP of one image. */
  get flop(): number {
    return this.plan.dispatches.reduce((sum, { flop }) => sum + flop, 0) / this.tensors.images.shape[0];
  }

  /** A layer's output, or the images for IMAGES. */
  tensorAt(place: number): Tensor {
    return place === IMAGES ? this.tensors.images : this.tensors.outputs[place];
  }

  /** Where the normalised images go, and where the logits of one pass are. */
  get places(): { images: BufferRange; logits: BufferRange } {
    const { images, logits } = this.tensors;
    return { images: this.plan.rangeOf(images), logits: this.plan.rangeOf(logits) };
  }

  /** Replaces the first images. @param images normalised, C x H x W values each */
  write(images: Float32Array<ArrayBuffer>): void {
    const { buffer } = this.places.images;
    assert(images.length * 4 <= buffer.bytes, `${images.length} values are more than fit`);
    this.device.requireAlive();
    this.device.queue.writeBuffer(buffer.raw, 0, images);
  }

  /** [images, classes]. @param images any number, normalised */
  async logits(images: Float32Array<ArrayBuffer>): Promise<Float32Array<ArrayBuffer>> {
    return (await this.read(images, [this.tensors.logits]))[0];
  }

  /** The classes' probabilities for one image. @param image as `normalisedImage` returns it */
  async probabilities(image: Float32Array<ArrayBuffer>): Promise<Float32Array<ArrayBuffer>> {
    return softmax(await this.logits(image));
  }

  /** [images, classes] and [images, values]. @param images any number, normalised */
  async features(
    images: Float32Array<ArrayBuffer>,
  ): Promise<Record<'logits' | 'features', Float32Array<ArrayBuffer>>> {
    const [logits, features] = await this.read(images, [this.tensors.logits, this.tensors.features]);
    return { logits, features };
  }

  /** Of each linear layer, what it reads: [images, values]. @param images any number, normalised */
  vectors(images: Float32Array<ArrayBuffer>): Promise<Float32Array<ArrayBuffer>[]> {
    return this.read(images, this.tensors.vectors);
  }

  destroy(): void {
    this.owned.destroy();
  }

  /** Some tensors for any number of images, as many passes as that takes. */
  private async read(
    images: Float32Array<ArrayBuffer>,
    tensors: readonly Tensor[],
  ): Promise<Float32Array<ArrayBuffer>[]> {
    const [batch, ...input] = this.tensors.images.shape;
    const size = elements(input);
    assert(images.length % size === 0, `${images.length} values are no whole images`);
    const count = images.length / size;
    const perImage = tensors.map(({ shape }) => elements(shape) / batch);
    const found = perImage.map((each) => new Float32Array(count * each));
    for (let first = 0; first < count; first += batch) {
      const length = Math.min(batch, count - first);
      const { bytes } = await this.turns.take(() => {
        this.write(images.subarray(first * size, (first + length) * size));
        this.plan.run();
        return this.readback.start(
          tensors.map((tensor, i) => ({ ...this.plan.rangeOf(tensor), bytes: length * perImage[i] * 4 })),
        );
      });
      for (const [i, part] of (await bytes).entries())
        found[i].set(new Float32Array(part), first * perImage[i]);
    }
    return found;
  }
}

/** The layer whose output is the features; IMAGES if the only layer with parameters is the first. */
function featurePlace(shapes: readonly LayerShape[]): number {
  const last = shapes.findLastIndex(({ parameters }) => parameters.length > 0);
  return last < 0 ? IMAGES : shapes[last].sources[0];
}

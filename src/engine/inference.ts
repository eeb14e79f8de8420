/** A network that only answers: its weights, and one plan for so many images at once. */
import { elements, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import { Readback } from '../gpu/readback.ts';
import { buildForward, inferShapes, layoutParameters, type Layer } from './network.ts';
import { ParameterStore, type StateDict } from './parameters.ts';
import { placedIn, PlanBuilder, type Plan, type Tensor } from './plan.ts';

export interface InferenceOptions {
  layers: readonly Layer[];
  /** [N, C, H, W] */
  input: Shape;
  /** Parameters and buffers of the layers. */
  parameters: StateDict;
}

export class Inference {
  private constructor(
    private readonly device: Device,
    private readonly store: ParameterStore,
    private readonly images: GpuBuffer,
    private readonly logits: Tensor,
    private readonly readback: Readback,
    /** One forward pass, for profiles. */
    readonly plan: Plan,
  ) {}

  /** Numbers that it keeps. */
  get parameters(): number {
    const { layout } = this.store;
    return layout.count + layout.buffers.entries.reduce((sum, { length }) => sum + length, 0);
  }

  /** @throws Failure('bad-input') if parameters are missing or of other shapes */
  static async create(device: Device, { layers, input, parameters }: InferenceOptions): Promise<Inference> {
    const made: { destroy(): void }[] = [];
    const own = <T extends { destroy(): void }>(thing: T): T => (made.push(thing), thing);
    try {
      const layout = layoutParameters(inferShapes(layers, input));
      const store = own(await ParameterStore.create(device, layout, undefined));
      store.load(parameters);
      const images = own(await device.ledger.storage('images', elements(input) * 4));
      const builder = new PlanBuilder(device);
      const pass = { ...store.answering, training: false };
      const { logits } = buildForward(builder, layers, placedIn(images, input), pass);
      builder.keep(logits);
      const plan = own(await builder.compile());
      return new Inference(device, store, images, logits, own(new Readback(device)), plan);
    } catch (error) {
      for (const thing of made) thing.destroy();
      throw error;
    }
  }

  /**
   * What the last layer answers.
   * @param images normalised, as many as the plan was made for
   */
  async answer(images: Float32Array<ArrayBuffer>): Promise<Float32Array<ArrayBuffer>> {
    this.device.queue.writeBuffer(this.images.raw, 0, images);
    this.plan.run();
    return this.readback.floats(this.plan.rangeOf(this.logits));
  }

  destroy(): void {
    for (const thing of [this.store, this.images, this.readback, this.plan]) thing.destroy();
  }
}

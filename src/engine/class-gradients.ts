/**
 * How one class's score depends on every layer's output, for one image: the gradient of its logit, as Grad-CAM needs it.
 * The network runs as in inference: batch normalisation with its running statistics, no dropout.
 */
import { owning, type Owned } from '../base/owned.ts';
import type { Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import { buildBackward, buildForward, type Layer } from './network.ts';
import type { NetworkState } from './parameter-copy.ts';
import { placedIn, PlanBuilder, type Plan, type Tensor } from './plan.ts';

export interface ClassGradientsOptions {
  layers: readonly Layer[];
  /** [1, C, H, W], normalised. */
  image: Tensor;
  /** Where parameters and buffers lie. */
  state: NetworkState;
  readback: Readback;
}

export class ClassGradients {
  private constructor(
    private readonly device: Device,
    private readonly plan: Plan,
    /** [1, classes]: the gradient of the class's logit with respect to all logits. */
    private readonly seed: GpuBuffer,
    private readonly classes: number,
    /** By layer: the gradient with respect to its output, with the output's shape. */
    private readonly gradients: ReadonlyMap<string, Tensor>,
    private readonly readback: Readback,
    private readonly owned: Owned,
  ) {}

  static async create(
    device: Device,
    { layers, image, state, readback }: ClassGradientsOptions,
  ): Promise<ClassGradients> {
    const builder = new PlanBuilder(device, 'class gradients');
    const { parameters, buffers } = state;
    const forward = await buildForward(builder, layers, image, {
      parameters,
      buffers,
      training: false,
      fuse: false,
    });
    const { shape } = forward.logits;
    return owning(async (owned) => {
      const seed = owned.own(await device.ledger.storage('gradient of a class', shape[1] * 4));
      const gradients = buildBackward(builder, forward, placedIn(seed, shape));
      for (const gradient of gradients.values()) builder.keep(gradient);
      const plan = owned.own(await builder.compile());
      return new ClassGradients(device, plan, seed, shape[1], gradients, readback, owned);
    });
  }

  /** Runs both passes on the image, without waiting. @param ofClass the class whose logit is differentiated */
  run(ofClass: number): void {
    const seed = new Float32Array(this.classes);
    seed[ofClass] = 1;
    this.device.queue.writeBuffer(this.seed.raw, 0, seed);
    this.plan.run();
  }

  /** Of the last run: the gradient with respect to a layer's output, and its shape. Undefined if there is none. */
  async of(layer: string): Promise<{ shape: Shape; values: Float32Array<ArrayBuffer> } | undefined> {
    const tensor = this.gradients.get(layer);
    if (!tensor) return undefined;
    return { shape: tensor.shape, values: await this.readback.floats(this.plan.rangeOf(tensor)) };
  }

  destroy(): void {
    this.owned.destroy();
  }
}

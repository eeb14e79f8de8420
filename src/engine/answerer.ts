/** A network's answer for one image. */
import { Failure } from '../base/result.ts';
import { elements, showShape, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import { channelScales } from './gather/index.ts';
import { buildForward, type Layer } from './network.ts';
import type { ParameterStore } from './parameters.ts';
import { placedIn, PlanBuilder, type Plan, type Tensor } from './plan.ts';
import type { Normalisation } from './samples.ts';

export class Answerer {
  private constructor(
    private readonly device: Device,
    private readonly plan: Plan,
    private readonly image: GpuBuffer,
    private readonly logits: Tensor,
  ) {}

  /** @param input [C, H, W] */
  static async create(
    device: Device,
    { layers, input, parameters }: { layers: readonly Layer[]; input: Shape; parameters: ParameterStore },
  ): Promise<Answerer> {
    const image = await device.ledger.storage('images to answer', elements(input) * 4);
    try {
      const builder = new PlanBuilder(device, 'answer');
      const x = placedIn(image, [1, ...input]);
      const { logits } = buildForward(builder, layers, x, { ...parameters.answering, training: false });
      builder.keep(logits);
      return new Answerer(device, await builder.compile(), image, logits);
    } catch (error) {
      image.destroy();
      throw error;
    }
  }

  /**
   * Probabilities of the classes.
   * @param x as `normalisedImage` answers it
   */
  async answer(readback: Readback, x: Float32Array<ArrayBuffer>): Promise<Float32Array<ArrayBuffer>> {
    this.device.requireAlive();
    this.device.queue.writeBuffer(this.image.raw, 0, x);
    this.plan.run();
    return softmax(await readback.floats(this.plan.rangeOf(this.logits)));
  }

  destroy(): void {
    this.plan.destroy();
    this.image.destroy();
  }
}

/**
 * An image as it enters a network.
 * @param image C x H x W bytes
 * @throws Failure('bad-input') if it has another size than `input`, [C, H, W]
 */
export function normalisedImage(
  image: Uint8Array,
  input: Shape,
  { mean, std }: Normalisation,
): Float32Array<ArrayBuffer> {
  if (image.length !== elements(input)) {
    throw new Failure(
      'bad-input',
      `expected an image of ${showShape(input)}, ${elements(input)} bytes; found ${image.length}`,
    );
  }
  const scales = channelScales(mean, std);
  const plane = image.length / input[0];
  return Float32Array.from(image, (byte, i) => {
    const channel = 2 * Math.floor(i / plane);
    return (byte / 255 - scales[channel]) / scales[channel + 1];
  });
}

function softmax(logits: Float32Array): Float32Array<ArrayBuffer> {
  const largest = Math.max(...logits);
  const powers = Array.from(logits, (logit) => Math.exp(logit - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return Float32Array.from(powers, (power) => power / sum);
}

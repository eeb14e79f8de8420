/** The familiarity of images to the run's network, from its vectors of some training images. */
import { familiarOf, joined, strangeness, type Familiar } from '../../base/familiar.ts';
import { asDrawn } from '../../base/pixels/ink.ts';
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import { ForwardPass } from '../../engine/forward-pass.ts';
import { normalisedImage } from '../../engine/samples.ts';
import type { Device } from '../../gpu/device.ts';
import type { TrainingRun } from '../../train/run.ts';
import { spread } from '../inspect/nearest.ts';
import type { Services } from '../services.ts';
import type { Familiarity } from './api.ts';

/** Training images in the statistics, at most, and in one pass. */
const IMAGES = 2000;
const BATCH = 50;
/** The share of training images that are familiar: docs/design/pad.md says why. */
export const WITHIN = 0.975;
/** While the run trains, the statistics take at most one part in so many of the time. */
const SHARE = 20;
/** The work is done in pieces of so many milliseconds. */
const PIECE_MS = 8;

/** A network at a step, with its own copy of the weights, which the run's do not change. */
interface Known {
  run: TrainingRun;
  device: Device;
  step: number;
  pass: ForwardPass;
  familiar: Familiar;
  /** When it was made, and how long that took. */
  at: number;
  took: number;
}

export class RunFamiliarity {
  private known: Known | undefined;
  private making: Promise<void> | undefined;

  constructor(private readonly services: Pick<Services, 'gpu' | 'runs' | 'supply'>) {}

  /** @throws Failure `not-found` before the first run, `bad-input` for an image of another size, `busy` */
  async ask(image: Uint8Array): Promise<Familiarity | undefined> {
    const { gpu, runs, supply } = this.services;
    gpu.requireIdle();
    const { run } = runs;
    if (runs.isAtFullSpeed || run.steps === 0) return undefined;
    const pixels = normalisedImage(image, run.config.model.input, run.config.dataset);
    const device = await supply.get();
    if (this.isDue(run, device))
      this.making ??= this.make(run, device).finally(() => (this.making = undefined));
    const fits = () => this.known?.run === run && this.known.device === device;
    // An older answer now is better than a newer one later, if the next question finds that.
    if (!fits() || !run.isTraining) await this.making;
    else this.making?.catch(() => undefined);
    const { known } = this;
    if (!known || !fits()) return undefined;
    const [vector] = await vectorsOf(known.pass, pixels, 1);
    return { step: known.step, strangeness: strangeness(known.familiar, vector) };
  }

  private isDue(run: TrainingRun, device: Device): boolean {
    const { known } = this;
    if (known?.run !== run || known.device !== device) return true;
    if (known.step === run.steps) return false;
    return !run.isTraining || performance.now() - known.at > SHARE * known.took;
  }

  /** @throws Failure `cancelled` if the run begins to train at full speed */
  private async make(run: TrainingRun, device: Device): Promise<void> {
    const began = performance.now();
    const { model, dataset } = run.config;
    const { train, shape } = dataset;
    const { steps: step } = run;
    const parameters = await run.stateDict();
    const input = [BATCH, ...model.input];
    const pass = await ForwardPass.load(device, { layers: model.layers, input, parameters }, 'vectors');
    try {
      const pause = this.breath();
      const indices = spread(train.count, IMAGES);
      const size = elements(shape);
      const vectors: Float32Array[] = [];
      for (let first = 0; first < indices.length; first += BATCH) {
        const part = indices.subarray(first, first + BATCH);
        const pixels = new Float32Array(part.length * size);
        part.forEach((index, i) => {
          const image = train.images.subarray(index * size, (index + 1) * size);
          // Drawings are compared with what they look like.
          pixels.set(normalisedImage(asDrawn(image, shape), shape, dataset), i * size);
        });
        vectors.push(...(await vectorsOf(pass, pixels, part.length)));
        await pause();
      }
      const labels = Array.from(indices, (index) => train.labels[index]);
      const familiar = familiarOf(vectors, labels, WITHIN);
      this.known?.pass.destroy();
      const at = performance.now();
      this.known = { run, device, step, pass, familiar, at, took: at - began };
    } catch (error) {
      pass.destroy();
      throw error;
    }
  }

  /** Lets others have the thread, now and then. */
  private breath(): () => Promise<void> {
    let since = performance.now();
    return async () => {
      if (performance.now() - since < PIECE_MS) return;
      await new Promise((resolve) => setTimeout(resolve));
      if (this.services.runs.isAtFullSpeed) throw new Failure('cancelled', 'The run trains at full speed.');
      since = performance.now();
    };
  }
}

/** What images are compared by, one by one. @param pixels normalised */
async function vectorsOf(
  pass: ForwardPass,
  pixels: Float32Array<ArrayBuffer>,
  count: number,
): Promise<Float32Array[]> {
  const parts = await pass.vectors(pixels);
  return Array.from({ length: count }, (_, i) =>
    joined(parts.map((part) => part.subarray((i * part.length) / count, ((i + 1) * part.length) / count))),
  );
}

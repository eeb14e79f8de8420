/** How long a training step takes: many in a row on made-up images, submitted as training submits them. */
import { Random } from '../../base/random.ts';
import { elements } from '../../base/shape.ts';
import type { ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import { Trainer } from '../../engine/trainer.ts';
import { optimizers } from '../../engine/optimizers/registry.ts';
import type { Device } from '../../gpu/device.ts';
import type { Model } from '../../models/model.ts';
import type { Spread } from '../api.ts';
import { spreadWith } from './find-job.ts';

export interface StepCase {
  model: Model;
  batchSize: number;
  optimizer: string;
  choices: ConvChoices;
}

const SAMPLES = 15;
/** Chunks before, unmeasured. */
const WARM_UP = 3;
const CHUNK_MS = 20;
const MOST_STEPS = 32;

/**
 * Wall clock, milliseconds a step.
 * @param goOn asked between chunks; where it answers false, what there is so far counts
 */
export async function stepTime(
  device: Device,
  { model, batchSize, optimizer: name, choices }: StepCase,
  goOn: () => boolean,
): Promise<Spread | undefined> {
  const random = new Random(1, 'step time');
  const count = 2 * batchSize;
  const train = {
    images: Uint8Array.from({ length: count * elements(model.input) }, () => random.below(256)),
    labels: Uint8Array.from({ length: count }, () => random.below(model.classes)),
    count,
  };
  const optimizer = optimizers.get(name);
  const settings = { ...optimizer.defaults, lr: 1e-4 };
  const channels = model.input[0];
  const trainer = await Trainer.create(device, {
    ...{ layers: model.layers, input: model.input, classes: model.classes, batchSize, optimizer, settings },
    normalisation: { mean: repeat(0.5, channels), std: repeat(0.25, channels) },
    ...{ train, choices },
  });
  try {
    trainer.parameters.initialize(1);
    const indices = Uint32Array.from({ length: batchSize }, (_, i) => i);
    let step = 0;
    const run = (steps: number): Promise<void> => {
      trainer.submit(
        Array.from({ length: steps }, () => ({ ...optimizer.stepFields(++step, settings), indices })),
      );
      return device.idle();
    };
    await run(1);
    const start = performance.now();
    await run(1);
    const steps = Math.max(1, Math.min(MOST_STEPS, Math.round(CHUNK_MS / (performance.now() - start))));
    const samples: number[] = [];
    // One chunk is always under way, as in training.
    let ahead = run(steps);
    let last = performance.now();
    for (let i = 0; i < WARM_UP + SAMPLES && goOn(); i++) {
      const next = run(steps);
      await ahead;
      ahead = next;
      const now = performance.now();
      if (i >= WARM_UP) samples.push((now - last) / steps);
      last = now;
    }
    await ahead;
    return samples.length > 0 ? spreadWith(samples) : undefined;
  } finally {
    trainer.destroy();
  }
}

const repeat = (value: number, count: number): number[] => new Array<number>(count).fill(value);

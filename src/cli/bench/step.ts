import { Random } from '../../base/random.ts';
import { elements } from '../../base/shape.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import { chooseAll, convLayers, type ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import { optimizers } from '../../engine/optimizers/registry.ts';
import { MAX_STEPS, Trainer } from '../../engine/trainer.ts';
import type { Device } from '../../gpu/device.ts';
import { spreadOf, timeWork } from '../../gpu/timing.ts';
import type { Model } from '../../models/model.ts';
import { BatchStream } from '../../train/batches.ts';

export interface StepCase {
  model: Model;
  batchSize: number;
  optimizer: string;
  samples: number;
  choices?: ConvChoices;
}

/** The fastest way for each convolution, each measured by itself. */
export async function findChoices(
  device: Device,
  { layers, input }: Model,
  batchSize: number,
  workspace: number,
): Promise<ConvChoices> {
  const known = chooseAll(device, layers, [batchSize, ...input], { workspace });
  for (const { layer, problem, directions } of convLayers(layers, [batchSize, ...input])) {
    for (const direction of directions) {
      const { best } = await find(device, problem, direction, { workspace });
      if (best) known.layers[layer][direction] = { ...best, by: 'find' };
    }
  }
  return known;
}

/** Images made up for the benchmark; the time does not depend on what they show. */
const IMAGES = 4096;

/** A whole training step: wall clock over many steps in a row, submitted as training submits them. */
export async function benchStep(
  device: Device,
  { model, batchSize, optimizer: name, samples, choices }: StepCase,
  profile: boolean,
) {
  const random = new Random(1, 'step');
  const pixels = IMAGES * elements(model.input);
  const train = {
    images: Uint8Array.from({ length: pixels }, () => random.below(256)),
    labels: Uint8Array.from({ length: IMAGES }, () => random.below(model.classes)),
    count: IMAGES,
  };
  const optimizer = optimizers.get(name);
  const settings = { ...optimizer.defaults, lr: 0.01, momentum: name === 'sgd' ? 0.9 : 0 };
  const channels = model.input[0];
  const normalisation = { mean: repeat(0.5, channels), std: repeat(0.25, channels) };
  const trainer = await Trainer.create(device, {
    ...{ layers: model.layers, input: model.input, classes: model.classes, batchSize, optimizer, settings },
    ...{ normalisation, train },
    ...(choices ? { choices } : {}),
  });
  trainer.parameters.initialize(1);
  const batches = new BatchStream(IMAGES, batchSize, 1, true);
  let step = 0;
  const submit = (count: number) => {
    trainer.submit(
      Array.from({ length: count }, () => ({
        ...optimizer.stepFields(step + 1, settings),
        indices: batches.batch(step++),
      })),
    );
  };
  try {
    submit(1);
    await device.idle();
    const start = performance.now();
    submit(1);
    await device.idle();
    // Chunks of about 20 ms, and always one more submitted than is waited for, as in training.
    const count = Math.max(1, Math.min(MAX_STEPS, Math.round(20 / (performance.now() - start))));
    const chunk = (): Promise<void> => {
      submit(count);
      return device.idle();
    };
    const measured: number[] = [];
    let ahead = chunk();
    let last = performance.now();
    for (let i = 0; i < samples + 3; i++) {
      const next = chunk();
      await ahead;
      ahead = next;
      const now = performance.now();
      if (i >= 3) measured.push((now - last) / count);
      last = now;
    }
    await ahead;
    const { median, p10, p90 } = spreadOf(measured);
    const [{ loss }] = await trainer.readMetrics(1);
    const wall = {
      median_ms: median,
      p10_ms: p10,
      p90_ms: p90,
      n: samples,
      repetitions: count,
      clock: 'wall',
    };
    const gpu = spreadOf(
      (await timeWork(device, (pass) => trainer.plan.encode(pass), { samples: 5 })).samples,
    );
    return {
      ...{ model: model.name, batch_size: batchSize, optimizer: name, ...wall },
      ...{ images_per_second: (1000 * batchSize) / median, gpu_ms: gpu.median },
      ...{ dispatches: trainer.plan.dispatches.length, working_bytes: trainer.plan.bytes, loss },
      ...(profile ? { kernels: await kernelTimes(device, trainer) } : {}),
    };
  } finally {
    trainer.destroy();
  }
}

/** Each dispatch on its own, repeated: its time without what it waits for in a step. */
async function kernelTimes(device: Device, { plan }: Trainer) {
  const times: { kernel: string; ms: number; workgroups: readonly number[] }[] = [];
  for (const dispatch of plan.dispatches) {
    const { samples } = await timeWork(device, (pass) => plan.encode(pass, 0, [dispatch]), {
      samples: 5,
      minimumMs: 2,
    });
    times.push({ kernel: dispatch.label, ms: spreadOf(samples).median, workgroups: dispatch.workgroups });
  }
  return times;
}

const repeat = (value: number, count: number): number[] => new Array<number>(count).fill(value);

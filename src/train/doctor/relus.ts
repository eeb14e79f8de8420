/** Finds the channels after ReLUs that are ever different from 0. */
import { elements } from '../../base/shape.ts';
import { buildForward } from '../../engine/network.ts';
import type { StateDict } from '../../engine/parameters.ts';
import { placedIn, PlanBuilder } from '../../engine/plan.ts';
import { normalised } from './normalise.ts';
import type { Patient } from './patient.ts';

export interface ReluActivity {
  layer: string;
  channels: number;
  /** Channels that are 0 everywhere, for all images. NaN is not 0. */
  dead: number;
}

/** Images per batch: every ReLU's output is stored for all of them. */
const TOGETHER = 32;

/** Every ReLU of the network with these parameters, over some training images. */
export function reluActivity(patient: Patient, state: StateDict, images: number): Promise<ReluActivity[]> {
  const { device, config } = patient;
  const { model, dataset } = config;
  const samples = patient.sample(images, 'ReLUs');
  return patient.withTrainer(samples, 1, async ({ parameters, readback }) => {
    parameters.load(state);
    const size = elements(model.input);
    const count = Math.min(TOGETHER, samples.count);
    const buffer = await device.ledger.storage('images to examine', 4 * count * size);
    const builder = new PlanBuilder(device, 'doctor');
    const { outputs } = await buildForward(builder, model.layers, placedIn(buffer, [count, ...model.input]), {
      ...parameters.trained,
      training: false,
      fuse: false,
    });
    const relus = model.layers.flatMap(({ name, op }, i) =>
      op === 'relu' ? [{ layer: name, output: outputs[i], alive: new Set<number>() }] : [],
    );
    for (const { output } of relus) builder.keep(output);
    const plan = await builder.compile();
    try {
      for (let first = 0; first + count <= samples.count; first += count) {
        patient.requireTime();
        const bytes = samples.images.subarray(first * size, (first + count) * size);
        device.queue.writeBuffer(buffer.raw, 0, normalised(bytes, dataset));
        plan.run();
        for (const { output, alive } of relus) {
          const [, channels, ...plane] = output.shape;
          const numbers = await readback.floats(plan.rangeOf(output));
          const run = elements(plane);
          numbers.forEach((value, i) => {
            if (value !== 0) alive.add(Math.floor(i / run) % channels);
          });
        }
      }
    } finally {
      plan.destroy();
      buffer.destroy();
    }
    return relus.map(({ layer, output: { shape }, alive }) => ({
      layer,
      channels: shape[1],
      dead: shape[1] - alive.size,
    }));
  });
}

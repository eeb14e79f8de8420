import { showAugmentation, type Augmentation } from '../../base/augmentation.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import { chooseAll, convLayers, type ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import type { Choice } from '../../engine/ops/conv/choice/types.ts';
import { problemKey } from '../../engine/ops/conv/problem.ts';
import type { MixedPrecision } from '../../engine/mixed.ts';
import type { NumberType } from '../../engine/plan.ts';
import { profileStep, type StepProfile } from '../../engine/profile/step.ts';
import { timeSteps, Trial } from '../../engine/profile/trial.ts';
import type { Device } from '../../gpu/device.ts';
import { spreadOf, timeWork } from '../../gpu/timing.ts';
import type { Model } from '../../models/model.ts';

export interface StepCase {
  model: Model;
  batchSize: number;
  optimizer: string;
  samples: number;
  choices?: ConvChoices;
  mixed?: MixedPrecision;
  augmentation: Augmentation;
}

/** The fastest algorithm for each convolution, measured separately. */
export async function findChoices(
  device: Device,
  { layers, input }: Model,
  batchSize: number,
  workspace: number | undefined,
  number: NumberType,
): Promise<ConvChoices> {
  const known = chooseAll(device, layers, [batchSize, ...input], { workspace, number });
  const searched = new Map<string, Choice | undefined>();
  for (const { layer, problem, directions } of convLayers(layers, [batchSize, ...input], known.layout)) {
    for (const direction of directions) {
      const key = `${problemKey(problem)} ${direction}`;
      if (!searched.has(key))
        searched.set(key, (await find(device, problem, direction, { workspace, number })).best);
      const best = searched.get(key);
      if (best) known.layers[layer][direction] = { ...best, by: 'find' };
    }
  }
  return known;
}

/** A whole training step: wall-clock time of many steps in a row, submitted as in training. */
export async function benchStep(
  device: Device,
  { model, batchSize, optimizer, samples, choices, mixed, augmentation }: StepCase,
  profiled: boolean,
) {
  const options = { batchSize, optimizer, augmentation, choices, mixed };
  const trial = await Trial.open(device, model, options);
  let columns: object;
  try {
    const { trainer } = trial;
    const steps = await timeSteps(trial, samples);
    const { median, p10, p90 } = spreadOf(steps.samples);
    const [{ loss }] = await trainer.readMetrics(1);
    const gpu = spreadOf(
      (await timeWork(device, (pass) => trainer.plan.encode(pass), { samples: 5 })).samples,
    );
    columns = {
      model: model.name,
      batch_size: batchSize,
      optimizer,
      precision: mixed ? 'mixed' : 'single',
      augmentation: showAugmentation(augmentation),
      median_ms: median,
      p10_ms: p10,
      p90_ms: p90,
      n: samples,
      repetitions: steps.repetitions,
      clock: 'wall',
      images_per_second: (1000 * batchSize) / median,
      gpu_ms: gpu.median,
      dispatches: trainer.plan.dispatches.length,
      working_bytes: trainer.plan.bytes,
      loss,
    };
  } finally {
    trial.destroy();
  }
  const profile = profiled ? await profileStep(device, model, options) : undefined;
  return { columns: { ...columns, ...(profile ? profileColumns(profile) : {}) }, profile };
}

function profileColumns({ kernels, calls, single, ceilings }: StepProfile) {
  return {
    kernels: kernels.map(({ kernel, time, workgroups, pass, layer, flop, bytes }) => ({
      kernel,
      ms: time.median,
      p10_ms: time.p10,
      p90_ms: time.p90,
      workgroups,
      pass,
      layer: layer ?? null,
      flop,
      bytes,
    })),
    calls,
    single_step: single,
    ceilings,
  };
}

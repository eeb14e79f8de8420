/** Measures the convolutions of a model, and the effect of tuning on a training step. */
import { chooseAll } from '../../engine/ops/conv/choice/layers.ts';
import type { TuningResults } from '../../engine/ops/conv/choice/tuning-results.ts';
import { usualWorkspace } from '../../engine/ops/conv/run.ts';
import type { TuneJob } from '../api.ts';
import { measureOne } from './find-job.ts';
import type { Bench } from './job.ts';
import { stepTime } from './step-time.ts';
import { layerUses } from './uses.ts';
import { modelOf } from '../builder/choice.ts';

/**
 * Times a step with predictions, then measures all convolutions and saves the results, then times a step with those.
 */
export async function runTuneJob(
  bench: Bench,
  { model: choice, batchSize, optimizer, pins, exclude, only }: TuneJob,
  results: TuningResults,
): Promise<void> {
  const { device, signal, report } = bench;
  const model = await modelOf(choice);
  await results.load(device);
  const uses = layerUses(device, model, batchSize, { pins, known: results.known(device) });
  const requests = uses.map(({ sizes, direction }) => ({
    sizes,
    direction,
    number: 'f32' as const,
    workspace: usualWorkspace(device),
  }));
  report({ step: 'begun', requests, uses });
  const input = [batchSize, ...model.input];
  const time = async (when: 'before' | 'after', options: Parameters<typeof chooseAll>[3]) => {
    const choices = chooseAll(device, model.layers, input, options);
    const step = { model, batchSize, optimizer, choices };
    const spread = await stepTime(device, step, () => !signal.aborted);
    if (spread) report({ step: 'training-step', when, spread });
  };
  await time('before', {});
  const excluded = (algorithm: string, launch: string) =>
    exclude.some((one) => one.algorithm === algorithm && one.launch === launch);
  for (const [index, request] of requests.entries()) {
    if (only && !only.includes(index)) continue;
    const found = await measureOne(bench, index, request, { exclude: excluded });
    if (found) await results.record(device, found);
  }
  await time('after', { pins, known: results.known(device) });
}

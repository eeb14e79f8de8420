/** The forward pass over sets of images: phases, layers, kernels and API calls. */
import { Random } from '../../base/random.ts';
import { elements } from '../../base/shape.ts';
import { Inference } from '../../engine/inference.ts';
import { profileForward } from '../../engine/profile/forward.ts';
import { layerTimes } from '../../engine/profile/kernels.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import { CallTap } from '../../gpu/calls.ts';
import { spreadOf } from '../../gpu/timing.ts';
import { models } from '../../models/index.ts';
import type { StudyContext } from '../study.ts';
import { requireGoOn } from '../times.ts';

export const MODEL = models.get('fashion_lenet');

const COUNTS = [10_000, 1000, 100];
const SMALL_COUNTS = [40, 20, 10];
/** Images in a forward pass. */
const BATCH = 1000;
const [SAMPLES, SMALL_SAMPLES] = [7, 1];
/** The kernels that make up this share are listed. */
const MOST = 0.9;

const PHASES = ['uploadMs', 'computeMs', 'readMs'] as const;

export async function measureSets(context: StudyContext): Promise<void> {
  const { small, progress } = context;
  const counts = small ? SMALL_COUNTS : COUNTS;
  for (const [i, count] of counts.entries()) {
    requireGoOn(context);
    progress((0.6 * i) / counts.length, `${count.toLocaleString('en')} images`);
    await measureSet(context, count, i === 0);
  }
}

/** @param thoroughly whether to report kernels and API calls too */
async function measureSet(context: StudyContext, count: number, thoroughly: boolean): Promise<void> {
  const { device, small, report, signal } = context;
  const { layers, input } = MODEL;
  const random = new Random(1, 'images of the study');
  const images = Uint8Array.from({ length: count * elements(input) }, () => random.below(256));
  const batchSize = Math.min(BATCH, count);
  const tap = new CallTap(device);
  let inference: Inference | undefined;
  try {
    const start = performance.now();
    inference = await Inference.load(device, {
      layers,
      input,
      parameters: typicalParameters(layers, [1, ...input]),
      normalisation: { mean: [0.286], std: [0.353] },
      batchSize,
      count,
    });
    const setup = performance.now() - start;
    const first = await inference.run(images);
    tap.close();
    if (!first) return;
    const runs = [first];
    for (let i = 1; i <= (small ? SMALL_SAMPLES : SAMPLES) && !signal.aborted; i++) {
      const again = await inference.run(images);
      if (again) runs.push(again);
    }
    requireGoOn(context);
    // The first run warms up, and is that of the whole program.
    const median = Object.fromEntries(
      PHASES.map((phase) => [phase, spreadOf(runs.slice(1).map((one) => one[phase])).median]),
    ) as Record<(typeof PHASES)[number], number>;
    const { uploadMs: upload, computeMs: compute, readMs: read } = median;
    report({
      figure: 'sets',
      cells: {
        images: count,
        setup,
        upload,
        compute,
        read,
        steady: upload + compute + read,
        program: setup + first.uploadMs + first.computeMs + first.readMs,
        image: (upload + compute + read) / count,
      },
    });
    const { kernels } = await profileForward(device, inference.plan);
    const batches = Math.ceil(count / batchSize);
    for (const { layer, forwardMs } of layerTimes(kernels)) {
      const op = layers.find(({ name }) => name === layer)?.op ?? '';
      report({
        figure: 'layers',
        cells: { images: count, layer, op, ms: batches * forwardMs, image: (batches * forwardMs) / count },
      });
    }
    if (!thoroughly) return;
    const parts = [
      { what: 'copies between CPU and GPU', ms: upload + read },
      ...kernels.map(({ kernel, time }) => ({ what: kernel, ms: batches * time.median })),
    ].sort((a, b) => b.ms - a.ms);
    const total = parts.reduce((sum, { ms }) => sum + ms, 0);
    let cumulative = 0;
    for (const { what, ms } of parts) {
      const listed = cumulative < MOST;
      cumulative += ms / total;
      // The copies have a number beside them, however small.
      if (listed || what.startsWith('copies'))
        report({ figure: 'kernels', cells: { what, ms, share: ms / total, cumulative } });
    }
    const calls = tap.times.toSorted((a, b) => b.ms - a.ms);
    const sum = calls.reduce((ms, one) => ms + one.ms, 0);
    for (const { call, count: times, ms, waits } of calls)
      report({
        figure: 'calls',
        cells: { call, times, ms, share: ms / sum, waits: waits ? 'until done' : '' },
      });
  } finally {
    tap.close();
    inference?.destroy();
  }
}

/** The forward pass over sets of images: phases, layers, kernels and API calls. */
import { Random } from '../../base/random.ts';
import { elements } from '../../base/shape.ts';
import { Inference } from '../../engine/inference.ts';
import { profileForward } from '../../engine/profile/forward.ts';
import { layerTimes, type KernelTime } from '../../engine/profile/kernels.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import type { Device } from '../../gpu/device.ts';
import { CallTap } from '../../gpu/calls.ts';
import { spreadOf } from '../../gpu/timing.ts';
import { models } from '../../models/index.ts';
import type { Cell, StudyContext } from '../study.ts';
import { requireGoOn } from '../times.ts';

export const MODEL = models.get('fashion_lenet');

const COUNTS = [10_000, 1000, 100];
const SMALL_COUNTS = [40, 20, 10];
/** Images in a forward pass. */
const BATCH = 1000;
const [SAMPLES, CPU_SAMPLES, SMALL_SAMPLES] = [7, 3, 1];
/** The kernels that make up this share are listed. */
const MOST = 0.9;
/** Uploads and read-backs, as a row among kernels. */
export const COPIES = 'copies between CPU and GPU';

const PHASES = ['uploadMs', 'computeMs', 'readMs'] as const;

interface Place {
  name: 'GPU' | 'CPU';
  device: Device;
}

/** @param cpu the CPU engine, unless it is the context's device */
export async function measureSets(context: StudyContext, cpu: Device | undefined): Promise<void> {
  const { small, device, progress } = context;
  const counts = small ? SMALL_COUNTS : COUNTS;
  const places: Place[] = [{ name: device.adapter.cpu ? 'CPU' : 'GPU', device }];
  if (cpu) places.push({ name: 'CPU', device: cpu });
  for (const [i, count] of counts.entries()) {
    const onGpu = new Map<string, number>();
    for (const [j, place] of places.entries()) {
      requireGoOn(context);
      const done = (i + j / places.length) / counts.length;
      progress(0.6 * done, `${count.toLocaleString('en')} images, ${place.name}`);
      await measureSet(context, place, count, { thoroughly: i === 0 && j === 0, onGpu });
    }
  }
}

interface SetOptions {
  /** Whether to report kernels and API calls, too. */
  thoroughly: boolean;
  /** Milliseconds by layer, written on the GPU and read on the CPU. */
  onGpu: Map<string, number>;
}

async function measureSet(
  context: StudyContext,
  { name: place, device }: Place,
  count: number,
  { thoroughly, onGpu }: SetOptions,
): Promise<void> {
  const { small, report, signal } = context;
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
    const samples = small ? SMALL_SAMPLES : device.onProcessor ? CPU_SAMPLES : SAMPLES;
    const runs = [first];
    for (let i = 1; i <= samples && !signal.aborted; i++) {
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
        place,
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
      const ms = batches * forwardMs;
      const gpu = onGpu.get(layer);
      if (place === 'GPU') onGpu.set(layer, ms);
      const own: Record<string, Cell> =
        place === 'GPU' ? { gpu: ms } : { cpu: ms, ratio: gpu === undefined ? null : ms / gpu };
      report({ figure: 'layers', cells: { images: count, layer, op, ...own } });
    }
    if (!thoroughly) return;
    reportKernels(context, kernels, batches, upload + read);
    reportCalls(context, tap);
  } finally {
    tap.close();
    inference?.destroy();
  }
}

/** Those that make up most of the time. @param copies milliseconds */
function reportKernels(
  { report }: StudyContext,
  kernels: readonly KernelTime[],
  batches: number,
  copies: number,
): void {
  const times = new Map([[COPIES, copies]]);
  // Several dispatches can have one name.
  for (const { kernel, time } of kernels) times.set(kernel, (times.get(kernel) ?? 0) + batches * time.median);
  const total = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  let cumulative = 0;
  for (const [what, ms] of [...times].sort(([, a], [, b]) => b - a)) {
    const listed = cumulative < MOST;
    cumulative += ms / total;
    // The copies have a number beside them, however small.
    if (listed || what === COPIES)
      report({ figure: 'kernels', cells: { what, ms, share: ms / total, cumulative } });
  }
}

function reportCalls({ report }: StudyContext, tap: CallTap): void {
  const calls = tap.times.toSorted((a, b) => b.ms - a.ms);
  const sum = calls.reduce((ms, one) => ms + one.ms, 0);
  for (const { call, count: times, ms, waits } of calls)
    report({
      figure: 'calls',
      cells: { call, times, ms, share: ms / sum, waits: waits ? 'until done' : '' },
    });
}

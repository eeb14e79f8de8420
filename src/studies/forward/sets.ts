/** The forward pass over sets of images: phases, layers, kernels and API calls. */
import { Random } from '../../base/random.ts';
import { elements } from '../../base/shape.ts';
import { Inference } from '../../engine/inference.ts';
import { WHOLE } from '../../engine/ops/conv/algorithms/direct/ladder.ts';
import type { Pin } from '../../engine/ops/conv/choice/layers.ts';
import { profileForward } from '../../engine/profile/forward.ts';
import { layerTimes, type KernelTime } from '../../engine/profile/kernels.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import type { Device } from '../../gpu/device.ts';
import { CallTap } from '../../gpu/calls.ts';
import { spreadOf } from '../../gpu/timing.ts';
import type { Cell, StudyContext } from '../study.ts';
import { requireGoOn } from '../times.ts';
import { countsFor, MODEL } from './network.ts';
import { COPIES } from './published.ts';
import { launchesOfStep, PLAIN, type ConvolutionSteps } from './steps.ts';

/** Images in a forward pass. */
const BATCH = 1000;
const [SAMPLES, CPU_SAMPLES, SMALL_SAMPLES] = [7, 3, 1];
/** The kernels that make up this share are listed. */
const LISTED_SHARE = 0.9;

const PHASES = ['uploadMs', 'computeMs', 'readMs'] as const;

/** What runs the network. */
interface Program {
  /** "GPU, plain kernel" */
  name: string;
  device: Device;
  /** The kernels of its convolutions. Default: as predicted. */
  pins: readonly Pin[];
  /** The column of its kernels among those that take most of the time. */
  column?: 'start' | 'end';
  /** The column of its layers' times. */
  place?: 'gpu' | 'plain' | 'cpu';
}

/** The programs of the report: with a library's kernels, the plain ones, and the last ones. */
export const PROGRAMS = { plain: 'plain kernel', last: 'last kernels' } as const;

/** @param cpu the CPU engine, unless it is the context's device */
export async function measureSets(
  context: StudyContext,
  layers: readonly ConvolutionSteps[],
  cpu: Device | undefined,
): Promise<void> {
  const { small, device, progress } = context;
  const here = device.adapter.cpu ? 'CPU' : 'GPU';
  const withSteps = (step: string) => launchesOfStep(layers, step);
  const programs: Program[] = [
    { name: here, device, pins: [], column: 'start', place: device.adapter.cpu ? 'cpu' : 'gpu' },
    { name: `${here}, ${PROGRAMS.plain}`, device, pins: withSteps(PLAIN), place: 'plain' },
    { name: `${here}, ${PROGRAMS.last}`, device, pins: withSteps(WHOLE), column: 'end' },
    ...(cpu ? [{ name: 'CPU', device: cpu, pins: [], place: 'cpu' as const }] : []),
  ];
  const counts = countsFor(small);
  for (const [i, count] of counts.entries()) {
    const onGpu = new Map<string, number>();
    for (const [j, program] of programs.entries()) {
      requireGoOn(context);
      const done = (i + j / programs.length) / counts.length;
      progress(0.75 + 0.25 * done, `${count.toLocaleString('en')} images, ${program.name}`);
      await measureSet(context, program, count, { thoroughly: i === 0, onGpu });
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
  { name: place, device, pins, column, place: layerColumn }: Program,
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
      pins,
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
    const [upload, compute, read] = PHASES.map(
      (phase) => spreadOf(runs.slice(1).map((one) => one[phase])).median,
    );
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
    if (!layerColumn && !(thoroughly && column)) return;
    const { kernels } = await profileForward(device, inference.plan);
    const batches = Math.ceil(count / batchSize);
    if (layerColumn)
      for (const { layer, forwardMs } of layerTimes(kernels))
        reportLayer(context, layerColumn, layer, batches * forwardMs, { images: count, onGpu });
    if (!thoroughly || !column) return;
    reportKernels(context, column, kernels, batches, upload + read);
    if (column === 'start') reportCalls(context, tap);
  } finally {
    tap.close();
    inference?.destroy();
  }
}

/** @param ms of all images */
function reportLayer(
  { report }: StudyContext,
  column: 'gpu' | 'cpu' | 'plain',
  layer: string,
  ms: number,
  { images, onGpu }: { images: number; onGpu: SetOptions['onGpu'] },
): void {
  const op = MODEL.layers.find(({ name }) => name === layer)?.op ?? '';
  const gpu = onGpu.get(layer);
  if (column === 'gpu') onGpu.set(layer, ms);
  const own: Record<string, Cell> =
    column === 'cpu' && gpu !== undefined ? { cpu: ms, ratio: ms / gpu } : { [column]: ms };
  report({ figure: 'layers', cells: { images, layer, op, ...own } });
}

/** What the report calls the kernels of the last program. */
const LAYER_KERNELS: Readonly<Record<string, string>> = {
  'conv1 fprop': 'kernel of layer 1',
  'conv2 fprop': 'kernel of layer 2',
};

/** Those that make up most of the time. @param copies milliseconds */
function reportKernels(
  { report }: StudyContext,
  column: 'start' | 'end',
  kernels: readonly KernelTime[],
  batches: number,
  copies: number,
): void {
  const times = new Map([[COPIES, copies]]);
  // Several dispatches can have one name.
  for (const { kernel, time } of kernels) {
    const name = LAYER_KERNELS[kernel] ?? kernel;
    times.set(name, (times.get(name) ?? 0) + batches * time.median);
  }
  const total = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  let cumulative = 0;
  for (const [what, ms] of [...times].sort(([, a], [, b]) => b - a)) {
    const listed = cumulative < LISTED_SHARE;
    cumulative += ms / total;
    // What the report lists has a number beside it, however small.
    if (!listed && what !== COPIES && !Object.values(LAYER_KERNELS).includes(what)) continue;
    report({ figure: 'kernels', cells: { what, [column]: ms / total, [`${column}_ms`]: ms } });
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

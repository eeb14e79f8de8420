/** The figures of the report, beside which a run puts its own. */
import type { BarFigure, Cell, Figure, PublishedBar, TableFigure } from '../study.ts';
import { CONVOLUTIONS, REPORTED_COUNTS } from './network.ts';
import {
  CALLS,
  END,
  KERNELS,
  LOOPS,
  PLAIN as REPORTED_PLAIN,
  ratioOf,
  shown,
  shownTime,
  START,
  sumOf,
  TILE,
  type ReportPart,
} from './published.ts';
import { PROGRAMS } from './sets.ts';
import { PLAIN, STEPS, TOTAL } from './steps.ts';

/** The report's layers and both together, with the study's names. */
const CASES: readonly (readonly [name: string, part: ReportPart])[] = [
  [TOTAL, 'both layers'],
  ...CONVOLUTIONS.map(({ title, part }) => [title, part] as const),
];

const bars = CASES.flatMap(([name, part]) =>
  STEPS.flatMap(({ name: bar, reported }): PublishedBar[] => {
    const [time, ratio] = reported ? [shownTime(reported, part), ratioOf(reported, part)] : [];
    return time && ratio ? [{ case: name, bar, printed: time, ratio, note: `${part}, 10,000 images` }] : [];
  }),
);

const steps: BarFigure = {
  kind: 'bars',
  name: 'steps',
  title: 'From loops to a tuned kernel',
  explanation:
    'Both convolutions together, then each, relative to the plain kernel with one thread per output.',
  base: PLAIN,
  bars: STEPS.map(({ name, look }) => ({ name, ...(look ? { look } : {}) })),
  published: bars,
};

/** Columns of each layer and of both: the report's, then these. */
const layerColumns: TableFigure['columns'] = [
  { name: 'report1', title: 'Report: conv1', published: true },
  { name: 'report2', title: 'Report: conv2', published: true },
  { name: 'report', title: 'Report: both', published: true },
  { name: 'conv1', title: 'conv1', unit: 'ms' },
  { name: 'conv2', title: 'conv2', unit: 'ms' },
  { name: 'total', title: 'Both', unit: 'ms' },
];
const reportedTimes = (how: string, images?: string): Record<string, Cell> => ({
  report1: shownTime(how, 'layer 1', images),
  report2: shownTime(how, 'layer 2', images),
  report: shownTime(how, 'both layers', images),
});

const optimisations: TableFigure = {
  kind: 'table',
  name: 'optimisations',
  title: 'The optimisation table',
  explanation: `conv1 is ${sizesIn(0)}, conv2 ${sizesIn(1)}. The report’s times are for 10,000 images, these for as many as the last column says. Ratios are both layers’ time relative to one thread per output.`,
  columns: [
    { name: 'step', title: 'Step', key: true },
    ...layerColumns,
    { name: 'report_ratio', title: 'Report’s ratio', unit: 'ratio', published: true },
    { name: 'ratio', title: 'Ratio', unit: 'ratio' },
    { name: 'images', title: 'Images', unit: 'count', wide: true },
  ],
  given: STEPS.map(({ name: step, reported }) => ({
    step,
    ...(reported ? { ...reportedTimes(reported), report_ratio: ratioOf(reported, 'both layers') } : {}),
  })),
};

function sizesIn(layer: number): string {
  return CONVOLUTIONS[layer].title.replace(/^.*: /, '');
}

const channels: TableFigure = {
  kind: 'table',
  name: 'channels',
  title: 'Why one channel at a time gains or loses',
  explanation:
    'The input tile, one channel at a time, relative to the plain kernel, and two possible causes. Its barriers are two per channel; with all channels copied at once, the same tile has two in all. Some of its threads have no output; the best tile for the layer may have fewer, and is compared with the common tile, both with weights in a uniform. Ratios below 1 are gains.',
  columns: [
    { name: 'layer', title: 'Layer', key: true },
    { name: 'report', title: 'Report: tile to plain', unit: 'ratio', published: true },
    { name: 'here', title: 'Tile to plain', unit: 'ratio' },
    { name: 'barriers', title: 'Barriers', unit: 'count' },
    { name: 'once', title: 'All channels at once, to tile', unit: 'ratio' },
    { name: 'busy', title: 'Threads with an output', unit: 'percent' },
    { name: 'own', title: 'Best tile to common tile', unit: 'ratio' },
  ],
  given: CONVOLUTIONS.map(({ title: layer, part }) => ({ layer, report: ratioOf(TILE, part) })),
};

const tiles: TableFigure = {
  kind: 'table',
  name: 'tiles',
  title: 'Every tile',
  explanation: 'All tiles that were tried, with the ratio to the plain kernel on the same layer.',
  columns: [
    { name: 'layer', title: 'Layer', key: true },
    { name: 'weights', title: 'Weights in', key: true },
    { name: 'staged', title: 'Channels at a time', unit: 'count', key: true },
    { name: 'tile', title: 'Tile', key: true },
    { name: 'barriers', title: 'Barriers', unit: 'count', wide: true },
    { name: 'busy', title: 'Threads with an output', unit: 'percent', wide: true },
    { name: 'time', title: 'Time', unit: 'ms' },
    { name: 'ratio', title: 'To plain', unit: 'ratio' },
  ],
};

const loops: TableFigure = {
  kind: 'table',
  name: 'loops',
  title: 'Loops on the CPU',
  explanation: 'Seven nested loops on one core, for all numbers of images, with the report’s accuracy.',
  columns: [
    { name: 'images', title: 'Images', unit: 'count', key: true },
    ...layerColumns,
    { name: 'image', title: 'Per image', unit: 'ms', wide: true },
    { name: 'accuracy', title: 'Report’s accuracy', published: true },
  ],
  given: REPORTED_COUNTS.map(({ count, images }) => ({
    images: count,
    ...reportedTimes(LOOPS, images),
    accuracy: shown(`${images} images, ${LOOPS}: accuracy`),
  })),
};

const [most] = REPORTED_COUNTS;
const mxnet = (where: 'CPU' | 'GPU') => ({
  images: most.count,
  place: where,
  report: shown(`${most.images} images, MXNet on the ${where}: whole program`),
  of: 'MXNet',
  accuracy: shown(`${most.images} images, MXNet: accuracy`),
});

const sets: TableFigure = {
  kind: 'table',
  name: 'sets',
  title: 'Whole-program time',
  explanation:
    'Setup, upload, forward passes and read-back, by the number of images: with the kernels that wgrad predicts, with the plain kernel, and with the last step’s. The report’s programs do more (see the method), and its loops have no program here. “Forward” is by the wall clock, after an upload during which the GPU idles, and may be several times the sum of its kernels, which are timed on a busy GPU; the table of the optimisations is what compares kernels.',
  columns: [
    { name: 'images', title: 'Images', unit: 'count', key: true },
    { name: 'place', title: 'On', key: true },
    { name: 'report', title: 'Report', published: true },
    { name: 'of', title: 'Report’s program', published: true },
    { name: 'accuracy', title: 'Its accuracy', published: true },
    { name: 'program', title: 'Whole program', unit: 'ms' },
    { name: 'setup', title: 'Setup', unit: 'ms', wide: true },
    { name: 'upload', title: 'Upload', unit: 'ms', wide: true },
    { name: 'compute', title: 'Forward', unit: 'ms' },
    { name: 'read', title: 'Read-back', unit: 'ms', wide: true },
    { name: 'steady', title: 'Later runs', unit: 'ms', wide: true },
    { name: 'image', title: 'Per image', unit: 'ms', wide: true },
  ],
  given: [
    mxnet('GPU'),
    {
      images: most.count,
      place: `GPU, ${PROGRAMS.plain}`,
      report: shownTime(REPORTED_PLAIN, 'whole program'),
      of: 'its own',
      accuracy: null,
    },
    mxnet('CPU'),
    ...REPORTED_COUNTS.map(({ count, images }) => ({
      images: count,
      place: 'CPU, loops',
      report: shownTime(LOOPS, 'whole program', images),
      of: 'its own',
      accuracy: shown(`${images} images, ${LOOPS}: accuracy`),
    })),
  ],
};

const kernels: TableFigure = {
  kind: 'table',
  name: 'kernels',
  sorted: 'end',
  title: 'Kernels that make up 90 % of the time',
  explanation: `For the largest number of images, copies included (here, with the read-back): at the start with a library’s kernels (the report: MXNet’s; here: those that wgrad predicts), at the end with the last step’s. The report’s add up to ${shown(`${START.kernels}: together`)} and, as it prints, ${shown(`${END.kernels}: together`)} (its rows: ${sumOf(END.kernels)}).`,
  columns: [
    { name: 'what', title: 'Kernel or copy', key: true },
    { name: 'report_start', title: 'Report, start', published: true },
    { name: 'start', title: 'Start', unit: 'percent' },
    { name: 'start_ms', title: 'Time, start', unit: 'ms', wide: true },
    { name: 'report_end', title: 'Report, end', published: true },
    { name: 'end', title: 'End', unit: 'percent' },
    { name: 'end_ms', title: 'Time, end', unit: 'ms', wide: true },
  ],
  given: KERNELS.map((what) => ({
    what,
    report_start: shown(`${START.kernels}: ${what}`),
    report_end: shown(`${END.kernels}: ${what}`),
  })),
};

const layers: TableFigure = {
  kind: 'table',
  name: 'layers',
  title: 'Op times by layer',
  explanation: `The sum of a layer’s kernels over all images: of the plain kernel, which the report’s times are of, and of those that wgrad predicts. At 1,000 images, MXNet’s kernel takes ${shown('1,000 images, share of the time that MXNet’s kernel takes')} of the report’s time.`,
  columns: [
    { name: 'images', title: 'Images', unit: 'count', key: true },
    { name: 'layer', title: 'Layer', key: true },
    { name: 'op', title: 'Op', wide: true },
    { name: 'report', title: 'Report, plain kernel', published: true },
    { name: 'plain', title: 'Plain kernel', unit: 'ms' },
    { name: 'gpu', title: 'GPU', unit: 'ms' },
    { name: 'cpu', title: 'CPU', unit: 'ms' },
    { name: 'ratio', title: 'CPU to GPU', unit: 'ratio' },
  ],
  given: CONVOLUTIONS.map(({ layer, part }) => ({
    images: 1000,
    layer,
    op: 'conv',
    report: shown(`1,000 images, kernel of ${part}`),
  })),
};

const calls: TableFigure = {
  kind: 'table',
  name: 'calls',
  title: 'API calls',
  explanation: `Of setup and the first run, for the largest number of images. The report’s, of CUDA, add up to ${shown(`${START.calls}: together`)} at the start and, as it prints, ${shown(`${END.calls}: together`)} at the end (its rows: ${sumOf(END.calls)}); WebGPU has other calls.`,
  columns: [
    { name: 'call', title: 'Call', key: true },
    { name: 'report_start', title: 'Report, start', published: true },
    { name: 'report_end', title: 'Report, end', published: true },
    { name: 'times', title: 'Calls', unit: 'count' },
    { name: 'ms', title: 'Time', unit: 'ms' },
    { name: 'share', title: 'Share', unit: 'percent' },
    { name: 'waits', title: 'Waits', wide: true },
  ],
  given: CALLS.map((call) => ({
    call,
    report_start: shown(`${START.calls}: ${call}`),
    report_end: shown(`${END.calls}: ${call}`),
  })),
};

export const figures: readonly Figure[] = [
  steps,
  optimisations,
  channels,
  tiles,
  loops,
  sets,
  kernels,
  layers,
  calls,
];

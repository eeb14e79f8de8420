/** One LeNet at several levels of one stack, and in several frameworks. */
import { linesOfCode, sourceOf, versionOf } from './contenders.ts';
import type { RowLine, Study, StudyContext, Time } from '../study.ts';
import { ratioTo, requireGoOn, timeOf } from '../times.ts';
import { BASE, ENTRANTS, nameOf, STACKS, type TimedKind } from './entrants.ts';
import { findingsOf } from './findings.ts';
import { contenderSources } from './sources.ts';
import { race, type Outcome, type Sizes } from './race.ts';

const SMALL: Sizes = { batchSize: 4, rounds: 3, roundMs: 20, steps: 4, heldOut: 10 };
const FULL: Sizes = { batchSize: 64, rounds: 9, roundMs: 250, steps: 12, heldOut: 100 };

const bars = [...new Set(ENTRANTS.flatMap(({ bar }) => bar ?? []))].map((name) => ({ name }));

const study: Study = {
  name: 'frameworks',
  order: 2,
  title: 'One LeNet, several frameworks',
  short: 'Frameworks',
  question: 'What does each level of one software stack cost, in time and in lines of code?',
  summary: [
    'The course project wrote LeNet for MNIST at three levels of one stack: by hand with cuDNN and cuBLAS, in TensorFlow, which uses cuDNN, and in Keras, which uses TensorFlow. It compared the time of one image’s inference on the GPU, for the last two also on the CPU, and the lines of code.',
    'It found TensorFlow on the GPU the fastest, cuDNN by hand slower than it, and Keras the slowest; the GPU ahead of the CPU in both; and lines of code and effort that grow steeply the lower the level.',
    'Here two stacks that run in a page race level by level: TensorFlow.js with its core operations, with its Layers API, and with that API’s fit; wgrad’s kernels called by hand, its engine, and a whole training run. Then four libraries are compared with one another, each on every backend that it has. All use the same weights and images, and are timed only if their results agree.',
  ],
  source: {
    title: 'Performance comparisons of various neural network frameworks',
    kind: 'Course project, EE147',
    authors: 'J. Gu, J. Gozum, J. Lam',
    date: 'June 2018',
    hardware: undefined,
    numbers: 'None: its figures are charts without numbers.',
  },
  sizes: {
    small: `batches of ${SMALL.batchSize} images, ${SMALL.rounds} rounds`,
    full: `batches of ${FULL.batchSize} images, ${FULL.rounds} rounds of ${FULL.roundMs / 1000} seconds per contender`,
  },
  method: [
    'Each contender runs in a separate worker and is downloaded when its turn comes, about 12 MB in total. If one fails, its error is shown and the others continue.',
    'Before anything is timed, the probabilities of four images and the losses of two training steps must be within 1e-4 of float64. The second loss depends on all gradients of the first step.',
    `Accuracy: on ${FULL.heldOut} images that none was trained on (${SMALL.heldOut} in a short run), each predicted by itself, after ${FULL.steps} steps (${SMALL.steps}) from the same weights on the same batches. Equal work gives nearly equal accuracies.`,
    'The first prediction starts from nothing: download the library, start its backend, load the weights, compile, and classify one image. For wgrad this includes compiling its training step.',
    'One image: from its 784 bytes to ten probabilities in JavaScript, each image when the previous one is done.',
    'By hand, wgrad’s convolutions are direct, with tiles that suit them, and each step is submitted by itself; the engine predicts an algorithm for each convolution and submits many steps at once.',
    'A training step is forward pass, gradients and SGD, on images that the library already has; a loss is read when a round ends. The Layers API’s trainOnBatch reads it after every step. A training run of wgrad reads it every few steps, and saves a checkpoint at the end of each epoch of 32 steps and of each round.',
    'Contenders take turns, one round each. A time is the median over rounds, with the 10th and 90th percentile. Ratios are relative to the lowest level of the same stack, or to wgrad’s engine on the same kind of device.',
    'Download: all files that the worker fetched, its own code included, gzipped.',
    'Lines of code are counted alike for all: those of the sources shown here, without blank lines and comments: whole programs against the API of their level. wgrad is no package with a public API, so its own import its modules. All implement the same three functions (open, predict, train), which makes levels alike that differ little. What loads a backend or converts the weights is in other files and counts for none; for ONNX Runtime Web, that includes the network, which is in the ONNX file.',
  ],
  published: [],
  figures: [
    ...STACKS.map(({ framework, figure, levels }) => ({
      kind: 'bars' as const,
      name: figure,
      title: `Levels of ${framework}`,
      explanation: 'The same network on the same backend, from the lowest level to the highest.',
      base: levels[0],
      bars: levels.map((name) => ({ name })),
    })),
    {
      kind: 'table',
      name: 'findings',
      title: 'What the project found, and whether it holds here',
      explanation:
        'The project timed one image only; here the same is asked of a training step. In brackets, from the lowest level to the highest: times relative to the lowest level’s; the GPU’s time relative to the CPU’s, each on its fastest backend; or lines. “Unclear”: the spreads overlap. “In part”: some levels have equally many lines; earlier results say “no” there.',
      columns: [
        { name: 'finding', title: 'Finding', key: true },
        { name: 'stack', title: 'Stack', key: true },
        { name: 'image', title: 'One image' },
        { name: 'step', title: 'Training step' },
        { name: 'lines', title: 'Lines of code' },
      ],
    },
    {
      kind: 'bars',
      name: 'image',
      title: 'Libraries: one image',
      explanation: 'From the bytes of an image to ten probabilities, one after the other.',
      base: BASE,
      bars,
    },
    {
      kind: 'bars',
      name: 'training',
      title: 'Libraries: a training step',
      explanation: 'One batch forward and backward, and the update of all weights.',
      base: BASE,
      bars,
    },
    {
      kind: 'bars',
      name: 'first',
      title: 'Libraries: the first prediction',
      explanation: 'From nothing to the probabilities of one image.',
      base: BASE,
      bars,
    },
    {
      kind: 'table',
      name: 'contenders',
      title: 'The contenders',
      explanation:
        '“Ready”: library, backend and weights are loaded. Times are medians, except for the first image, which is a single call.',
      columns: [
        { name: 'library', title: 'Library', key: true },
        { name: 'level', title: 'Level', key: true },
        { name: 'backend', title: 'Backend', key: true },
        { name: 'image', title: 'One image', unit: 'ms' },
        { name: 'step', title: 'Training step', unit: 'ms' },
        { name: 'accuracy', title: 'Accuracy', unit: 'percent' },
        { name: 'lines', title: 'Lines of code', unit: 'count' },
        { name: 'download', title: 'Download', unit: 'bytes' },
        { name: 'version', title: 'Version', wide: true },
        { name: 'ready', title: 'Ready', unit: 'ms', wide: true },
        { name: 'first', title: 'First image', unit: 'ms', wide: true },
        { name: 'difference', title: 'Error against float64', unit: 'error', wide: true },
        { name: 'outcome', title: 'Outcome' },
      ],
    },
  ],

  sources: contenderSources,

  async run(context) {
    const sizes = context.small ? SMALL : FULL;
    const outcomes = await race(sizes, context);
    reportLevels(context, outcomes, sizes);
    for (const row of await rowsOfFindings(outcomes)) context.report(row);
    reportLibraries(context, outcomes, sizes);
    // What was measured comes first: a long table hides its end.
    for (const outcome of [...outcomes].sort(
      (a, b) => Number(a.absent ?? false) - Number(b.absent ?? false),
    )) {
      context.report(await rowOf(outcome));
      const { entrant, failure, absent } = outcome;
      if (failure !== undefined && !absent) context.undone(`${nameOf(entrant)} (${failure})`);
    }
    requireGoOn(context);
  },
};

export default study;

/** A case of a bar figure. */
interface Bars {
  figure: string;
  case: string;
  /** In the order of the bars. */
  outcomes: readonly Outcome[];
  /** The bar of an entrant. */
  bar(outcome: Outcome): string;
  base: string;
  time(outcome: Outcome): Time | undefined;
  /** Why there is no time. @returns undefined if that has no bar */
  missing(outcome: Outcome): string | undefined;
}

function reportBars(
  { report }: StudyContext,
  { figure, case: name, outcomes, bar, base, time, missing }: Bars,
): void {
  const found = outcomes.map((outcome) => ({ outcome, bar: bar(outcome), time: time(outcome) }));
  const baseTime = found.find((one) => one.bar === base)?.time;
  for (const { outcome, ...one } of found) {
    const why = missing(outcome);
    if (one.time) {
      const ratio = baseTime && ratioTo(baseTime, one.time);
      report({ figure, case: name, bar: one.bar, time: one.time, ratio });
    } else if (why !== undefined) report({ figure, case: name, bar: one.bar, missing: why });
  }
}

/** Each stack on each backend where it can do something. */
function reportLevels(context: StudyContext, outcomes: readonly Outcome[], { batchSize }: Sizes): void {
  for (const { framework, figure, levels } of STACKS) {
    const stack = outcomes.filter(({ entrant }) => entrant.framework === framework);
    for (const kind of ['inference', 'training'] as const) {
      for (const title of new Set(stack.map(({ entrant }) => entrant.title))) {
        const own = stack.filter(({ entrant }) => entrant.title === title);
        if (own.every(({ entrant, absent }) => absent || entrant.lacks[kind])) continue;
        reportBars(context, {
          figure,
          case: `${title}: ${kind === 'inference' ? 'one image' : `training step of ${batchSize}`}`,
          outcomes: own,
          bar: ({ entrant }) => entrant.level,
          base: levels[0],
          time: (outcome) => timeAt(outcome, kind),
          missing: ({ entrant, failure }) => entrant.lacks[kind] ?? failure,
        });
      }
    }
  }
}

/** The libraries on each kind of device. */
function reportLibraries(context: StudyContext, outcomes: readonly Outcome[], { batchSize }: Sizes): void {
  const cases: readonly [figure: string, name: string, of: (one: Outcome) => Time | undefined][] = [
    ['first', 'first prediction', timeOfFirst],
    ['image', 'one image', (one) => timeAt(one, 'inference')],
    ['training', `batch of ${batchSize}`, (one) => timeAt(one, 'training')],
  ];
  for (const place of ['GPU', 'CPU'] as const) {
    for (const [figure, name, time] of cases)
      reportBars(context, {
        figure,
        case: `${place}: ${name}`,
        outcomes: outcomes.filter(({ entrant }) => entrant.bar !== undefined && entrant.place === place),
        bar: ({ entrant }) => entrant.bar ?? '',
        base: BASE,
        time,
        // Who does not train has no bar there.
        missing: ({ failure }) => failure,
      });
  }
}

/** Libraries differ in what they compile when they load and what with the first image, so both count. */
const timeOfFirst = ({ readyMs, firstMs }: Outcome): Time | undefined =>
  readyMs === undefined || firstMs === undefined ? undefined : timeOf([readyMs + firstMs], 1, 'wall');

function timeAt(outcome: Outcome, kind: TimedKind): Time | undefined {
  const found = outcome[kind];
  return found && found.samples.length > 0 ? timeOf(found.samples, found.calls, 'wall') : undefined;
}

async function rowsOfFindings(outcomes: readonly Outcome[]): Promise<RowLine[]> {
  const levels = outcomes.map(async (outcome) => ({
    entrant: outcome.entrant,
    lines: linesOfCode(await sourceOf(outcome.entrant.file)),
    times: { inference: timeAt(outcome, 'inference'), training: timeAt(outcome, 'training') },
  }));
  const all = await Promise.all(levels);
  const rows = STACKS.flatMap(({ framework }) =>
    findingsOf(
      framework,
      all.filter(({ entrant }) => entrant.framework === framework),
    ),
  );
  // Both stacks below each finding.
  const findings = [...new Set(rows.map(({ finding }) => finding))];
  return findings.flatMap((finding) =>
    rows
      .filter((row) => row.finding === finding)
      .map((cells) => ({ figure: 'findings', cells: { ...cells } })),
  );
}

async function rowOf(outcome: Outcome): Promise<RowLine> {
  const { entrant, readyMs, firstMs, fetched, difference, accuracy, device, failure } = outcome;
  const untrained = entrant.lacks.training === undefined ? undefined : 'no training';
  return {
    figure: 'contenders',
    cells: {
      library: entrant.framework,
      level: entrant.level,
      backend: entrant.title,
      image: timeAt(outcome, 'inference')?.median ?? null,
      step: timeAt(outcome, 'training')?.median ?? null,
      accuracy: accuracy ?? null,
      lines: linesOfCode(await sourceOf(entrant.file)),
      download: fetched ?? null,
      version: (entrant.package && (await versionOf(entrant.package))) ?? null,
      ready: readyMs ?? null,
      first: firstMs ?? null,
      difference: difference ?? null,
      outcome: failure ?? ['correct', untrained, device].filter(Boolean).join('; '),
    },
  };
}

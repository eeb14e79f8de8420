/** One LeNet in several frameworks. */
import { linesOfCode, sourceOf, versions } from '../../peers/sources.ts';
import type { BarLine, RowLine, Study, StudyContext, Time } from '../study.ts';
import { ratioTo, requireGoOn, timeOf } from '../times.ts';
import { BASE, ENTRANTS, type Place } from './entrants.ts';
import { contenderSources } from './sources.ts';
import { race, type Outcome, type Samples, type Sizes } from './race.ts';

const SMALL: Sizes = { batchSize: 4, rounds: 3, roundMs: 20 };
const FULL: Sizes = { batchSize: 64, rounds: 15, roundMs: 300 };

const bars = [...new Set(ENTRANTS.map(({ bar }) => bar))].map((name) => ({ name }));

const study: Study = {
  name: 'frameworks',
  order: 2,
  title: 'One LeNet, several frameworks',
  short: 'Frameworks',
  question:
    'How long does the same small network take in different frameworks, and how much code does it need?',
  summary: [
    'The course project wrote LeNet for MNIST three times, with cuDNN, TensorFlow and Keras, and compared the time of one inference on GPU and CPU, and the lines of code.',
    'Here the contenders are libraries that run in a page: wgrad, TensorFlow.js, ONNX Runtime Web and jax-js, each on every backend that it has. All use the same weights and images, and are timed only if their results agree.',
  ],
  source: {
    title: 'LeNet in cuDNN, TensorFlow and Keras',
    kind: 'Course project, EE147',
    authors: 'J. Gu, J. Gozum, J. Lam',
    date: 'June 2018',
    hardware: undefined,
    numbers: 'Its figures are charts without numbers.',
  },
  sizes: {
    small: 'batches of 4 images, 3 rounds',
    full: 'batches of 64 images, 15 rounds of 0.3 seconds per contender',
  },
  method: [
    'Each contender runs in a separate worker and is downloaded when its turn comes, about 12 MB in total. If one fails, its error is shown and the others continue.',
    'Before anything is timed, the probabilities of four images and the losses of two training steps must be within 1e-4 of float64. The second loss depends on all gradients of the first step.',
    'The first prediction starts from nothing: download the library, start its backend, load the weights, compile, and classify one image. For wgrad this includes compiling its training step.',
    'One image: from its 784 bytes to ten probabilities in JavaScript, each image when the previous one is done.',
    'A training step is forward pass, gradients and SGD, on images that the library already has; losses are read when a round ends. ONNX Runtime Web does not train here, and TensorFlow.js has no convolution gradients on WASM.',
    'Contenders take turns, one round each. A time is the median over rounds, with the 10th and 90th percentile. Ratios are relative to wgrad on the same kind of device.',
    'Download: all files that the worker fetched, its own code included, gzipped. Lines of code: of the sources shown here, without blank lines and comments; for ONNX Runtime Web without the ONNX file, which another program writes.',
  ],
  published: [],
  figures: [
    {
      kind: 'bars',
      name: 'image',
      title: 'One image',
      explanation: 'From the bytes of an image to ten probabilities, one after the other.',
      base: BASE,
      bars,
    },
    {
      kind: 'bars',
      name: 'training',
      title: 'A training step',
      explanation: 'One batch forward and backward, and the update of all weights.',
      base: BASE,
      bars,
    },
    {
      kind: 'bars',
      name: 'first',
      title: 'The first prediction',
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
        { name: 'backend', title: 'Backend', key: true },
        { name: 'version', title: 'Version', wide: true },
        { name: 'ready', title: 'Ready', unit: 'ms', wide: true },
        { name: 'first', title: 'First image', unit: 'ms', wide: true },
        { name: 'image', title: 'One image', unit: 'ms' },
        { name: 'step', title: 'Training step', unit: 'ms' },
        { name: 'download', title: 'Download', unit: 'bytes' },
        { name: 'lines', title: 'Lines of code', unit: 'count' },
        { name: 'difference', title: 'Error against float64', unit: 'error', wide: true },
        { name: 'outcome', title: 'Outcome' },
      ],
    },
  ],

  sources: contenderSources,

  async run(context) {
    const outcomes = await race(context.small ? SMALL : FULL, context);
    for (const place of ['GPU', 'CPU'] as const) reportBars(context, outcomes, place);
    for (const outcome of outcomes) {
      context.report(await rowOf(outcome));
      const { entrant, failure, absent } = outcome;
      if (failure !== undefined && !absent)
        context.undone(`${entrant.framework}, ${entrant.title} (${failure})`);
    }
    requireGoOn(context);
  },
};

export default study;

/** The bars of one kind of device. */
function reportBars({ report, small }: StudyContext, outcomes: readonly Outcome[], place: Place): void {
  const own = outcomes.filter(({ entrant }) => entrant.place === place);
  const { batchSize } = small ? SMALL : FULL;
  const cases: readonly [figure: string, name: string, of: (one: Outcome) => Time | undefined][] = [
    ['first', 'first prediction', timeOfFirst],
    ['image', 'one image', ({ inference }) => timeOfSamples(inference)],
    ['training', `batch of ${batchSize}`, ({ training }) => timeOfSamples(training)],
  ];
  for (const [figure, name, of] of cases) {
    const base = own.find(({ entrant }) => entrant.bar === BASE);
    const baseTime = base && of(base);
    for (const outcome of own) {
      const { entrant, failure } = outcome;
      const time = outcome === base ? baseTime : of(outcome);
      const line: BarLine = { figure, case: `${place}: ${name}`, bar: entrant.bar };
      if (time) line.time = time;
      if (time && baseTime) line.ratio = ratioTo(baseTime, time);
      if (!time) line.missing = failure;
      // Who does not train has no bar there.
      if (time ?? failure) report(line);
    }
  }
}

/** Libraries differ in what they compile when they load and what with the first image, so both count. */
const timeOfFirst = ({ readyMs, firstMs }: Outcome): Time | undefined =>
  readyMs === undefined || firstMs === undefined ? undefined : timeOf([readyMs + firstMs], 1, 'wall');

const timeOfSamples = (found: Samples | undefined): Time | undefined =>
  found && found.samples.length > 0 ? timeOf(found.samples, found.calls, 'wall') : undefined;

async function rowOf(outcome: Outcome): Promise<RowLine> {
  const { entrant, readyMs, firstMs, inference, training, fetched, difference, device, failure } = outcome;
  return {
    figure: 'contenders',
    cells: {
      library: entrant.framework,
      backend: entrant.title,
      version: entrant.package === undefined ? null : (await versions())[entrant.package],
      ready: readyMs ?? null,
      first: firstMs ?? null,
      image: timeOfSamples(inference)?.median ?? null,
      step: timeOfSamples(training)?.median ?? null,
      download: fetched ?? null,
      lines: linesOfCode(await sourceOf(entrant.file)),
      difference: difference ?? null,
      outcome:
        failure ?? ['correct', training ? undefined : 'no training', device].filter(Boolean).join('; '),
    },
  };
}

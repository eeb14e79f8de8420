/** The published results that claims rest on. */
import { readFileSync } from 'node:fs';
import type { Spread } from '../../src/gpu/timing.ts';
import { models } from '../../src/models/index.ts';
import { medianOf, sampled, type Statistic } from '../statistic.ts';
import { convolutionCases, predictionsOf, productCases, stepCases } from '../tables/figures.ts';
import { readLines, type Lines, type Step } from '../tables/lines.ts';
import { fastestMode, type Incomplete } from '../modes.ts';

/** A file of the project, by its path from the root. */
export const file = (path: string): URL => new URL(`../../${path}`, import.meta.url);

const textOf = (name: string): string => readFileSync(file(`bench/results/${name}`), 'utf8');
const jsonLines = <T>(name: string): T[] =>
  textOf(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
const linesOf = (...names: string[]): Lines => readLines(names.map((name) => ({ name, text: textOf(name) })));

/** Without memory and driver. */
const cardOf = (adapter: string): string => adapter.replace(/ (?:\d+GB .*|\(.*\))$/, '');

/** Training steps in Node and in PyTorch. */
const STEPS = 'steps.jsonl';
/** The page's runs, and steps of wgrad's in the same sitting. */
const PAGE = 'page.jsonl';

/** A step by everyone who was measured at it on one card, in milliseconds. */
export interface StepResult {
  title: string;
  /** Of the medians of its processes. */
  wgrad?: Statistic;
  mixed?: Statistic;
  processes: readonly number[];
  /** What the GPU alone took in each of the processes. */
  onGpu: readonly number[];
  /** The fastest mode with this arithmetic; how many were measured, unless all were. */
  pytorch(arithmetic?: readonly string[]): Statistic | Incomplete;
  /** The fastest of PyTorch's modes that were measured, also of other names than those of the list. */
  measured?: number;
  /** PyTorch's modes were measured in another sitting, with such a card. */
  isApart: boolean;
}

export interface Steps {
  card: string;
  date: string;
  /** "PyTorch 2.11" */
  pytorch: string;
  /** Of a mode. */
  samples: string;
  of(step: Omit<Step, 'precision'>): StepResult;
}

/** Steps of one card: all that STEPS has, or what both files have of the wanted one. */
export function steps(wanted?: string): Steps {
  const rows = [STEPS, ...(wanted === undefined ? [] : [PAGE])]
    .flatMap((name) => jsonLines<{ adapter: string; gpu_ms?: number; sitting?: number }>(name))
    .filter(({ adapter }) => wanted === undefined || cardOf(adapter) === wanted);
  const lines = readLines([{ name: STEPS, text: rows.map((row) => JSON.stringify(row)).join('\n') }]);
  const cards = new Set([...lines.adapters].map(cardOf));
  const [card] = cards;
  if (cards.size !== 1) throw new Error(`expected steps of one card, found ${[...cards].join(', ')}`);
  const cases = stepCases(lines.steps);
  const [pytorch = ''] = [...lines.libraries].filter((library) => library.startsWith('PyTorch'));
  return {
    card,
    date: [...lines.dates].sort().join(', '),
    pytorch: pytorch.replace(/^(PyTorch \d+\.\d+).*/, '$1'),
    samples: [...new Set(lines.steps.pytorch.map(({ n }) => n))].join(' or '),
    of({ model, batchSize, optimizer }) {
      const here = (cases.get(model) ?? []).filter(
        (one) => one.batchSize === batchSize && one.optimizer === optimizer,
      );
      const single = here.find(({ precision }) => precision === 'single');
      const mixed = here.find(({ precision }) => precision === 'mixed');
      const times = new Map(
        here.flatMap(({ modes }) =>
          [...modes].flatMap(([mode = '', ms]) => (ms === undefined ? [] : [[mode, ms] as const])),
        ),
      );
      const has = (row: object, whose: object) =>
        Object.entries({ ...whose, batch_size: batchSize, optimizer, precision: 'single' }).every(
          ([key, value]) => (row as Record<string, unknown>)[key] === value,
        );
      const processes = single?.processes ?? [];
      return {
        title: `${models.get(model).title}, batch ${batchSize}${optimizer === 'sgd' ? '' : ', Adam'}`,
        ...(processes.length > 0 && { wgrad: medianOf(processes) }),
        ...(mixed && mixed.processes.length > 0 && { mixed: medianOf(mixed.processes) }),
        processes,
        onGpu: rows.flatMap((row) => (has(row, { model }) ? (row.gpu_ms ?? []) : [])),
        pytorch: (arithmetic) => fastestMode(times, arithmetic),
        ...(times.size > 0 && { measured: Math.min(...times.values()) }),
        isApart: rows.some((row) => row.sitting === 2 && has(row, { bench: `${model}-training` })),
      };
    },
  };
}

/** LeNet-5 by the other libraries in Node, by SGD. */
export function peerSteps() {
  const lines = linesOf('nvidia-h200.jsonl');
  const [adapter] = lines.adapters;
  const cases = (stepCases(lines.steps).get('lenet5') ?? []).filter(({ optimizer }) => optimizer === 'sgd');
  const rounds = lines.steps.turns.map(({ n }) => n);
  return { card: cardOf(adapter), date: [...lines.dates].sort().join(', '), rounds, cases };
}

/** All that is printed of STEPS. */
export const stepLines = (): Lines => linesOf(STEPS);

/** A run of the page at full speed, in milliseconds, with shares of the time in percent. */
export interface PageRun {
  name: string;
  /** A step by the wall clock, tests and all. */
  page: Statistic;
  /** From pressing Train to the first step: at the first visit, when no cache has anything, and at the others. */
  cold?: number;
  warm?: Statistic;
  /** Of the time in which the GPU computes steps, tests and all; undefined where it has no timestamps. */
  gpu: readonly (Statistic | undefined)[];
  step: StepResult;
  precision: Step['precision'];
}

export interface PageRuns {
  card: string;
  browser: string;
  date: string;
  /** When the same steps were measured in Node and PyTorch on that card. */
  stepsDate: string;
  runs: PageRun[];
}

/** The steps of the runs' names. */
const PAGE_STEPS: Readonly<Record<string, Step>> = {
  'LeNet-5, digits, 64, Adam': { model: 'lenet5', batchSize: 64, optimizer: 'adam', precision: 'single' },
  'LeNet-5, digits, 512, SGD': { model: 'lenet5', batchSize: 512, optimizer: 'sgd', precision: 'single' },
  'ResNet-20, shapes, 128, SGD': { model: 'resnet20', batchSize: 128, optimizer: 'sgd', precision: 'single' },
  'ResNet-18, shapes, 128, SGD': { model: 'resnet18', batchSize: 128, optimizer: 'sgd', precision: 'single' },
  'ResNet-18, shapes, 128, SGD, mixed precision': {
    model: 'resnet18',
    batchSize: 128,
    optimizer: 'sgd',
    precision: 'mixed',
  },
};

interface PageRow extends Spread {
  what: string;
  n: number;
  /** In the order of the visits; rows of before lack them. */
  values?: number[];
  runtime: string;
  date: string;
  /** The card, which a browser does not name, and what else. */
  note: string;
}

export function pageRuns(): PageRuns {
  const rows = jsonLines<Partial<PageRow>>(PAGE).filter((row): row is PageRow => row.what !== undefined);
  const find = (what: string) => rows.find((row) => row.what === what);
  const row = (what: string) => {
    const found = find(what);
    if (!found) throw new Error(`${PAGE} has no row "${what}"`);
    return found;
  };
  const of = (one: PageRow | undefined) => one && sampled(one, one.n);
  const [{ runtime, date, note }] = rows;
  const card = cardOf(note.replace(/[,;].*/, ''));
  const beside = steps(card);
  return {
    card,
    browser: runtime.replace(/\..*/, ''),
    date: date.slice(0, 10),
    stepsDate: beside.date,
    runs: Object.entries(PAGE_STEPS).map(([name, step]): PageRun => {
      const { values: [cold, ...others] = [] } = row(`${name}: from Train to the first step`);
      return {
        name,
        page: sampled(row(`${name}: a step, by the wall clock`), row(`${name}: a step, by the wall clock`).n),
        ...(cold !== undefined && { cold }),
        ...(others.length > 0 && { warm: medianOf(others) }),
        gpu: ['steps', 'tests', 'all'].map((what) =>
          of(find(`${name}: of the time, the GPU computes ${what}`)),
        ),
        step: beside.of(step),
        precision: step.precision,
      };
    }),
  };
}

/** A training run of a preset. */
export interface Run {
  preset: string;
  precision: 'float32' | 'mixed';
  test_accuracy: number;
  train_seconds: number;
  /** From the start of the program to its end; not measured of all. */
  program_seconds?: number;
  adapter: string;
}

/** Runs of another day: their curves, of which the last line counts. */
const CURVES: readonly (readonly [preset: string, run: RegExp])[] = [
  ['resnet20-cifar-10', /^ResNet-20, seed [12]$/],
  ['resnet18-cifar-10', /^ResNet-18, seed 1$/],
];

export function trainingRuns(): Run[] {
  const curves = jsonLines<{ run: string; test_accuracy?: number; train_seconds?: number }>('training.jsonl');
  const older = CURVES.flatMap(([preset, wanted]): Run[] => {
    const names = [...new Set(curves.map(({ run }) => run))].filter((name) => wanted.test(name));
    return names.map((name) => {
      const last = curves.findLast(({ run, train_seconds }) => run === name && train_seconds !== undefined);
      if (last?.test_accuracy === undefined || last.train_seconds === undefined)
        throw new Error(`training.jsonl has no end of ${name}`);
      const { test_accuracy, train_seconds } = last;
      return { preset, precision: 'float32', test_accuracy, train_seconds, adapter: 'NVIDIA H200' };
    });
  });
  return [...jsonLines<Run>('nvidia-h100-training.jsonl'), ...older];
}

export const runsOf = (preset: string, precision: Run['precision'] = 'float32'): Run[] => {
  const runs = trainingRuns().filter((run) => run.preset === preset && run.precision === precision);
  if (runs.length === 0) throw new Error(`no results of ${preset}, ${precision}`);
  return runs.map((run) => ({ ...run, adapter: cardOf(run.adapter) }));
};

/** Convolutions and matrix products beside cuDNN's and cuBLAS's. */
export function kernels() {
  const lines = linesOf('nvidia-h200.jsonl', 'nvidia-h200-convolutions.jsonl');
  const [adapter] = lines.adapters;
  return {
    card: cardOf(adapter),
    date: [...lines.dates].join(', '),
    convolutions: convolutionCases(lines.convolutions),
    products: productCases(lines.products),
  };
}

/** What predicting an algorithm loses, by suite. */
export function predictions() {
  const lines = linesOf('nvidia-h100-find.jsonl');
  const [adapter] = lines.adapters;
  return { card: cardOf(adapter), of: new Map(predictionsOf(lines).map((one) => [one.suite, one])) };
}

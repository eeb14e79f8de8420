/** The published results that claims rest on. */
import { readFileSync } from 'node:fs';
import type { Spread } from '../../src/gpu/timing.ts';
import {
  convolutionCases,
  predictionsOf,
  productCases,
  stepCases,
  type FigureCase,
} from '../tables/figures.ts';
import { readLines, type Lines, type Step } from '../tables/lines.ts';

/** A file of the project, by its path from the root. */
export const file = (path: string): URL => new URL(`../../${path}`, import.meta.url);

const textOf = (name: string): string => readFileSync(file(`bench/results/${name}`), 'utf8');
const jsonLines = <T>(name: string): T[] =>
  textOf(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
const linesOf = (...names: string[]): Lines => readLines(names.map((name) => ({ name, text: textOf(name) })));

export interface Steps {
  /** "NVIDIA H100", without memory and driver. */
  card: string;
  date: string;
  /** "PyTorch 2.11" */
  pytorch: string;
  of(model: string, batchSize: number, precision?: Step['precision']): FigureCase<Step>;
  /** What the GPU alone took for LeNet-5 in each of the processes, in milliseconds. */
  lenetOnGpu: number[];
}

const cardOf = (adapter: string): string => adapter.replace(/ (?:\d+GB .*|\(.*\))$/, '');

export function steps(): Steps {
  const name = 'nvidia-h100-steps.jsonl';
  const lines = linesOf(name);
  const cases = stepCases(lines.steps);
  const [adapter] = lines.adapters;
  const [pytorch = ''] = [...lines.libraries].filter((library) => library.startsWith('PyTorch'));
  return {
    card: cardOf(adapter),
    date: [...lines.dates].join(', '),
    pytorch: pytorch.replace(/^(PyTorch \d+\.\d+).*/, '$1'),
    of(model, batchSize, precision = 'single') {
      const one = cases
        .get(model)
        ?.find((step) => step.batchSize === batchSize && step.precision === precision);
      if (!one) throw new Error(`${name} has no step of ${model}, batch ${batchSize}, ${precision}`);
      return one;
    },
    lenetOnGpu: jsonLines<{ model?: string; batch_size?: number; gpu_ms?: number }>(name).flatMap((one) =>
      one.model === 'lenet5' && one.batch_size === 128 ? (one.gpu_ms ?? []) : [],
    ),
  };
}

/** A run of the page at full speed, and the same step in Node and in PyTorch's fastest mode, in milliseconds. */
export interface PageRun {
  name: string;
  /** By the wall clock, tests and all. */
  page: Spread & { n: number };
  /** From pressing Train to the first step. */
  first: number;
  node: number;
  pytorch: number;
}

export interface PageRuns {
  card: string;
  browser: string;
  date: string;
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

export function pageRuns(): PageRuns {
  const name = 'page-nvidia-h200.jsonl';
  const { adapters, steps: measured } = linesOf(name);
  const rows = jsonLines<Partial<Spread & { what: string; n: number; runtime: string; date: string }>>(name);
  const row = (what: string) => {
    const { median, p10, p90, n, runtime, date } = rows.find((one) => one.what === what) ?? {};
    if ([median, p10, p90, n].includes(undefined)) throw new Error(`${name} has no row "${what}"`);
    return { median, p10, p90, n, runtime, date } as Required<
      Spread & { n: number; runtime: string; date: string }
    >;
  };
  const least = (times: readonly number[]) => Math.min(...times);
  const runs = Object.entries(PAGE_STEPS).map(([run, step]): PageRun => {
    const same = (one: Step) =>
      Object.entries(step).every(([key, value]) => one[key as keyof Step] === value);
    return {
      name: run,
      page: row(`${run}: a step, by the wall clock`),
      first: row(`${run}: from Train to the first step`).median,
      node: least(measured.wgrad.filter(same).map(({ ms }) => ms.median)),
      pytorch: least(measured.pytorch.filter(same).map(({ ms }) => ms.median)),
    };
  });
  const { runtime, date } = row(`${runs[0].name}: a step, by the wall clock`);
  return {
    card: cardOf([...adapters][0]),
    browser: runtime.replace(/\..*/, ''),
    date: date.slice(0, 10),
    runs,
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

interface Turn {
  library?: string;
  ratio_to?: string;
  ratio?: { median: number };
  optimizer: string;
  batch_size: number;
  rounds: number;
  images_per_second?: { median: number };
  machine: string;
}

/** LeNet-5 by several libraries in turns. @param where "cpu", "swiftshader" */
export function turns(where: 'cpu' | 'swiftshader') {
  const lines = JSON.parse(textOf(`lenet5-training-${where}.json`)) as Turn[];
  const ofSgd = lines.filter(({ optimizer }) => optimizer === 'sgd');
  const named = (name: string, value: string | undefined) => value?.startsWith(name) ?? false;
  const found = <T>(what: string, value: T | undefined): T => {
    if (value === undefined) throw new Error(`lenet5-training-${where}.json has no ${what}`);
    return value;
  };
  return {
    batchSize: ofSgd[0].batch_size,
    rounds: ofSgd[0].rounds,
    imagesPerSecond: found(
      'rate of wgrad',
      ofSgd.find(({ library }) => named('wgrad', library))?.images_per_second?.median,
    ),
    times: (peer: string): number =>
      found(`ratio to ${peer}`, ofSgd.find(({ ratio_to }) => named(peer, ratio_to))?.ratio?.median),
  };
}

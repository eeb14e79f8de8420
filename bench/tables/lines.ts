/** Reads the JSON lines that `wgrad bench`, the benchmarks here and pytorch.py print. Fields that it does not know do not matter. */
import { Failure } from '../../src/base/result.ts';
import { DIRECTIONS, parseProblem, problemKey, type Direction } from '../../src/engine/ops/conv/problem.ts';
import type { Spread } from '../../src/gpu/timing.ts';

/** Libraries that take turns with wgrad, as their titles begin; they have their columns in this order. */
export const PEERS = ['TensorFlow.js', 'jax-js'] as const;
export type PeerName = (typeof PEERS)[number];

export interface ConvolutionLine {
  /** As `problemKey` makes it. */
  problem: string;
  direction: Direction;
}

/** Of square matrices. */
export interface Product {
  size: number;
}

export interface Step {
  model: string;
  optimizer: string;
  batchSize: number;
  /** Mixed: wgrad's 16-bit activations; PyTorch's automatic mixed precision. */
  precision: 'single' | 'mixed';
}

export interface TimedLine {
  /** Milliseconds. */
  ms: Spread;
  /** Samples, or rounds. */
  n: number;
}

/** One launch of one of wgrad's algorithms. */
export interface Launched extends TimedLine {
  algorithm: string;
  /** Not said where it is the algorithm's only one. */
  launch: string | undefined;
  /** Against float64 at sampled places, relative to the largest number, where it is known. */
  error: number | undefined;
}

export interface ByPyTorch extends TimedLine {
  /** Of steps as `modesOf` names them; of convolutions "eager" or "cuda graph"; matrix products have none. */
  mode: string | undefined;
  /** Against float64, relative to the largest number, where it is known. */
  error: number | undefined;
}

/** All times of one kind of work. */
export interface Measurements<Task, Own extends TimedLine = TimedLine> {
  wgrad: (Task & Own)[];
  pytorch: (Task & ByPyTorch)[];
  /** In turns, by the wall clock. */
  turns: (Task & TimedLine & { library: 'wgrad' | PeerName })[];
  /** How many times as fast wgrad was as a peer, in turns. */
  times: (Task & { peer: PeerName; times: Spread })[];
}

/** One problem that `find` measured and `get` predicted. */
export interface Search {
  suite: string;
  /** Layers that have the problem. */
  count: number;
  best_ms: number;
  get_ms: number;
  search_seconds: number;
}

/** A kernel of a step, on its own. */
export interface KernelLine {
  kernel: string;
  /** Milliseconds. */
  ms: number;
  /** FLOP; 0 if there are none. */
  flop: number;
  /** That it reads and writes at least. */
  bytes: number;
}

/** A step taken apart, and what the GPU does at best. */
export interface ProfileLine extends Step, TimedLine {
  kernels: KernelLine[];
  flopPerSecond: number;
  bytesPerSecond: number;
}

export interface Lines {
  convolutions: Measurements<ConvolutionLine, Launched>;
  products: Measurements<Product>;
  steps: Measurements<Step>;
  profiles: ProfileLine[];
  /** By suite, problem and direction; the last of each counts. */
  searches: Map<string, Search>;
  /** Of all lines with times for these. */
  adapters: Set<string>;
  runtimes: Set<string>;
  libraries: Set<string>;
  machines: Set<string>;
  dates: Set<string>;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * @param files what they are called, and what is in them
 * @throws Failure `bad-input` naming the line that is no JSON object or has other values than expected
 */
export function readLines(files: readonly { name: string; text: string }[]): Lines {
  const none = () => ({ wgrad: [], pytorch: [], turns: [], times: [] });
  const lines: Lines = {
    convolutions: none(),
    products: none(),
    steps: none(),
    profiles: [],
    searches: new Map(),
    adapters: new Set(),
    runtimes: new Set(),
    libraries: new Set(),
    machines: new Set(),
    dates: new Set(),
  };
  for (const { name, text } of files) {
    for (const [i, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue;
      try {
        const json: unknown = JSON.parse(line);
        if (!isJson(json)) throw new Error('expected an object');
        if (sortIn(lines, json)) noteCircumstances(lines, json);
      } catch (error) {
        throw new Failure('bad-input', `${name}, line ${i + 1}: ${(error as Error).message}`);
      }
    }
  }
  return lines;
}

function noteCircumstances(lines: Lines, json: Json): void {
  const { library, runtime, machine, date } = json;
  lines.adapters.add(textOf(json, 'adapter'));
  if (typeof library === 'string') lines.libraries.add(library);
  if (typeof runtime === 'string') lines.runtimes.add(runtime);
  // How busy it was is another at every line.
  if (typeof machine === 'string') lines.machines.add(machine.replace(/, load [\d.]+$/, ''));
  if (typeof date === 'string') lines.dates.add(date.slice(0, 10));
}

/** False if the line is about something else, about 16-bit convolutions or augmented images: the tables are about neither. */
function sortIn(lines: Lines, json: Json): boolean {
  const { bench, problem, direction, table, status, augmentation = 'none' } = json;
  if (json['number'] === 'f16' || augmentation !== 'none') return false;
  if (json['search_seconds'] !== undefined && problem !== undefined) {
    const searched = sortSearch(lines, json);
    // All that it tried.
    const rows: readonly unknown[] = Array.isArray(table) ? table : [];
    const tried = rows.filter((row) => isJson(row) && sortIn(lines, { ...row, problem, direction }));
    return searched || tried.length > 0;
  }
  if (problem !== undefined && status !== undefined) {
    if (status !== 'ok') return false;
    const launch = json['launch'] === undefined ? undefined : textOf(json, 'launch');
    const how = { algorithm: textOf(json, 'algorithm'), launch, error: errorIn(json) };
    lines.convolutions.wgrad.push({ ...convolutionOf(json), ...how, ...ownTime(json) });
    return true;
  }
  if (bench === 'convolution') return sortMeasured(lines.convolutions, json, 'ms', convolutionOf);
  if (bench === 'gemm') return sortMeasured(lines.products, json, 'ms', productOf);
  const [, trained] = /^(.+)-training$/.exec(typeof bench === 'string' ? bench : '') ?? [];
  if (trained !== undefined) {
    // A mode that was not measured has the reason.
    if (json['skipped'] !== undefined) return false;
    return sortMeasured(lines.steps, json, 'ms_per_step', () => stepOf(json, trained));
  }
  if (json['size'] !== undefined && json['tile'] !== undefined) {
    lines.products.wgrad.push({ ...productOf(json), ...ownTime(json) });
    return true;
  }
  if (json['model'] !== undefined && json['optimizer'] !== undefined && json['median_ms'] !== undefined) {
    const step = { ...stepOf(json, textOf(json, 'model')), ...ownTime(json) };
    lines.steps.wgrad.push(step);
    if (json['kernels'] !== undefined) lines.profiles.push({ ...step, ...profileIn(json) });
    return true;
  }
  return false;
}

/** A line of pytorch.py or pytorch_steps.py, or of a benchmark that takes turns. @param ms the field with the milliseconds */
function sortMeasured<Task>(
  { pytorch, turns, times }: Pick<Measurements<Task>, 'pytorch' | 'turns' | 'times'>,
  json: Json,
  ms: string,
  taskOf: (json: Json) => Task,
): boolean {
  const isBy = (title: unknown, name: string) => typeof title === 'string' && title.startsWith(name);
  const { library, ratio_of: of, ratio_to: to } = json;
  if (isBy(library, 'PyTorch')) {
    const mode = json['mode'] === undefined ? undefined : textOf(json, 'mode');
    const time = { ms: spreadIn(json, ms), n: numberOf(json, 'samples') };
    pytorch.push({ ...taskOf(json), ...time, mode, error: errorIn(json) });
    return true;
  }
  const player = (['wgrad', ...PEERS] as const).find((name) => isBy(library, name));
  if (player !== undefined) {
    const time = { ms: spreadIn(json, ms), n: numberOf(json, 'rounds') };
    turns.push({ ...taskOf(json), ...time, library: player });
    return true;
  }
  const peer = PEERS.find((name) => isBy(to, name));
  if (peer === undefined || !isBy(of, 'wgrad')) return false;
  times.push({ ...taskOf(json), peer, times: spreadIn(json, 'ratio') });
  return true;
}

/** False where nothing was found or predicted. */
function sortSearch({ searches }: Lines, json: Json): boolean {
  if (json['best_ms'] === null || json['get_ms'] === null) return false;
  const { problem, direction } = convolutionOf(json);
  const suite = textOf(json, 'suite');
  searches.set([suite, problem, direction].join('; '), {
    suite,
    count: numberOf(json, 'count'),
    search_seconds: numberOf(json, 'search_seconds'),
    best_ms: numberOf(json, 'best_ms'),
    get_ms: numberOf(json, 'get_ms'),
  });
  return true;
}

function convolutionOf(json: Json): ConvolutionLine {
  const direction = DIRECTIONS.find((one) => one === json['direction']);
  if (direction === undefined) throw expected(json, 'direction', `one of ${DIRECTIONS.join(', ')}`);
  return { problem: problemKey(parseProblem(textOf(json, 'problem'))), direction };
}

const productOf = (json: Json): Product => ({ size: numberOf(json, 'size') });

const stepOf = (json: Json, model: string): Step => ({
  model,
  optimizer: textOf(json, 'optimizer'),
  batchSize: numberOf(json, 'batch_size'),
  precision: json['precision'] === 'mixed' ? 'mixed' : 'single',
});

/** What `wgrad bench` measured. */
const ownTime = (json: Json): TimedLine => ({
  ms: { median: numberOf(json, 'median_ms'), p10: numberOf(json, 'p10_ms'), p90: numberOf(json, 'p90_ms') },
  n: numberOf(json, 'n'),
});

/** What `--profile` adds. */
function profileIn(json: Json): Pick<ProfileLine, 'kernels' | 'flopPerSecond' | 'bytesPerSecond'> {
  const { kernels, ceilings } = json;
  const { product, copy } = isJson(ceilings) ? ceilings : {};
  if (!Array.isArray(kernels) || !isJson(product) || !isJson(copy)) {
    throw expected(json, 'ceilings', 'kernels, and a product and a copy to compare them with');
  }
  return {
    kernels: kernels.map((one: unknown) => {
      if (!isJson(one)) throw expected(json, 'kernels', 'objects');
      const { flop } = one;
      const work = { flop: flop === 0 ? 0 : numberOf(one, 'flop'), bytes: numberOf(one, 'bytes') };
      return { kernel: textOf(one, 'kernel'), ms: numberOf(one, 'ms'), ...work };
    }),
    flopPerSecond: numberOf(product, 'flopPerSecond'),
    bytesPerSecond: numberOf(copy, 'bytesPerSecond'),
  };
}

function spreadIn(json: Json, name: string): Spread {
  const value = json[name];
  if (!isJson(value)) throw expected(json, name, 'median, p10 and p90');
  return { median: numberOf(value, 'median'), p10: numberOf(value, 'p10'), p90: numberOf(value, 'p90') };
}

function errorIn(json: Json): number | undefined {
  const { error } = json;
  if (error === undefined) return undefined;
  if (typeof error !== 'number' || !(error >= 0)) throw expected(json, 'error', 'a number not below 0');
  return error;
}

function textOf(json: Json, name: string): string {
  const value = json[name];
  if (typeof value !== 'string') throw expected(json, name, 'a text');
  return value;
}

/** Times, speeds and sizes are all above 0. */
function numberOf(json: Json, name: string): number {
  const value = json[name];
  if (typeof value !== 'number' || !(value > 0)) throw expected(json, name, 'a number above 0');
  return value;
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const expected = (json: Json, name: string, what: string) =>
  new Error(`"${name}": expected ${what}, found ${JSON.stringify(json[name])}`);

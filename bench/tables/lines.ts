/** Reads the JSON lines that `wgrad bench`, the benchmarks here and pytorch.py print. Fields that it does not know do not matter. */
import { Failure } from '../../src/base/result.ts';
import { DIRECTIONS, parseProblem, problemKey, type Direction } from '../../src/engine/ops/conv/problem.ts';
import type { Spread } from '../../src/gpu/timing.ts';

interface Convolution {
  /** As `problemKey` makes it. */
  problem: string;
  direction: Direction;
}

/** One launch of one of wgrad's algorithms. */
export type Launched = Convolution & {
  algorithm: string;
  /** Not said where it is the algorithm's only one. */
  launch: string | undefined;
  /** Milliseconds. */
  ms: Spread;
  tflops: number;
};

/** A peer's time. */
export type Peered = Convolution & { ms: Spread };

export interface Product {
  size: number;
  tflops: number;
}

export interface Lines {
  wgrad: Launched[];
  /** Each mode that PyTorch was run in. */
  cudnn: Peered[];
  tfjs: Peered[];
  /** How many times as fast wgrad was as TensorFlow.js, in turns. */
  turns: (Convolution & { times: Spread })[];
  gemm: { wgrad: Product[]; cublas: Product[] };
  /** Of all lines with times for these. */
  adapters: Set<string>;
  libraries: Set<string>;
  dates: Set<string>;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * @param files what they are called, and what is in them
 * @throws Failure `bad-input` naming the line that is no JSON object or has other values than expected
 */
export function readLines(files: readonly { name: string; text: string }[]): Lines {
  const lines: Lines = {
    ...{ wgrad: [], cudnn: [], tfjs: [], turns: [], gemm: { wgrad: [], cublas: [] } },
    ...{ adapters: new Set(), libraries: new Set(), dates: new Set() },
  };
  for (const { name, text } of files) {
    for (const [i, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue;
      try {
        const json: unknown = JSON.parse(line);
        if (!isJson(json)) throw new Error('expected an object');
        if (!sortIn(lines, json)) continue;
        lines.adapters.add(textOf(json, 'adapter'));
        if (typeof json['library'] === 'string') lines.libraries.add(json['library']);
        if (typeof json['date'] === 'string') lines.dates.add(json['date'].slice(0, 10));
      } catch (error) {
        throw new Failure('bad-input', `${name}, line ${i + 1}: ${(error as Error).message}`);
      }
    }
  }
  return lines;
}

/** False if the line is about something else, or about 16-bit numbers: the tables are about float32. */
function sortIn(lines: Lines, json: Json): boolean {
  const { bench, library, problem, direction, size, table, ratio_of: of, ratio_to: to } = json;
  const isBy = (one: unknown, name: string) => typeof one === 'string' && one.startsWith(name);
  if (json['number'] === 'f16') return false;
  if (Array.isArray(table)) {
    // All that `bench find` tried.
    const rows: readonly unknown[] = table;
    return rows.filter((row) => isJson(row) && sortIn(lines, { ...row, problem, direction })).length > 0;
  }
  if (problem !== undefined && json['status'] !== undefined) {
    if (json['status'] !== 'ok') return false;
    lines.wgrad.push({
      ...convolutionOf(json),
      algorithm: textOf(json, 'algorithm'),
      launch: json['launch'] === undefined ? undefined : textOf(json, 'launch'),
      ms: {
        median: numberOf(json, 'median_ms'),
        p10: numberOf(json, 'p10_ms'),
        p90: numberOf(json, 'p90_ms'),
      },
      tflops: numberOf(json, 'tflops'),
    });
  } else if (bench === 'convolution' && isBy(library, 'PyTorch')) {
    lines.cudnn.push({ ...convolutionOf(json), ms: spreadIn(json, 'ms') });
  } else if (bench === 'convolution' && isBy(library, 'TensorFlow.js')) {
    lines.tfjs.push({ ...convolutionOf(json), ms: spreadIn(json, 'ms') });
  } else if (bench === 'convolution' && isBy(of, 'wgrad') && isBy(to, 'TensorFlow.js')) {
    lines.turns.push({ ...convolutionOf(json), times: spreadIn(json, 'ratio') });
  } else if (bench === 'gemm' && isBy(library, 'PyTorch')) {
    lines.gemm.cublas.push({ size: numberOf(json, 'size'), tflops: numberOf(json, 'tflops') });
  } else if (size !== undefined && json['tile'] !== undefined) {
    lines.gemm.wgrad.push({ size: numberOf(json, 'size'), tflops: numberOf(json, 'tflops') });
  } else {
    return false;
  }
  return true;
}

function convolutionOf(json: Json): Convolution {
  const direction = DIRECTIONS.find((one) => one === json['direction']);
  if (direction === undefined) throw expected(json, 'direction', `one of ${DIRECTIONS.join(', ')}`);
  return { problem: problemKey(parseProblem(textOf(json, 'problem'))), direction };
}

function spreadIn(json: Json, name: string): Spread {
  const value = json[name];
  if (!isJson(value)) throw expected(json, name, 'median, p10 and p90');
  return { median: numberOf(value, 'median'), p10: numberOf(value, 'p10'), p90: numberOf(value, 'p90') };
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

/** What results are printed with. */
import { cpus, loadavg } from 'node:os';
import { spreadOf, type Spread } from '../src/gpu/timing.ts';

/** What a result is worth nothing without. */
export interface Circumstances {
  adapter: string;
  /** "Chromium 140.0.7339.80", "Node 20.20.2, Dawn (webgpu 0.6.2)" */
  runtime: string;
  /** "AMD EPYC, 2 cores, load 0.3": of the minute before the benchmark began. */
  machine: string;
  /** ISO 8601. */
  date: string;
}

/** To be asked before the machine is busy with the benchmark itself. */
export function machineNow(): string {
  const cores = cpus();
  return `${cores[0].model.trim()}, ${cores.length} cores, load ${loadavg()[0].toFixed(1)}`;
}

/** Median, 10th and 90th percentile, to four digits. */
export function roundedSpread(samples: readonly number[]): Spread {
  const { median, p10, p90 } = spreadOf(samples);
  const round = (value: number) => Number(value.toPrecision(4));
  return { median: round(median), p10: round(p10), p90: round(p90) };
}

/** Round by round, how many times as long `ms` is as `than`. */
export const ratioOf = (ms: readonly number[], than: readonly number[]): Spread =>
  roundedSpread(ms.map((time, round) => time / than[round]));

/** A table in Markdown. @param head its columns; those that end in a colon have numbers, which stand at the right */
export function markdown(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    line(head.map((name) => name.replace(/:$/, ''))),
    line(head.map((name) => (name.endsWith(':') ? '--:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}

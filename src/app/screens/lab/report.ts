/** Results as files, with everything needed to judge them: adapter, browser, method, date. */
import { csvOf, type CsvValue } from '../../../base/csv.ts';
import { paddingPair, showPadding } from '../../../base/padding.ts';
import type { Average, ConvSizes, SampleSpread, Tried } from '../../../worker/api.ts';
import type { MeasuredBatch } from './lab-store.ts';
import type { Measurement } from './batch.ts';
import { sameChoice } from './tuning.ts';
import { firstOf, isTimed, unclearOf, type TimedVariant } from './verdict.ts';

/** The method in words. Clock and counts are part of each result. */
export const METHOD = [
  'Every kernel variant is first verified against float64 at sampled positions. Incorrect ones are excluded and not timed.',
  'After a warm-up, each sample repeats the call long enough for the timer resolution. Reported: median, 10th and 90th percentile.',
  'The median has a 95 % confidence interval, from order statistics. The fastest wins if no other interval overlaps its own; a tie is certain to within 20 %; anything else is too noisy to tell.',
  'FLOP/s are based on the operation count of direct convolution, for every algorithm.',
  'Errors are the maximum deviation from float64, relative to the largest value.',
] as const;

interface ReportContext {
  title: string;
  /** Reopens it. */
  link: string;
  browser: string;
}

/** Everything, for programs. */
export function jsonReport(batch: MeasuredBatch, { title, link, browser }: ReportContext): string {
  const { date, adapter, edited, measurements, uses, trainingStep, state } = batch;
  const report = {
    program: 'wgrad',
    format: 1,
    title,
    date: date.toISOString(),
    link,
    adapter,
    browser,
    method: METHOD,
    complete: state === 'done',
    ...(edited.length > 0 ? { editedShaders: edited } : {}),
    ...(trainingStep.before || trainingStep.after ? { trainingStep } : {}),
    results: measurements.map((one, i) => ({
      ...(uses[i] ? { layer: uses[i].layer } : {}),
      problem: one.problem?.problem ?? one.request.sizes,
      ...(one.problem ? { flops: one.problem.flops } : {}),
      direction: one.request.direction,
      number: one.request.number,
      workspace: one.request.workspace,
      complete: one.state === 'found',
      ...(one.found
        ? {
            best: one.found.best,
            ties: one.found.ties,
            unclear: one.found.unclear,
            elapsedMs: one.found.elapsedMs,
          }
        : {}),
      tried: one.tried,
      absent: one.absent,
      ...(one.averages.length > 0 ? { averages: one.averages } : {}),
      loops: one.loops,
      cpu: one.cpu,
      error: one.error,
    })),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** A variant that was tried, the loops on the CPU, or an algorithm that is not available. */
interface ReportRow {
  measurement: Measurement;
  layer: string | undefined;
  algorithm: string;
  launch?: string;
  outcome: string;
  reason?: string;
  tried?: Tried;
  time?: SampleSpread & Partial<Pick<TimedVariant, 'interval' | 'repetitions' | 'clock'>>;
  /** Of the CPU engine: what computed, and for how many images. */
  engine?: string;
  images?: number;
}

type ReportColumn = readonly [name: string, value: (row: ReportRow) => CsvValue];

/** One row per kernel variant, for the CPU, and per unavailable algorithm, for spreadsheets. */
export function csvReport(batch: MeasuredBatch, { browser }: Pick<ReportContext, 'browser'>): string {
  const columns: readonly ReportColumn[] = [
    ['date', () => batch.date.toISOString()],
    ['adapter', ({ engine }) => engine ?? batch.adapter?.description],
    ['browser', () => browser],
    ...COLUMNS,
    ['edited_shaders', () => batch.edited.join(' ')],
    ['median_low_ms', ({ time }) => time?.interval?.[0]],
    ['median_high_ms', ({ time }) => time?.interval?.[1]],
    ['yours', ({ tried }) => tried?.yours && 'yes'],
  ];
  return csvOf(
    columns,
    batch.measurements.flatMap((one, i) => rowsOf(one, batch.uses[i]?.layer)),
  );
}

const sizesOf = ({ measurement: { problem, request } }: ReportRow) => problem?.problem ?? request.sizes;

const size = (name: 'C' | 'H' | 'W' | 'K' | 'R' | 'S' | 'groups' | 'layout'): ReportColumn => [
  name,
  (row) => sizesOf(row)[name],
];
const outputSize = (name: 'P' | 'Q'): ReportColumn => [
  name,
  ({ measurement }) => measurement.problem?.problem[name],
];

const COLUMNS: readonly ReportColumn[] = [
  ['layer', ({ layer }) => layer],
  ['N', (row) => row.images ?? sizesOf(row).N],
  ...(['C', 'H', 'W', 'K', 'R', 'S'] as const).map(size),
  ...(['P', 'Q'] as const).map(outputSize),
  ['stride', (row) => sizesOf(row).stride.join('x')],
  ['padding', (row) => paddingCell(sizesOf(row).padding)],
  ['dilation', (row) => sizesOf(row).dilation.join('x')],
  size('groups'),
  size('layout'),
  ['direction', ({ measurement }) => measurement.request.direction],
  ['number', ({ measurement }) => measurement.request.number],
  ['algorithm', ({ algorithm }) => algorithm],
  ['launch', ({ launch }) => launch],
  ['outcome', ({ outcome }) => outcome],
  ['place', placeOf],
  ['median_ms', ({ time }) => time?.median],
  ['p10_ms', ({ time }) => time?.p10],
  ['p90_ms', ({ time }) => time?.p90],
  ['samples', ({ time }) => time?.samples],
  ['repetitions', ({ time }) => time?.repetitions],
  ['clock', ({ time }) => time?.clock],
  ['average_ms', (row) => averageOf(row)?.mean],
  ['average_calls', (row) => averageOf(row)?.calls],
  ['tflops', teraflops],
  ['error', ({ tried }) => (tried && 'error' in tried ? tried.error : undefined)],
  ['workspace_bytes', ({ tried }) => tried?.workspaceBytes],
  ['reason', ({ reason }) => reason],
];

function rowsOf(measurement: Measurement, layer: string | undefined): ReportRow[] {
  const { tried, absent, loops, cpu } = measurement;
  const about = { measurement, layer };
  const triedRow = (one: Tried): ReportRow => ({
    ...about,
    algorithm: one.algorithm,
    launch: one.launch,
    outcome: one.outcome,
    tried: one,
    ...(isTimed(one) ? { time: one } : { reason: one.reason }),
  });
  const absentRow = (algorithm: string, reason: string): ReportRow => ({
    ...about,
    algorithm,
    outcome: 'absent',
    reason,
  });
  return [
    ...(loops
      ? [
          {
            ...about,
            algorithm: 'loops',
            launch: 'one core of the CPU',
            outcome: 'timed',
            time: { ...loops, repetitions: 1, clock: 'wall' as const },
          },
        ]
      : []),
    ...tried.map(triedRow),
    ...(!cpu
      ? []
      : 'reason' in cpu
        ? [absentRow('cpu', cpu.reason)]
        : [{ ...triedRow(cpu.tried), engine: cpu.engine, images: cpu.images }]),
    ...absent.map(({ algorithm, reason }) => absentRow(algorithm, reason)),
  ];
}

/** Its place in the race; the CPU engine and what has no time are not in it. */
function placeOf({ measurement, tried, time, engine }: ReportRow): string {
  if (!tried || !time || engine !== undefined) return '';
  const [first, unclear] = [firstOf(measurement), unclearOf(measurement)];
  const isAmong = (variants: readonly Tried[]) => variants.includes(tried);
  if (unclear.length > 0 && isAmong([...first, ...unclear])) return 'unclear';
  if (!isAmong(first)) return '';
  return first.length > 1 ? 'tie' : 'first';
}

const averageOf = ({ measurement: { averages }, tried }: ReportRow): Average | undefined =>
  tried?.yours ? undefined : averages.find((one) => tried && sameChoice(one, tried));

function teraflops({ measurement: { problem }, time, images }: ReportRow): number | undefined {
  if (!problem || !time) return undefined;
  const share = images === undefined ? 1 : images / problem.problem.N;
  return (share * problem.flops) / time.median / 1e9;
}

/** "1x2"; as in `problemKey`, "0,1,0,1" where opposite sides differ. */
function paddingCell(padding: ConvSizes['padding']): string {
  const pair = typeof padding === 'object' && 'top' in padding ? paddingPair(padding) : padding;
  return Array.isArray(pair) ? pair.join('x') : showPadding(padding);
}

/** Results as files, with everything needed to judge them: adapter, browser, method, date. */
import { paddingPair, showPadding } from '../../../base/padding.ts';
import type { ConvSizes, LaneChoice, Tried } from '../../../worker/api.ts';
import type { MeasuredBatch } from './lab-store.ts';
import type { Measurement } from './batch.ts';
import { firstOf, unclearOf } from './verdict.ts';

/** The method in words. Clock and counts are part of each result. */
export const METHOD = [
  'Every kernel variant is first verified against float64 at sampled positions. Incorrect ones are excluded and not timed.',
  'After a warm-up, each sample repeats the call long enough for the timer resolution. Reported: median, 10th and 90th percentile.',
  'The median has a 95 % confidence interval, from order statistics. The fastest wins if no other interval overlaps its own; a tie is certain to within 20 %; anything else is too noisy to tell.',
  'FLOP/s are based on the operation count of direct convolution, for every algorithm.',
  'Errors are the maximum deviation from float64, relative to the largest value.',
] as const;

interface Context {
  title: string;
  /** Reopens it. */
  link: string;
  browser: string;
}

/** Everything, for programs. */
export function jsonReport(batch: MeasuredBatch, { title, link, browser }: Context): string {
  const { date, adapter, edited, measurements, uses, trainingStep, state } = batch;
  const report = {
    program: 'wgrad',
    format: 1,
    title,
    date: date.toISOString(),
    link,
    adapter: adapter && {
      description: adapter.description,
      vendor: adapter.vendor,
      architecture: adapter.architecture,
      software: adapter.software,
      featureLevel: adapter.featureLevel,
      timestamps: adapter.timestamps,
      features: adapter.features,
    },
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

const COLUMNS = [
  ...['date', 'adapter', 'browser', 'layer'],
  ...['N', 'C', 'H', 'W', 'K', 'R', 'S', 'P', 'Q', 'stride', 'padding', 'dilation', 'groups', 'layout'],
  ...['direction', 'number', 'algorithm', 'launch', 'outcome', 'place', 'median_ms', 'p10_ms', 'p90_ms'],
  ...['samples', 'repetitions', 'clock', 'average_ms', 'average_calls', 'tflops', 'error', 'workspace_bytes'],
  ...['reason', 'edited_shaders', 'median_low_ms', 'median_high_ms', 'yours'],
] as const;

type Row = Partial<Record<(typeof COLUMNS)[number], string | number | null>>;

/** One row per kernel variant, for the CPU, and per unavailable algorithm, for spreadsheets. */
export function csvReport(batch: MeasuredBatch, { browser }: Pick<Context, 'browser'>): string {
  const about: Row = {
    date: batch.date.toISOString(),
    adapter: batch.adapter?.description ?? '',
    browser,
    edited_shaders: batch.edited.join(' '),
  };
  const rows = batch.measurements.flatMap((one, i) =>
    rowsOf(one).map((row) => ({ ...about, layer: batch.uses[i]?.layer ?? '', ...row })),
  );
  const lines = rows.map((row: Row) => COLUMNS.map((column) => cell(row[column])).join(','));
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
}

function rowsOf(one: Measurement): Row[] {
  const { request, problem, tried, absent, averages, loops } = one;
  const sizes = problem?.problem ?? request.sizes;
  const { N, C, H, W, K, R, S, stride, padding, dilation, groups, layout } = sizes;
  const base: Row = {
    N,
    C,
    H,
    W,
    K,
    R,
    S,
    groups,
    layout,
    ...('P' in sizes ? { P: sizes.P, Q: sizes.Q } : {}),
    stride: stride.join('x'),
    padding: paddingCell(padding),
    dilation: dilation.join('x'),
    direction: request.direction,
    number: request.number,
  };
  const first = firstOf(one);
  const unclear = unclearOf(one);
  const standing = (same: (other: LaneChoice) => boolean): string => {
    if (unclear.length > 0 && [...first, ...unclear].some(same)) return 'unclear';
    if (!first.some(same)) return '';
    return first.length > 1 ? 'tie' : 'first';
  };
  const rate = (ms: number) => (problem ? problem.flops / ms / 1e9 : null);
  const rowOf = (launch: Tried): Row => {
    const { algorithm, launch: name, workspaceBytes, outcome } = launch;
    const same = (other: LaneChoice) =>
      other.algorithm === algorithm && other.launch === name && other.yours === launch.yours;
    const row: Row = {
      ...base,
      algorithm,
      launch: name,
      outcome,
      workspace_bytes: workspaceBytes,
      yours: launch.yours ? 'yes' : '',
    };
    if (launch.outcome !== 'timed') {
      return { ...row, reason: launch.reason, error: launch.outcome === 'wrong' ? launch.error : null };
    }
    const { median, p10, p90, interval, samples, repetitions, clock, error } = launch;
    const average = averages.find(same);
    return {
      ...row,
      place: standing(same),
      median_ms: median,
      p10_ms: p10,
      p90_ms: p90,
      median_low_ms: interval[0],
      median_high_ms: interval[1],
      samples,
      repetitions,
      clock,
      error,
      ...(average ? { average_ms: average.mean, average_calls: average.calls } : {}),
      tflops: rate(median),
    };
  };
  const loopRow: Row[] = loops
    ? [
        {
          ...base,
          algorithm: 'loops',
          launch: 'one core of the CPU',
          outcome: 'timed',
          clock: 'wall',
          median_ms: loops.median,
          p10_ms: loops.p10,
          p90_ms: loops.p90,
          samples: loops.samples,
          repetitions: 1,
          tflops: rate(loops.median),
        },
      ]
    : [];
  const absentRows = absent.map(({ algorithm, reason }): Row => ({
    ...base,
    algorithm,
    outcome: 'absent',
    reason,
  }));
  return [...loopRow, ...tried.map(rowOf), ...cpuRows(one, base, rowOf), ...absentRows];
}

/** What the CPU engine did, for as many images as it was given. */
function cpuRows({ cpu, problem }: Measurement, base: Row, rowOf: (tried: Tried) => Row): Row[] {
  if (!cpu || !problem) return [];
  if ('reason' in cpu) return [{ ...base, algorithm: 'cpu', outcome: 'absent', reason: cpu.reason }];
  const { engine, images, tried } = cpu;
  const row: Row = { ...rowOf(tried), N: images, adapter: engine };
  if (tried.outcome !== 'timed') return [row];
  const flops = (problem.flops * images) / problem.problem.N;
  return [{ ...row, place: '', tflops: flops / tried.median / 1e9 }];
}

/** "1x2"; as in `problemKey`, "0,1,0,1" where opposite sides differ. */
function paddingCell(padding: ConvSizes['padding']): string {
  const pair = typeof padding === 'object' && 'top' in padding ? paddingPair(padding) : padding;
  return Array.isArray(pair) ? pair.join('x') : showPadding(padding);
}

const cell = (value: string | number | null | undefined): string => {
  const text = value === undefined || value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

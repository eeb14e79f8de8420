/** near: up to a few times the fastest, longer bars are cut. all: everything, from zero. log: by powers of ten. */
export type TimeScale = 'near' | 'all' | 'log';

export interface TimeAxis {
  /** Where a time lies, 0 to 1. */
  at(ms: number): number;
  /** It lies beyond the end. */
  cut(ms: number): boolean;
  /** Milliseconds. */
  ticks: number[];
}

/** How many times the fastest still fits on the "near" scale. */
const NEAR = 6;

interface Timed {
  median: number;
  p10: number;
  p90: number;
}

/** An axis for these times; undefined where there are none. */
export function timeAxis(scale: TimeScale, times: readonly Timed[]): TimeAxis | undefined {
  if (times.length === 0) return undefined;
  const most = Math.max(...times.map(({ p90, median }) => Math.max(p90, median)));
  const best = Math.min(...times.map(({ median }) => median));
  if (scale === 'log') return logAxis(Math.min(...times.map(({ p10 }) => p10)), most);
  const end = scale === 'near' ? Math.min(most, NEAR * best) * 1.04 : most * 1.04;
  const step = niceStep(end / 4);
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step);
  return { at: (ms) => clamp(ms / end), cut: (ms) => ms > end, ticks };
}

function logAxis(least: number, most: number): TimeAxis {
  const low = Math.floor(Math.log10(Math.max(least, 1e-6)) - 0.2);
  const high = Math.max(Math.ceil(Math.log10(Math.max(most, 1e-6))), low + 1);
  const every = Math.ceil((high - low) / 5);
  const ticks: number[] = [];
  for (let power = low; power <= high; power += every) ticks.push(10 ** power);
  return {
    at: (ms) => clamp((Math.log10(Math.max(ms, 1e-9)) - low) / (high - low)),
    cut: () => false,
    ticks,
  };
}

/** The next of 1, 2, 5, 10, ... from `least` on. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

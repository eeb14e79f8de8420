/** Measurements for tests. */
import type { ConvProblem, FindRequest, Found, LaneChoice, Tried } from '../../../worker/api.ts';
import { waiting, type Measurement } from './batch.ts';
import type { TimedVariant } from './verdict.ts';

export const problem: ConvProblem = {
  N: 1,
  C: 4,
  H: 8,
  W: 8,
  K: 4,
  R: 3,
  S: 3,
  P: 8,
  Q: 8,
  stride: [1, 1],
  padding: { top: 1, bottom: 1, left: 1, right: 1 },
  dilation: [1, 1],
  groups: 1,
  layout: 'nchw',
};

export const request: FindRequest = { sizes: problem, direction: 'fprop', number: 'f32', workspace: 1024 };

/** A variant that took about `median` milliseconds. */
export const timed = (algorithm: string, median: number, launch = 'plain'): TimedVariant => ({
  algorithm,
  launch,
  workspaceBytes: 0,
  outcome: 'timed',
  median,
  p10: 0.95 * median,
  p90: 1.05 * median,
  interval: [0.97 * median, 1.03 * median],
  samples: 10,
  repetitions: 4,
  clock: 'timestamps',
  error: 1e-7,
  dispatches: 1,
  shaders: [`conv/${algorithm}/fprop`],
});

export const wrong = (algorithm: string, launch = 'plain'): Tried => ({
  algorithm,
  launch,
  workspaceBytes: 0,
  outcome: 'wrong',
  reason: 'y[0] is 3, and in float64 1',
  error: 0.5,
  shaders: [`conv/${algorithm}/fprop`],
});

/** A result, with the fastest variant as the best. */
export function foundOf(
  tried: Tried[],
  ties: Tried[] = [],
  absent: Found['absent'] = [],
  unclear: Tried[] = [],
): Found {
  const times = tried.filter((one) => one.outcome === 'timed').sort((a, b) => a.median - b.median);
  const choice = ({ algorithm, launch, yours }: Tried): LaneChoice => ({ algorithm, launch, yours });
  return {
    problem,
    direction: 'fprop',
    number: 'f32',
    workspace: 1024,
    tried,
    absent,
    elapsedMs: 10,
    ...(times.length > 0 ? { best: choice(times[0]) } : {}),
    ties: ties.map(choice),
    unclear: unclear.map(choice),
  };
}

export const measured = (
  tried: Tried[],
  ties: Tried[] = [],
  absent: Found['absent'] = [],
  unclear: Tried[] = [],
): Measurement => ({
  ...waiting(request),
  state: 'found',
  tried,
  absent,
  found: foundOf(tried, ties, absent, unclear),
  problem: { problem, key: 'key', flops: 2e6 },
});

/** The progress of a job of the Lab: events folded into plain data. */
import type { FailureValue } from '../../../base/result.ts';
import type {
  Average,
  ConvDirection,
  ConvNumber,
  ConvSizes,
  CpuTime,
  FindRequest,
  Found,
  LabProgress,
  LayerUse,
  ProblemSummary,
  SampleSpread,
  Tried,
} from '../../../worker/api.ts';
import { textOf } from '../../share/conv-sizes.ts';

export interface Measurement {
  request: FindRequest;
  state: 'waiting' | 'measuring' | 'found' | 'refused';
  /** Known once it is being measured. */
  problem: ProblemSummary | undefined;
  /** The progress before the first result. */
  compiling: { done: number; total: number; yours: boolean } | undefined;
  /** Each variant once, in the order in which they were first tried. */
  tried: Tried[];
  absent: Found['absent'];
  averages: Average[];
  loops: SampleSpread | undefined;
  /** The CPU engine's result, if it was requested. */
  cpu: CpuTime | undefined;
  found: Found | undefined;
  error: FailureValue | undefined;
}

export interface Batch {
  job: number;
  state: 'waiting' | 'measuring' | 'done' | 'cancelled' | 'failed';
  measurements: Measurement[];
  /** What each measurement is for, where a model was tuned. */
  uses: LayerUse[];
  trainingStep: { before?: SampleSpread; after?: SampleSpread };
  /** From the previous batch, for what is not measured again. */
  kept: readonly Measurement[];
  error: FailureValue | undefined;
}

export const newBatch = (
  job: number,
  requests: readonly FindRequest[],
  kept: readonly Measurement[] = [],
): Batch => ({
  job,
  state: 'waiting',
  measurements: requests.map(waiting),
  uses: [],
  trainingStep: {},
  kept,
  error: undefined,
});

export const waiting = (request: FindRequest): Measurement => ({
  request,
  state: 'waiting',
  problem: undefined,
  compiling: undefined,
  tried: [],
  absent: [],
  averages: [],
  loops: undefined,
  cpu: undefined,
  found: undefined,
  error: undefined,
});

/** The batch after one more event. What did not change stays the same object. */
export function fold(batch: Batch, progress: LabProgress): Batch {
  const change = (index: number, how: (measurement: Measurement) => Partial<Measurement>): Batch => ({
    ...batch,
    measurements: batch.measurements.map((one, i) => (i === index ? { ...one, ...how(one) } : one)),
  });
  switch (progress.step) {
    case 'begun': {
      const { requests, uses } = progress;
      const measurements = requests.map(
        (request) => batch.kept.find((one) => sameRequest(one.request, request)) ?? waiting(request),
      );
      return { ...batch, state: 'measuring', measurements, uses };
    }
    case 'measuring':
      return change(progress.index, ({ request }) => ({
        ...waiting(request),
        state: 'measuring',
        problem: progress.problem,
        absent: progress.absent,
      }));
    case 'compiling': {
      const { done, total, yours } = progress;
      return change(progress.index, () => ({ compiling: { done, total, yours } }));
    }
    case 'tried':
      return change(progress.index, ({ tried }) => ({ tried: withTried(tried, progress.tried) }));
    case 'average':
      return change(progress.index, ({ averages }) => ({ averages: [...averages, progress.average] }));
    case 'loops':
      return change(progress.index, () => ({ loops: progress.spread }));
    case 'found': {
      const { found } = progress;
      return change(progress.index, () => ({
        state: 'found',
        found,
        tried: found.tried,
        absent: found.absent,
      }));
    }
    case 'cpu':
      return change(progress.index, () => ({ cpu: progress.cpu }));
    case 'refused':
      return change(progress.index, () => ({ state: 'refused', error: progress.error }));
    case 'training-step':
      return { ...batch, trainingStep: { ...batch.trainingStep, [progress.when]: progress.spread } };
    case 'ended':
      return {
        ...batch,
        state: progress.how,
        error: progress.how === 'failed' ? progress.error : undefined,
        // The measurement that was interrupted has no result.
        measurements: batch.measurements.map((one) =>
          one.state === 'measuring' ? { ...one, state: 'waiting' } : one,
        ),
      };
  }
}

/** The state of measurements that have a result together: that of the first one that has none. */
export function jointState(
  measurements: readonly (Measurement | undefined)[],
): Measurement['state'] | undefined {
  const states = measurements.map((one) => one?.state);
  return states.every((state) => state === 'found') ? 'found' : states.find((state) => state !== 'found');
}

export const isRunning = (batch: Batch | undefined): boolean =>
  batch?.state === 'waiting' || batch?.state === 'measuring';

/** How many measurements have a result, and of how many. */
export function progressOf(batch: Batch | undefined): { done: number; total: number } {
  const measurements = batch?.measurements ?? [];
  const done = measurements.filter(({ state }) => state === 'found' || state === 'refused').length;
  return { done, total: measurements.length };
}

/** Finds the measurement of a problem in a batch, with numbers of one type. */
export function byProblem(
  batch: Batch | undefined,
  number: ConvNumber = 'f32',
): (sizes: ConvSizes, direction: ConvDirection) => Measurement | undefined {
  const keyOf = (sizes: ConvSizes, direction: ConvDirection): string =>
    `${direction} ${Object.values(textOf(sizes)).join(' ')}`;
  const known = new Map(
    batch?.measurements
      .filter(({ request }) => request.number === number)
      .map((one) => [keyOf(one.request.sizes, one.request.direction), one]),
  );
  return (sizes, direction) => known.get(keyOf(sizes, direction));
}

const sameRequest = (a: FindRequest, b: FindRequest): boolean => JSON.stringify(a) === JSON.stringify(b);

function withTried(tried: readonly Tried[], next: Tried): Tried[] {
  const at = tried.findIndex(
    ({ algorithm, launch, yours }) =>
      algorithm === next.algorithm && launch === next.launch && yours === next.yours,
  );
  return at < 0 ? [...tried, next] : tried.with(at, next);
}

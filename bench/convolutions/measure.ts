/** Measures convolutions in turns, and checks that the libraries compute the same and the right numbers. */
import { flops, problemKey, type Direction } from '../../src/engine/ops/conv/problem.ts';
import { convTensorShape, DIRECTION_TENSORS } from '../../src/engine/ops/conv/run.ts';
import { convNumber, samplePlaces } from '../../src/engine/ops/conv/sample.ts';
import { spreadOf, type Spread } from '../../src/gpu/timing.ts';
import { ratioOf, roundedSpread, type Circumstances } from '../rows.ts';
import { makeReady, takeTurns, type Ready, type Timed, type TurnsOptions } from '../turns.ts';
import { inputSource, type Peer, type Task } from './peer.ts';

/**
 * How far any number may be from float64, and from the first library's, relative to the largest. Sums of 10^5 products
 * in float32, one after the other, are off by about a tenth of it.
 */
const TOLERANCE = 1e-4;

/** Numbers that are compared with float64. */
const PLACES = 64;

export interface Player {
  title: string;
  peer: Peer;
}

export interface Measured {
  title: string;
  how: Peer['how'];
  callsPerRound: number;
  /** One a round. */
  msPerCall: number[];
  /** Largest relative error at the sampled places. */
  error: number;
}

/** @throws Error if one computes something else */
export async function measureConvolution(
  players: readonly Player[],
  task: Task,
  { rounds, roundMs }: TurnsOptions,
): Promise<Measured[]> {
  const results = [];
  for (const { title, peer } of players) results.push({ title, numbers: await peer.result() });
  const errors = judge(task, results);
  const ready: Ready<Timed>[] = [];
  for (const { title, peer } of players) {
    ready.push(await makeReady({ title, run: (calls) => peer.run(calls) }, 1, roundMs));
  }
  const turns = await takeTurns(ready, rounds);
  return players.map(({ title, peer: { how } }, i) => {
    const { repetitions } = ready[i];
    const msPerCall = turns[i].map(({ ms }) => ms / repetitions);
    return { title, how, callsPerRound: repetitions, msPerCall, error: errors[i] };
  });
}

/**
 * Compares numbers at some places with float64, and all numbers with the first library's.
 * @returns each one's largest relative error against float64
 * @throws Error if one is wrong
 */
export function judge(
  { problem, direction }: Task,
  results: readonly { title: string; numbers: Float32Array }[],
): number[] {
  const { inputs, output } = DIRECTION_TENSORS[direction];
  const sources = [inputSource(inputs[0]), inputSource(inputs[1])] as const;
  const places = samplePlaces(convTensorShape(problem, output), PLACES);
  const exact = places.map((place) => convNumber(problem, direction, sources, place));
  const [first] = results;
  const largest = largestOf(first.numbers, (i) => first.numbers[i]);
  return results.map(({ title, numbers }) => {
    const what = `${title}: ${direction} of ${problemKey(problem)}`;
    if (numbers.length !== first.numbers.length) {
      throw new Error(`${what} has ${numbers.length} numbers, expected ${first.numbers.length}`);
    }
    const error = largestOf(places, (i) => numbers[places[i]] - exact[i]) / largest;
    const apart = largestOf(numbers, (i) => numbers[i] - first.numbers[i]) / largest;
    for (const [off, than] of [[error, 'float64'] as const, [apart, first.title] as const]) {
      if (!(off <= TOLERANCE)) {
        throw new Error(`${what} differs from ${than} by ${off} of the largest number, allowed ${TOLERANCE}`);
      }
    }
    return error;
  });
}

/** The largest magnitude; NaN if one is. */
function largestOf(all: ArrayLike<unknown>, number: (index: number) => number): number {
  let largest = 0;
  for (let i = 0; i < all.length; i++) largest = Math.max(largest, Math.abs(number(i)));
  return largest;
}

export type Row = Circumstances & {
  bench: 'convolution';
  problem: string;
  direction: Direction;
  rounds: number;
} & (
    | { library: string; calls_per_round: number; ms: Spread; flop: number; tflops: number; error: number }
    | { ratio_of: string; ratio_to: string; ratio: Spread }
  );

/** A row for each library, then one for each but the first: how many times as fast the first is, round by round. */
export function rowsOf(
  measured: readonly Measured[],
  { problem, direction }: Task,
  circumstances: Circumstances,
): Row[] {
  const [first, ...others] = measured;
  const flop = flops(problem);
  const common = {
    bench: 'convolution' as const,
    problem: problemKey(problem),
    direction,
    rounds: first.msPerCall.length,
    ...circumstances,
  };
  return [
    ...measured.map(({ title, how, callsPerRound, msPerCall, error }) => ({
      library: title,
      ...how,
      calls_per_round: callsPerRound,
      ms: roundedSpread(msPerCall),
      flop,
      tflops: Number((flop / spreadOf(msPerCall).median / 1e9).toPrecision(4)),
      error,
      ...common,
    })),
    ...others.map((other) => ({
      ratio_of: first.title,
      ratio_to: other.title,
      ratio: ratioOf(other.msPerCall, first.msPerCall),
      ...common,
    })),
  ];
}

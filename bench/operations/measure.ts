/** Measures operations in turns, and checks that the libraries compute the same and the right numbers. */
import { spreadOf, type Spread } from '../../src/gpu/timing.ts';
import { ratioOf, roundedSpread, type Circumstances } from '../rows.ts';
import { makeReady, takeTurns, type Ready, type Timed, type TurnsOptions } from '../turns.ts';
import { judge, type Expected } from './judge.ts';
import type { Peer } from './peer.ts';

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
export async function measureOperation(
  players: readonly Player[],
  expected: Expected,
  { rounds, roundMs }: TurnsOptions,
): Promise<Measured[]> {
  const results = [];
  for (const { title, peer } of players) results.push({ title, numbers: await peer.result() });
  const errors = judge(expected, results);
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

/** @typeParam Key what says which operation it is */
export type Row<Key> = Key &
  Circumstances & { rounds: number } & (
    | { library: string; calls_per_round: number; ms: Spread; flop: number; tflops: number; error: number }
    | { ratio_of: string; ratio_to: string; ratio: Spread }
  );

/** A row for each library, then one for each but the first: how many times as fast the first is, round by round. */
export function rowsOf<Key extends object>(
  measured: readonly Measured[],
  key: Key,
  flop: number,
  circumstances: Circumstances,
): Row<Key>[] {
  const [first, ...others] = measured;
  const common = { ...key, rounds: first.msPerCall.length, ...circumstances };
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

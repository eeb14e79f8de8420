/** Measures operations in turns, and checks that the libraries compute the same and the right numbers. */
import { spreadOf, type Spread } from '../../src/gpu/timing.ts';
import { ratioOf, roundedSpread, type Circumstances } from '../rows.ts';
import type { TurnsOptions } from '../options.ts';
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
  const measured: Measured[] = [];
  for (const [i, { title, peer }] of players.entries()) {
    const callsPerRound = await callsIn(peer, roundMs);
    measured.push({ title, how: peer.how, callsPerRound, msPerCall: [], error: errors[i] });
  }
  for (let round = 0; round < rounds; round++)
    for (const [i, { callsPerRound, msPerCall }] of measured.entries())
      msPerCall.push((await players[i].peer.run(callsPerRound)).ms / callsPerRound);
  return measured;
}

/** Compiles everything, and finds out how many calls fill a round. */
async function callsIn(peer: Peer, roundMs: number): Promise<number> {
  await peer.run(1);
  let calls = 1;
  for (;;) {
    const { ms } = await peer.run(calls);
    calls = Math.max(1, Math.round((calls * roundMs) / ms));
    if (ms > roundMs / 2) return calls;
  }
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

import { expect } from 'vitest';
import { Random } from '../random.ts';
import { Failure } from '../result.ts';
import { isExhaustive } from './tier.ts';
import { expectWithin, processorTime } from './processor-time.ts';

interface MutatedFiles<File> {
  /** Names the random numbers and the printed line. */
  kind: string;
  tries: number;
  /** @param seed from 0 */
  file(random: Random, seed: number): File | Promise<File>;
  read(file: File): unknown;
  /** How the message of a Failure begins. */
  place: RegExp;
}

/** What a person still waits for. */
const LIMIT_MS = 2000;
/** The files have some kilobytes. */
const LIMIT_BYTES = 2 ** 24;

/** Reads mutated files: each gives a value or a Failure with its place, soon, and without taking more memory than it needs. */
export async function expectResultOrFailure<File>({
  kind,
  tries,
  file,
  read,
  place,
}: MutatedFiles<File>): Promise<void> {
  let failures = 0;
  const slowest = { ms: 0, seed: 0 };
  const largest = { bytes: 0, seed: 0 };
  for (let seed = 0; seed < tries; seed++) {
    const mutated = await file(new Random(seed, kind), seed);
    const start = processorTime();
    const before = process.memoryUsage().arrayBuffers;
    try {
      await read(mutated);
    } catch (error) {
      if (!(error instanceof Failure)) throw new Error(`mutation with seed ${seed}`, { cause: error });
      expect(error.message).toMatch(place);
      expect(error.message.length).toBeLessThan(1500);
      failures++;
    }
    const bytes = process.memoryUsage().arrayBuffers - before;
    const ms = expectWithin(LIMIT_MS, start, `ms of processor time, seed ${seed}`);
    if (ms > slowest.ms) Object.assign(slowest, { ms, seed });
    if (bytes > largest.bytes) Object.assign(largest, { bytes, seed });
  }
  const figures = `${tries} mutations, ${failures} refused; slowest ${slowest.ms.toFixed(1)} ms, largest ${largest.bytes >> 10} KiB`;
  if (isExhaustive) process.stdout.write(`${kind}: ${figures}\n`);
  expect(largest.bytes, `seed ${largest.seed}`).toBeLessThan(LIMIT_BYTES);
  expect(failures).toBeGreaterThan(tries / 4);
}

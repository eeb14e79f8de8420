/** What many runs leave. */
import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { count } from '../base/testing/tier.ts';
import { cleanSupply, recorded, tiny } from './testing/tiny-run.ts';

const supply = cleanSupply();
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of objects and buffers, without the code that V8 compiles for functions as they are called more often. */
const heldBytes = async () => {
  // A run that has just ended frees its last objects slightly later, and a collection its last buffers.
  for (let i = 0; i < 2; i++) {
    collectGarbage();
    await new Promise((done) => setTimeout(done, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
  return heapUsed + arrayBuffers - code - bytecode;
};

/** A leaked run would take over 5 kB, which is as far from the limit after 300 runs as after a thousand. */
const RUNS = count(300, 300, 1000);
const SAMPLES = 20;
const EACH = RUNS / SAMPLES;

test(`starting, editing and stopping ${RUNS} runs leaks neither buffers nor heap`, async () => {
  const configs = [16, 8].map((batchSize) => tiny({ batchSize, lastStep: 1 }));
  const device = await supply.get();
  const memory: number[] = [];
  for (let cycle = 0; cycle < RUNS; cycle++) {
    const { run } = recorded(configs[cycle % 2], supply);
    run.train();
    await run.settled();
    run.adjust({ lr: 0.001 * (1 + (cycle % 3)) });
    await run.settled();
    await run.stop();
    expect(run.steps).toBe(1);
    expect(run.changes.adjustments).toHaveLength(1);
    await run.close();
    expect(device.ledger).toMatchObject({ buffers: 0, bytes: 0 });
    if ((cycle + 1) % EACH === 0) memory.push(await heldBytes());
  }
  // The first samples still grow by what is compiled and cached once.
  const growth = slope(memory.slice(6)) / EACH;
  expect(growth, 'bytes that a cycle leaves').toBeLessThan(1000);
});

/** The slope of the least-squares line through the values. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const covariance = values.reduce((sum, value, i) => sum + (i - middle) * (value - mean), 0);
  return covariance / values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
}

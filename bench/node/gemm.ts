/** Times matrix products in this process, on Dawn for Node: for machines with a GPU and no browser. */
import { Failure } from '../../src/base/result.ts';
import { flag, integer, withDefault, type Option } from '../../src/cli/arguments.ts';
import { expectedOf, flops, keyOf } from '../gemm/measure.ts';
import wgrad from '../gemm/wgrad.ts';
import { measureOperation, rowsOf } from '../operations/measure.ts';
import { listOf, readOptions, turnsOptions } from '../options.ts';
import { setUp } from './runtime.ts';

const SMALL_SIZES = [64, 128, 256];

const whole = integer('N', 'rows and columns, multiples of 4', { min: 4, max: 16384 });
const size: Option<number> = {
  ...whole,
  read(texts, name) {
    const found = whole.read(texts, name);
    if (found % 4 !== 0) throw new Failure('bad-input', `${name}: expected a multiple of 4, found ${found}`);
    return found;
  },
};

const options = readOptions(process.argv.slice(2), {
  size: withDefault(listOf(size), [1024, 2048, 4096]),
  small: flag(`${SMALL_SIZES.join(', ')} instead, for machines without a GPU`),
  ...turnsOptions({ rounds: 10, roundMs: 300 }),
});
const turns = { rounds: options.rounds, roundMs: options['round-ms'] };

const circumstances = await setUp('gpu');
const { default: tfjs } = await import('../gemm/tfjs.ts');
const { default: jax } = await import('../gemm/jax.ts');

for (const one of options.small ? SMALL_SIZES : options.size) {
  const task = { size: one };
  const players = [];
  for (const { title, open } of [wgrad, tfjs, jax]) players.push({ title, peer: await open(task) });
  const measured = await measureOperation(players, expectedOf(task), turns);
  const rows = rowsOf(measured, keyOf(task), flops(task), circumstances());
  for (const row of rows) console.log(JSON.stringify(row));
  for (const { peer } of players) await peer.close();
}
// Dawn keeps the process alive.
process.exit();

/** Times single convolutions in this process, on Dawn for Node: for machines with a GPU and no browser. */
import { flag } from '../../src/cli/arguments.ts';
import { triedColumns } from '../../src/cli/bench/conv.ts';
import { directionOption, directionsOf } from '../../src/cli/conv-options.ts';
import { flops } from '../../src/engine/ops/conv/problem.ts';
import { expectedOf, keyOf } from '../convolutions/measure.ts';
import { PROBLEMS, SMALL_PROBLEMS } from '../convolutions/problems.ts';
import wgrad from '../convolutions/wgrad.ts';
import { measureOperation, rowsOf } from '../operations/measure.ts';
import { readOptions, turnsOptions } from '../options.ts';
import { setUp } from './runtime.ts';

const options = readOptions(process.argv.slice(2), {
  small: flag('small problems instead, for machines without a GPU'),
  direction: directionOption,
  ...turnsOptions({ rounds: 10, roundMs: 300 }),
});
const turns = { rounds: options.rounds, roundMs: options['round-ms'] };

const circumstances = await setUp('gpu');
const { default: tfjs } = await import('../convolutions/tfjs.ts');
const { default: jax } = await import('../convolutions/jax.ts');

for (const problem of options.small ? SMALL_PROBLEMS : PROBLEMS) {
  for (const direction of directionsOf(options.direction)) {
    const task = { problem, direction };
    const own = await wgrad.open(task);
    const key = keyOf(task);
    // What the best was chosen from, by the GPU's own clock, as `wgrad bench conv` prints it.
    for (const tried of own.found.tried) {
      const line = { ...key, library: wgrad.title, ...triedColumns(tried, problem) };
      console.log(JSON.stringify({ ...line, ...circumstances() }));
    }
    const players = [
      { title: wgrad.title, peer: own },
      { title: tfjs.title, peer: await tfjs.open(task) },
      { title: jax.title, peer: await jax.open(task) },
    ];
    const measured = await measureOperation(players, expectedOf(task), turns);
    const rows = rowsOf(measured, key, flops(problem), circumstances());
    for (const row of rows) console.log(JSON.stringify(row));
    for (const { peer } of players) await peer.close();
  }
}
// Dawn keeps the process alive.
process.exit();

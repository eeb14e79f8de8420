/** Times training in this process, on Dawn for Node or on one core: for machines without a browser. */
import { readDataset } from '../../src/cli/data.ts';
import digits from '../../src/data/datasets/digits/index.ts';
import { measureTraining, rowsOf } from '../lenet5/measure.ts';
import { readSettings } from '../lenet5/settings.ts';
import wgrad from '../lenet5/wgrad.ts';
import { setUp } from './runtime.ts';

const settings = readSettings(process.argv.slice(2), {
  batchSizes: [64, 128, 512],
  rounds: 10,
  roundMs: 1000,
});

const circumstances = await setUp(settings.engine);
const { default: tfjs } = await import('../lenet5/tfjs.ts');
const { default: jax } = await import('../lenet5/jax.ts');
const data = await readDataset(digits, { trainOnly: true });
for (const batchSize of settings.batchSizes) {
  for (const optimizer of settings.optimizers) {
    const task = { engine: settings.engine, optimizer, batchSize, seed: 1 };
    const peers = [];
    for (const { titleOn, open } of [wgrad, tfjs, jax]) {
      peers.push({ title: titleOn(task.engine), peer: await open(task, data) });
    }
    const measured = await measureTraining(
      peers.map(({ title, peer }) => ({ title, run: (steps) => peer.train(steps) })),
      task,
      settings,
    );
    for (const row of rowsOf(measured, task, circumstances())) console.log(JSON.stringify(row));
    for (const { peer } of peers) await peer.close();
  }
}
// Dawn keeps the process alive.
process.exit();

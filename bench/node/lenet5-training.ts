/** Times training in this process, on Dawn for Node: for machines with a GPU and no browser. */
import { readDataset } from '../../src/cli/data.ts';
import digits from '../../src/data/datasets/digits/index.ts';
import { measureTraining, rowsOf } from '../lenet5/measure.ts';
import { OPTIMIZERS } from '../lenet5/peer.ts';
import { readSettings } from '../lenet5/settings.ts';
import wgrad from '../lenet5/wgrad.ts';

const settings = readSettings(process.argv.slice(2), {
  batchSizes: [64, 128, 512],
  rounds: 10,
  roundMs: 1000,
});

const { circumstances } = await import('./dawn.ts');
const { default: tfjs } = await import('../lenet5/tfjs.ts');
const { default: jax } = await import('../lenet5/jax.ts');
const data = await readDataset(digits, { trainOnly: true });
for (const batchSize of settings.batchSizes) {
  for (const optimizer of OPTIMIZERS) {
    const task = { optimizer, batchSize, seed: 1 };
    const peers = [];
    for (const { title, open } of [wgrad, tfjs, jax]) peers.push({ title, peer: await open(task, data) });
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

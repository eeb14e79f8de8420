/** Times training in this process, on Dawn for Node: for machines with a GPU and no browser. */
import { readDataset } from '../../src/cli/data.ts';
import { adapterLabel, nodeGpu } from '../../src/cli/gpu.ts';
import digits from '../../src/data/datasets/digits/index.ts';
import { dependencies } from '../../package.json';
import wgrad from '../lenet5/wgrad.ts';
import { OPTIMIZERS, readSettings } from '../options.ts';
import { machineNow, measureInTurns, rowsOf } from '../turns.ts';

const settings = readSettings(process.argv.slice(2), {
  batchSizes: [64, 128, 512],
  rounds: 10,
  roundMs: 1000,
});

const machine = machineNow();
const gpu = await nodeGpu();
// What libraries for browsers look at. Node before version 21 has no navigator.
if (!('navigator' in globalThis)) Object.defineProperty(globalThis, 'navigator', { value: {} });
Object.defineProperty(navigator, 'gpu', { value: gpu });
// After that: it looks for WebGPU when it is loaded.
const { default: tfjs } = await import('../lenet5/tfjs.ts');

const data = await readDataset(digits, { trainOnly: true });
const adapter = await adapterLabel();
const runtime = `Node ${process.versions.node}, Dawn (webgpu ${dependencies.webgpu})`;
for (const batchSize of settings.batchSizes) {
  for (const optimizer of OPTIMIZERS) {
    const task = { optimizer, batchSize, seed: 1 };
    const peers = [];
    for (const library of [wgrad, tfjs]) {
      const peer = await library.open(task, data);
      peers.push({ ...peer, title: library.title });
    }
    const measured = await measureInTurns(peers, task, settings);
    const date = new Date().toISOString();
    for (const row of rowsOf(measured, task, { adapter, runtime, machine, date }))
      console.log(JSON.stringify(row));
    for (const peer of peers) await peer.close();
  }
}
// Dawn keeps the process alive.
process.exit();

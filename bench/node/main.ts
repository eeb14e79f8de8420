/** Times training in this process, on Dawn for Node: for machines with a GPU and no browser. */
import { parseArgs } from 'node:util';
import { readDataset } from '../../src/cli/data.ts';
import { adapterLabel, nodeGpu } from '../../src/cli/gpu.ts';
import digits from '../../src/data/datasets/digits/index.ts';
import { dependencies } from '../../package.json';
import type { OptimizerName } from '../lenet5/peer.ts';
import wgrad from '../lenet5/wgrad.ts';
import { measureInTurns, rowsOf } from '../turns.ts';

const OPTIMIZERS: readonly OptimizerName[] = ['sgd', 'adam'];

const { values } = parseArgs({
  options: {
    'batch-size': { type: 'string', default: '64,128,512' },
    rounds: { type: 'string', default: '10' },
    'round-ms': { type: 'string', default: '1000' },
    'data-dir': { type: 'string' },
  },
});

const gpu = await nodeGpu();
// What libraries for browsers look at. Node before version 21 has no navigator.
if (!('navigator' in globalThis)) Object.defineProperty(globalThis, 'navigator', { value: {} });
Object.defineProperty(navigator, 'gpu', { value: gpu });
// After that: it looks for WebGPU when it is loaded.
const { default: tfjs } = await import('../lenet5/tfjs.ts');

const data = await readDataset(digits, { dataDir: values['data-dir'], trainOnly: true });
const adapter = await adapterLabel();
const runtime = `Node ${process.versions.node}, Dawn (webgpu ${dependencies.webgpu})`;
for (const batchSize of values['batch-size'].split(',').map(Number)) {
  for (const optimizer of OPTIMIZERS) {
    const task = { optimizer, batchSize, seed: 1 };
    const peers = [];
    for (const library of [wgrad, tfjs]) {
      const peer = await library.open(task, data);
      peers.push({ ...peer, title: library.title });
    }
    const options = { rounds: Number(values.rounds), roundMs: Number(values['round-ms']) };
    const measured = await measureInTurns(peers, task, options);
    const date = new Date().toISOString();
    for (const row of rowsOf(measured, task, { adapter, runtime, date })) console.log(JSON.stringify(row));
    for (const peer of peers) await peer.close();
  }
}
// Dawn keeps the process alive.
process.exit();

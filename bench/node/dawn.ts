/** Dawn for Node, in the place where libraries for browsers look for WebGPU. Import it before any of them. */
import { dependencies } from '../../package.json';
import { adapterLabel, nodeGpu } from '../../src/node/gpu.ts';
import { machineNow, type Circumstances } from '../rows.ts';

// Before the machine is busy with the benchmark.
const machine = machineNow();
const gpu = await nodeGpu();
// Node before version 21 has no navigator; libraries ask it for the name of the browser too.
if (!('navigator' in globalThis)) {
  const userAgent = `Node.js/${process.versions.node.split('.')[0]}`;
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent } });
}
Object.defineProperty(navigator, 'gpu', { value: gpu });
const adapter = await adapterLabel();

export const circumstances = (): Circumstances => ({
  adapter,
  runtime: `Node ${process.versions.node}, Dawn (webgpu ${dependencies.webgpu})`,
  machine,
  date: new Date().toISOString(),
});

/** What libraries for browsers look for, in Node: Dawn where browsers have WebGPU, and the name of the browser. */
import { dependencies } from '../../package.json';
import { adapterLabel, nodeGpu, type Engine } from '../../src/node/gpu.ts';
import { machineNow, type Circumstances } from '../rows.ts';

/**
 * To be called before any library is imported.
 * @returns what to name with each result
 */
export async function setUp(engine: Engine): Promise<() => Circumstances> {
  // Before the machine is busy with the benchmark.
  const machine = machineNow();
  // Node before version 21 has no navigator.
  if (!('navigator' in globalThis)) {
    const userAgent = `Node.js/${process.versions.node.split('.')[0]}`;
    Object.defineProperty(globalThis, 'navigator', { value: { userAgent } });
  }
  const node = `Node ${process.versions.node}`;
  const onGpu = engine === 'gpu';
  if (onGpu) Object.defineProperty(navigator, 'gpu', { value: await nodeGpu('gpu') });
  const adapter = onGpu ? await adapterLabel('gpu') : 'CPU, one thread';
  const runtime = onGpu ? `${node}, Dawn (webgpu ${dependencies.webgpu})` : node;
  return () => ({ adapter, runtime, machine, date: new Date().toISOString() });
}

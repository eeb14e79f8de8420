/** What libraries for browsers look for, in Node: Dawn where browsers have WebGPU. */
import { createRequire } from 'node:module';
import { nodeGpu } from '../node/gpu.ts';

/** Does nothing where there is no WebGPU: who needs it will say so. */
export async function bringNavigator(): Promise<void> {
  // TensorFlow.js asks for Node's own modules by it.
  if (!('require' in globalThis)) {
    Object.defineProperty(globalThis, 'require', { value: createRequire(import.meta.url) });
  }
  // Node before version 21 has no navigator.
  if (!('navigator' in globalThis)) {
    const userAgent = `Node.js/${process.versions.node.split('.')[0]}`;
    Object.defineProperty(globalThis, 'navigator', { value: { userAgent } });
  }
  if ('gpu' in navigator) return;
  const gpu = await nodeGpu('gpu').catch(() => undefined);
  if (gpu) Object.defineProperty(navigator, 'gpu', { value: gpu });
}

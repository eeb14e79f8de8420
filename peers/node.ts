/** What libraries for browsers look for, in Node: Dawn where browsers have WebGPU. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeGpu } from '../src/node/gpu.ts';

/** In the one file of the built command line, too, which is in a folder beside this one. */
const require = createRequire(new URL('../peers/', import.meta.url));

/** The path of a file of an installed package. @throws Error if there is none */
export const packageFile = (name: string): string => require.resolve(name);

/** Does nothing where there is no WebGPU: who needs it will say so. */
export async function bringNavigator(): Promise<void> {
  // TensorFlow.js takes them for what CommonJS has: to ask for Node's own modules, and as the place of its files.
  for (const [name, value] of Object.entries({ require, __dirname: dirname(fileURLToPath(import.meta.url)) }))
    if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value });
  // Node before version 21 has no navigator.
  if (!('navigator' in globalThis)) {
    const userAgent = `Node.js/${process.versions.node.split('.')[0]}`;
    Object.defineProperty(globalThis, 'navigator', { value: { userAgent } });
  }
  if ('gpu' in navigator) return;
  const gpu = await nodeGpu('gpu').catch(() => undefined);
  if (!gpu) return;
  Object.defineProperty(navigator, 'gpu', { value: gpu });
  acceptSharedMemory();
}

/**
 * Removes what a library left behind. Emscripten makes Node's Worker a global, which jax-js takes for a browser's, and gives
 * it the address of a blob.
 */
export function tidyUp(): void {
  Reflect.deleteProperty(globalThis, 'Worker');
}

/**
 * ONNX Runtime writes to buffers from its memory, which its threads share. Browsers accept that, Dawn for Node answers
 * "Invalid argument" (https://github.com/dawn-gpu/node-webgpu). Remove this when it does.
 */
function acceptSharedMemory(): void {
  const { writeBuffer } = GPUQueue.prototype;
  GPUQueue.prototype.writeBuffer = function (buffer, offset, data: unknown, ...part) {
    const isShared = data instanceof Uint8Array && data.buffer instanceof SharedArrayBuffer;
    const own = isShared ? data.slice() : data;
    writeBuffer.call(this, buffer, offset, own as Uint8Array<ArrayBuffer>, ...part);
    return undefined;
  };
}

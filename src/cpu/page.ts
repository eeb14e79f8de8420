/** The processor as a GPU, in the page: with a thread for each core where threads can share memory. */
import { cpuGpu } from './device/gpu.ts';
import { usefulThreads, type Thread } from './device/threads.ts';

export function pageCpu(): GPU {
  return cpuGpu({ threads: canShareMemory() ? usefulThreads(navigator.hardwareConcurrency) : 1, spawn });
}

/**
 * A page that is cross-origin isolated can, by the headers in scripts/vite/headers.ts. WebKitGTK 2.50 isolates pages, too,
 * but lacks SharedArrayBuffer, and shared memory cannot be sent to a worker.
 */
const canShareMemory = () => crossOriginIsolated && typeof SharedArrayBuffer === 'function';

function spawn(): Thread {
  const worker = new Worker(new URL('./device/helper.js', import.meta.url), { type: 'module' });
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker takes none
    send: (message) => worker.postMessage(message),
    stop: () => worker.terminate(),
  };
}

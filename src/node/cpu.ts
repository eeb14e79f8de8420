/** The processor as a GPU, in Node: with a thread for each core. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Failure } from '../base/result.ts';
import { cpuGpu } from '../cpu/device/gpu.ts';
import helper from '../cpu/device/helper.js?raw';
import { usefulThreads, type Thread } from '../cpu/device/threads.ts';

/** WGRAD_THREADS sets how many threads there are. */
export function nodeCpu(): GPU {
  return cpuGpu({ threads: threadCount(), spawn });
}

function threadCount(): number {
  const wanted = process.env['WGRAD_THREADS'];
  if (wanted === undefined) return usefulThreads(availableParallelism());
  const count = Number(wanted);
  if (Number.isInteger(count) && count >= 1 && count <= 256) return count;
  throw new Failure('bad-input', `WGRAD_THREADS is "${wanted}"`, 'Set it to 1 to 256, or unset it.');
}

/** Starts the helper from its text, which the command line's one file contains. It does not keep the process alive. */
function spawn(): Thread {
  const listen =
    "require('node:worker_threads').parentPort.on('message', (data) => globalThis.onmessage({ data }));";
  const worker = new Worker(`${helper}\n${listen}`, { eval: true });
  worker.unref();
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node have no origin
    send: (message) => worker.postMessage(message),
    stop: () => void worker.terminate(),
  };
}

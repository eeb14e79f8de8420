/** What all benchmarks of TensorFlow.js begin with. */
import * as tf from '@tensorflow/tfjs';
import { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
import type { Engine } from '../../src/node/gpu.ts';
import type { Timed } from '../turns.ts';

/** Its WASM backend has no gradients of convolutions. */
const BACKENDS = { gpu: 'webgpu', cpu: 'cpu' } as const;

export const titleOn = (engine: Engine): string =>
  `TensorFlow.js ${tf.version.tfjs}, ${engine === 'gpu' ? 'WebGPU' : 'CPU'}`;

export const TITLE = titleOn('gpu');

/** @throws Error if it would run on another backend */
export async function openTfjs(engine: Engine = 'gpu'): Promise<void> {
  await tf.setBackend(BACKENDS[engine]);
  const onGpu = tf.backend() instanceof WebGPUBackend;
  if (onGpu !== (engine === 'gpu')) throw new Error(`TensorFlow.js runs on ${tf.getBackend()}`);
}

/** Times a function's calls. */
export async function timeCalls(compute: () => tf.Tensor, calls: number): Promise<Timed> {
  const start = performance.now();
  let last = compute();
  for (let i = 1; i < calls; i++) {
    last.dispose();
    last = compute();
  }
  // Reading a number waits for everything before it on the queue.
  const origin = last.shape.map(() => 0);
  const first = tf.slice(
    last,
    origin,
    origin.map(() => 1),
  );
  await first.data();
  const ms = performance.now() - start;
  tf.dispose([last, first]);
  return { ms };
}

/** What all benchmarks of TensorFlow.js begin with. */
import * as tf from '@tensorflow/tfjs';
import { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
import type { Timed } from '../turns.ts';

export const TITLE = `TensorFlow.js ${tf.version.tfjs}, WebGPU`;

/** @throws Error if it would run on something else than WebGPU */
export async function openTfjs(): Promise<void> {
  await tf.setBackend('webgpu');
  if (!(tf.backend() instanceof WebGPUBackend)) throw new Error(`TensorFlow.js runs on ${tf.getBackend()}`);
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

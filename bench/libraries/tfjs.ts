/** What all benchmarks of TensorFlow.js on WebGPU begin with. */
import { tf } from '../../peers/libraries/tfjs.ts';
import { loadBackend } from '../../peers/tfjs-backends.ts';
import type { Timed } from '../operations/peer.ts';

export const TITLE = `TensorFlow.js ${tf.version_core}, WebGPU`;

/** @throws Error if it has no WebGPU here */
export async function openTfjs(): Promise<void> {
  await loadBackend('webgpu');
  if (!(await tf.setBackend('webgpu'))) throw new Error('TensorFlow.js cannot start its WebGPU backend');
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

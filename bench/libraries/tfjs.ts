/** What all benchmarks of TensorFlow.js begin with. */
import { tf } from '../../peers/libraries/tfjs.ts';
import { loadBackend } from '../../peers/tfjs-backends.ts';
import type { Engine } from '../../src/node/gpu.ts';
import type { Timed } from '../turns.ts';

/** Its WASM backend has no gradients of convolutions. */
const BACKENDS = { gpu: 'webgpu', cpu: 'cpu' } as const;

export const titleOn = (engine: Engine): string =>
  `TensorFlow.js ${tf.version_core}, ${engine === 'gpu' ? 'WebGPU' : 'CPU'}`;

export const TITLE = titleOn('gpu');

/** @throws Error if it cannot run on the backend */
export async function openTfjs(engine: Engine = 'gpu'): Promise<void> {
  const backend = BACKENDS[engine];
  await loadBackend(backend);
  if (!(await tf.setBackend(backend))) throw new Error(`TensorFlow.js cannot start its backend ${backend}`);
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

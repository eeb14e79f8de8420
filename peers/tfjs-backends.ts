/** TensorFlow.js's backends, each of which registers itself, and the gradients of its operations. */
import type { Backend } from './contender.ts';

const gradients = () => import('@tensorflow/tfjs-core/dist/register_all_gradients');

const BACKENDS: Readonly<Record<Backend, () => Promise<unknown>>> = {
  webgpu: () => Promise.all([import('@tensorflow/tfjs-backend-webgpu'), gradients()]),
  webgl: () => Promise.all([import('@tensorflow/tfjs-backend-webgl'), gradients()]),
  cpu: () => Promise.all([import('@tensorflow/tfjs-backend-cpu'), gradients()]),
  // It cannot compute the gradients of convolutions.
  wasm: () => import('./tfjs-wasm.ts'),
};

export async function loadBackend(backend: Backend): Promise<void> {
  await BACKENDS[backend]();
}

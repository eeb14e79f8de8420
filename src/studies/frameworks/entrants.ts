/** Who races: each library on each of its backends. */
import type { Backend } from '../../peers/contender.ts';

/** What a backend computes on. */
export type Place = 'GPU' | 'CPU';

export interface Entrant {
  framework: string;
  /** The package that has its version; undefined for wgrad itself. */
  package: string | undefined;
  /** As its documentation calls it. */
  title: string;
  /** The contender's file, src/peers/contenders/<file>.ts. */
  file: string;
  backend: Backend;
  place: Place;
  /** Its name in charts. */
  bar: string;
}

/** The bar whose time is 1: wgrad's own on the same kind of device. */
export const BASE = 'wgrad';

const PACKAGES: Readonly<Record<string, string>> = {
  tfjs: '@tensorflow/tfjs-core',
  onnxruntime: 'onnxruntime-web',
  jax: '@jax-js/jax',
};

const entrant = (
  framework: string,
  file: string,
  backend: Backend,
  title: string,
  place: Place,
): Entrant => ({
  framework,
  package: PACKAGES[file],
  title,
  file,
  backend,
  place,
  bar: file === 'wgrad' ? BASE : `${framework}, ${title}`,
});

export const ENTRANTS: readonly Entrant[] = [
  entrant('wgrad', 'wgrad', 'webgpu', 'WebGPU', 'GPU'),
  entrant('TensorFlow.js', 'tfjs', 'webgpu', 'WebGPU', 'GPU'),
  entrant('TensorFlow.js', 'tfjs', 'webgl', 'WebGL', 'GPU'),
  entrant('ONNX Runtime Web', 'onnxruntime', 'webgpu', 'WebGPU', 'GPU'),
  entrant('jax-js', 'jax', 'webgpu', 'WebGPU', 'GPU'),
  entrant('wgrad', 'wgrad', 'cpu', 'CPU engine', 'CPU'),
  entrant('TensorFlow.js', 'tfjs', 'wasm', 'WASM', 'CPU'),
  entrant('TensorFlow.js', 'tfjs', 'cpu', 'JavaScript', 'CPU'),
  entrant('ONNX Runtime Web', 'onnxruntime', 'wasm', 'WASM', 'CPU'),
  entrant('jax-js', 'jax', 'wasm', 'WASM', 'CPU'),
];

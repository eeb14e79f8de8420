/** Who races: each contender on each of its backends. */
import type { Backend } from './contenders.ts';

/** What a backend computes on. */
export type Processor = 'GPU' | 'CPU';

/** What is timed. */
export type TimedKind = 'inference' | 'training';

interface Contestant {
  framework: string;
  /** What of the framework it is written with. */
  level: string;
  /** The package that has its version; undefined for wgrad itself. */
  package?: string;
  backends: readonly Backend[];
  /** The level that libraries are compared at. */
  usual?: true;
  /** Why it is not timed at something. */
  lacks?(backend: Backend): Partial<Record<TimedKind, string>>;
}

/** TensorFlow.js's WebAssembly backend has no such operations. */
const withoutGradients = (backend: Backend): Partial<Record<TimedKind, string>> =>
  backend === 'wasm' ? { training: 'no gradients of convolutions on WASM' } : {};

/** By their files, peers/contenders/<file>.ts; a framework's levels from the lowest to the highest. */
const CONTESTANTS: Readonly<Record<string, Contestant>> = {
  'wgrad-kernels': { framework: 'wgrad', level: 'kernels by hand', backends: ['webgpu', 'cpu'] },
  wgrad: { framework: 'wgrad', level: 'engine', backends: ['webgpu', 'cpu'], usual: true },
  'wgrad-run': { framework: 'wgrad', level: 'training run', backends: ['webgpu', 'cpu'] },
  tfjs: {
    framework: 'TensorFlow.js',
    level: 'core',
    package: '@tensorflow/tfjs-core',
    backends: ['webgpu', 'webgl', 'wasm', 'cpu'],
    usual: true,
    lacks: withoutGradients,
  },
  'tfjs-layers': {
    framework: 'TensorFlow.js',
    level: 'Layers API',
    package: '@tensorflow/tfjs-layers',
    backends: ['webgpu', 'webgl', 'wasm', 'cpu'],
    lacks: withoutGradients,
  },
  'tfjs-fit': {
    framework: 'TensorFlow.js',
    level: 'Layers API, fit',
    package: '@tensorflow/tfjs-layers',
    backends: ['webgpu', 'webgl', 'cpu'],
    lacks: () => ({ inference: 'fit only trains; it predicts as the Layers API does' }),
  },
  onnxruntime: {
    framework: 'ONNX Runtime Web',
    level: 'ONNX file',
    package: 'onnxruntime-web',
    backends: ['webgpu', 'wasm'],
    usual: true,
    lacks: () => ({ training: 'does not train' }),
  },
  jax: {
    framework: 'jax-js',
    level: 'functions',
    package: '@jax-js/jax',
    backends: ['webgpu', 'wasm'],
    usual: true,
  },
};

export interface Entrant {
  framework: string;
  level: string;
  package: string | undefined;
  /** The backend as its documentation calls it. */
  title: string;
  /** The contender's file. */
  file: string;
  backend: Backend;
  place: Processor;
  /** Its name where libraries are compared; undefined for their other levels. */
  bar: string | undefined;
  lacks: Partial<Record<TimedKind, string>>;
}

/** The bar whose time is 1: wgrad's own on the same kind of device. */
export const BASE = 'wgrad';

const PLACES: Readonly<Record<Backend, Processor>> = { webgpu: 'GPU', webgl: 'GPU', wasm: 'CPU', cpu: 'CPU' };

function titleOf(framework: string, backend: Backend): string {
  if (backend === 'cpu') return framework === 'wgrad' ? 'CPU engine' : 'JavaScript';
  return { webgpu: 'WebGPU', webgl: 'WebGL', wasm: 'WASM' }[backend];
}

export const ENTRANTS: readonly Entrant[] = (['GPU', 'CPU'] as const).flatMap((place) =>
  Object.entries(CONTESTANTS).flatMap(([file, { backends, usual, lacks, ...about }]) =>
    backends
      .filter((backend) => PLACES[backend] === place)
      .map((backend): Entrant => {
        const title = titleOf(about.framework, backend);
        const bar = about.framework === 'wgrad' ? BASE : `${about.framework}, ${title}`;
        return {
          ...{ framework: about.framework, level: about.level, package: about.package },
          ...{ title, file, backend, place, bar: usual && bar, lacks: lacks?.(backend) ?? {} },
        };
      }),
  ),
);

/** A framework with several levels. */
export interface Stack {
  framework: string;
  /** The name of its figure. */
  figure: string;
  /** From the lowest to the highest. */
  levels: readonly string[];
}

const stack = (framework: string, figure: string): Stack => ({
  framework,
  figure,
  levels: Object.values(CONTESTANTS)
    .filter((one) => one.framework === framework)
    .map(({ level }) => level),
});

export const STACKS: readonly Stack[] = [
  stack('TensorFlow.js', 'levels-tfjs'),
  stack('wgrad', 'levels-wgrad'),
];

/** "TensorFlow.js, core, WebGPU". */
export const nameOf = ({ framework, level, title }: Entrant): string => `${framework}, ${level}, ${title}`;

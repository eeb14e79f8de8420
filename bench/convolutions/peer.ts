/** What every library is asked to do: one convolution, over and over. Whoever measures sees only this. */
import { elements } from '../../src/base/shape.ts';
import { filledWith, INPUT_SEEDS } from '../../src/engine/ops/conv/choice/inputs.ts';
import type { ConvProblem, Direction } from '../../src/engine/ops/conv/problem.ts';
import { convTensorShape } from '../../src/engine/ops/conv/run.ts';
import type { NumberSource } from '../../src/engine/ops/conv/sample.ts';
import type { Timed } from '../turns.ts';

export interface Task {
  problem: ConvProblem;
  direction: Direction;
}

/** One library, with the inputs on the GPU. */
export interface Peer {
  /** What of the library does it, for the results. */
  how: Readonly<Record<string, string>>;
  run(calls: number): Promise<Timed>;
  /** Computes it once more. In PyTorch's layout. */
  result(): Promise<Float32Array>;
  close(): Promise<void>;
}

export interface Library {
  /** "TensorFlow.js 4.22.0, WebGPU" */
  readonly title: string;
  open(task: Task): Promise<Peer>;
}

export type InputName = 'x' | 'w' | 'dy';

/** The numbers of an input, the same for everyone: uniform on [-1, 1). By index in PyTorch's layout. */
export const inputSource = (name: InputName): NumberSource => filledWith(INPUT_SEEDS[name], 'f32');

/** All of them. */
export function inputNumbers(problem: ConvProblem, name: InputName): Float32Array<ArrayBuffer> {
  const source = inputSource(name);
  const numbers = new Float32Array(elements(convTensorShape(problem, name)));
  for (let i = 0; i < numbers.length; i++) numbers[i] = source(i);
  return numbers;
}

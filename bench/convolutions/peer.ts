/** What every library is asked to convolve. Results are in PyTorch's layout. */
import { elements } from '../../src/base/shape.ts';
import { filledWith, INPUT_SEEDS } from '../../src/engine/ops/conv/choice/inputs.ts';
import type { ConvProblem, Direction } from '../../src/engine/ops/conv/problem.ts';
import { convTensorShape } from '../../src/engine/ops/conv/run.ts';
import type { NumberSource } from '../../src/engine/ops/conv/sample.ts';
import type { Library as OperationLibrary } from '../operations/peer.ts';

export interface Task {
  problem: ConvProblem;
  direction: Direction;
}

export type Library = OperationLibrary<Task>;

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

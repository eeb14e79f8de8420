/** The numbers that kernels are tested with. */
import { Random } from '../base/random.ts';

/** Uniform on [-1, 1), the same every time. @param name of the input */
export function randomNumbers(name: string, count: number): Float32Array<ArrayBuffer> {
  const random = new Random(1, `kernel lesson ${name}`);
  return Float32Array.from({ length: count }, () => random.uniform(-1, 1));
}

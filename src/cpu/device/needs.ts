/** What the CPU engine needs of WebAssembly. */
import { Failure } from '../../base/result.ts';
import { compileKernel } from '../compile/kernel.ts';

/** Vectors and the operations on them are those of SIMD: https://webassembly.org/features */
const PROBE = `
@group(0) @binding(0) var<storage, read_write> x: array<vec4f>;
@compute @workgroup_size(1) fn main() { x[0] *= 2; }`;

/** @throws Failure('no-cpu-engine') if kernels cannot run here */
export function requireWebAssembly(): void {
  const found = typeof WebAssembly === 'object';
  if (found && WebAssembly.validate(compileKernel(PROBE, false).code)) return;
  throw new Failure(
    'no-cpu-engine',
    `The CPU engine needs WebAssembly with SIMD. Here there is ${found ? 'WebAssembly without SIMD' : 'no WebAssembly'}.`,
    'Use Chrome or Edge 91, Firefox 89, Safari 16.4, or later. Lockdown modes turn WebAssembly off.',
  );
}

/** Values that are constructed from others. */
import { op, type WasmNode } from '../wasm/nodes.ts';
import type { KernelOutput } from './output.ts';
import { isFloat, scalar, vectorOf, type Scalar, type Vector } from '../wgsl/types.ts';
import { components, convert, fromComponents, scalarOf, splat, type Value } from './values.ts';

/** A vector of numbers and vectors, or of one number throughout. */
export function vectorFrom(type: Vector, args: readonly Value[], out: KernelOutput): Value {
  if (args.length === 1) {
    const [only] = args;
    if (only.type.kind !== 'scalar') return convert(only, type.scalar);
    return splat(only.leaves[0], type, out.once);
  }
  const parts = args.map((arg) => (arg.type.kind === 'vector' ? out.fixed(arg) : arg));
  return fromComponents(type, parts.flatMap(components));
}

/** The same bits, as another type. */
export function bitcast(value: Value, to: Scalar): Value {
  const from = scalarOf(value.type);
  const between = (part: WasmNode) => {
    if (isFloat(from) === isFloat(to)) return part;
    return op(to === 'f32' ? 'f32.reinterpret_i32' : 'i32.reinterpret_f32', part);
  };
  const type = value.type.kind === 'vector' ? vectorOf(value.type.size, to) : scalar(to);
  return fromComponents(type, components(value).map(between));
}

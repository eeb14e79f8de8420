/** Values that are constructed from others. */
import { op, type WasmNode } from '../wasm/nodes.ts';
import type { KernelOutput } from './output.ts';
import { isFloat, nameOf, scalar, vectorOf, type Scalar, type Type, type Vector } from './types.ts';
import {
  coerce,
  commonScalar,
  components,
  concrete,
  convert,
  fromComponents,
  scalarOf,
  splat,
  Unsupported,
  type Value,
} from './values.ts';

/** A vector of numbers and vectors, or of one number throughout. */
export function vectorFrom(type: Vector, args: readonly Value[], out: KernelOutput): Value {
  if (args.length === 1) {
    const [only] = args;
    if (only.type.kind !== 'scalar') {
      if (only.type.kind === 'vector' && only.type.size === type.size) return convert(only, type.scalar);
      throw new Unsupported(`${nameOf(type)} of ${nameOf(only.type)}`);
    }
    return splat(coerce(only, scalar(type.scalar)).leaves[0], type, out.once);
  }
  const parts = args.flatMap((arg) => {
    const own = arg.type.kind === 'vector' ? out.fixed(arg) : arg;
    const size = own.type.kind === 'vector' ? own.type.size : 0;
    return components(coerce(own, size > 0 ? vectorOf(size, type.scalar) : scalar(type.scalar)));
  });
  if (parts.length !== type.size) throw new Unsupported(`${nameOf(type)} of ${parts.length} numbers`);
  return fromComponents(type, parts);
}

/** The element type of an array of values of these types. */
export function elementType(types: readonly Type[]): Type {
  const [first] = types;
  if (first.kind !== 'scalar' && first.kind !== 'vector') return first;
  const kind = concrete(commonScalar(types));
  return first.kind === 'vector' ? vectorOf(first.size, kind) : scalar(kind);
}

/** The same bits, as another type. */
export function bitcast(value: Value, to: Scalar): Value {
  const from = scalarOf(value.type);
  if (from === 'bool' || to === 'bool') throw new Unsupported('"bitcast" of bool');
  if (from === 'int' || from === 'float') return bitcast(convert(value, concrete(from)), to);
  const between = (part: WasmNode) => {
    if (isFloat(from) === isFloat(to)) return part;
    return op(to === 'f32' ? 'f32.reinterpret_i32' : 'i32.reinterpret_f32', part);
  };
  const type = value.type.kind === 'vector' ? vectorOf(value.type.size, to) : scalar(to);
  return fromComponents(type, components(value).map(between));
}

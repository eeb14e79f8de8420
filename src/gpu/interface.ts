/**
 * Reads a shader's bindings from its declarations, so that they are written only in the WGSL: callers name buffers and
 * uniform members, and a wrong name is reported as an error.
 */
import { Failure } from '../base/result.ts';

export interface Binding {
  group: number;
  binding: number;
  name: string;
  /** A uniform whose type is a struct takes numbers; any other takes a tensor, as storage does. */
  kind: 'uniform' | 'read' | 'read_write';
  /** The WGSL type. */
  type: string;
}

/** A member of a uniform struct: 4 bytes each, in order. */
export interface Member {
  name: string;
  type: 'u32' | 'i32' | 'f32';
}

export interface ShaderInterface {
  bindings: readonly Binding[];
  /** The members of each struct that is the type of a uniform binding, which takes numbers. */
  structs: ReadonlyMap<string, readonly Member[]>;
}

const BINDING =
  /@group\((\d+)\)\s*@binding\((\d+)\)\s*var<(uniform|storage)(?:,\s*(read|read_write))?>\s*(\w+)\s*:\s*([^;]+);/g;

export function readInterface(name: string, code: string): ShaderInterface {
  const bare = code.replace(/\/\/.*$/gm, '');
  const bindings = [...bare.matchAll(BINDING)].map(
    ([, group, binding, space, access, variable, type]): Binding => ({
      group: Number(group),
      binding: Number(binding),
      name: variable,
      kind: space === 'uniform' ? 'uniform' : access === 'read_write' ? 'read_write' : 'read',
      type: type.trim(),
    }),
  );
  const structs = new Map<string, readonly Member[]>();
  for (const binding of bindings) {
    const isStruct = /^\w+$/.test(binding.type);
    if (binding.kind === 'uniform' && isStruct)
      structs.set(binding.type, readMembers(name, bare, binding.type));
  }
  return { bindings, structs };
}

function readMembers(name: string, code: string, struct: string): Member[] {
  const body = new RegExp(`struct ${struct}\\s*\\{([^}]*)\\}`).exec(code)?.[1];
  if (body === undefined) throw new Failure('shader', `kernel ${name}: no struct ${struct}`);
  return [...body.matchAll(/(\w+)\s*:\s*(\w+)/g)].map(([, member, type]) => {
    if (type !== 'u32' && type !== 'i32' && type !== 'f32') {
      throw new Failure('shader', `kernel ${name}: ${struct}.${member} is ${type}; expected u32, i32 or f32`);
    }
    return { name: member, type };
  });
}

/** True for bindings that take a tensor. */
export const takesTensor = ({ structs }: ShaderInterface, { kind, type }: Binding): boolean =>
  kind !== 'uniform' || !structs.has(type);

/** Lays out `values` by `members`. Every member needs a value and every value a member. */
export function packUniforms(
  label: string,
  members: readonly Member[],
  values: Readonly<Record<string, number>>,
): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(Math.ceil(members.length / 4) * 16));
  const unknown = Object.keys(values).filter((name) => !members.some((member) => member.name === name));
  if (unknown.length > 0) throw new Error(`wgrad bug: ${label} has no uniform ${unknown.join(', ')}`);
  members.forEach(({ name, type }, i) => {
    const value = values[name];
    if (value === undefined || !Number.isFinite(value))
      throw new Error(`wgrad bug: ${label} needs a number for uniform ${name}`);
    if (type === 'f32') view.setFloat32(4 * i, value, true);
    else if (type === 'i32') view.setInt32(4 * i, value, true);
    else view.setUint32(4 * i, value, true);
  });
  return view.buffer;
}

import { describe, expect, it } from 'vitest';
import { Failure } from '../base/result.ts';
import { packUniforms, readInterface, takesTensor } from './interface.ts';

const CODE = `
struct Sizes {
  rows: u32, // of A
  shift: i32,
  rate: f32,
}
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> a: array<vec4f>;
@group(0) @binding(2)
var<storage, read_write> b: array<atomic<u32>>;
@group(1) @binding(0) var<storage> step: array<u32>;
// @group(0) @binding(9) var<storage> commented: array<u32>;
`;

describe('readInterface', () => {
  it('finds the bindings, their access and types', () => {
    const { bindings } = readInterface('test', CODE);
    expect(bindings).toEqual([
      { group: 0, binding: 0, name: 'sizes', kind: 'uniform', type: 'Sizes' },
      { group: 0, binding: 1, name: 'a', kind: 'read', type: 'array<vec4f>' },
      { group: 0, binding: 2, name: 'b', kind: 'read_write', type: 'array<atomic<u32>>' },
      { group: 1, binding: 0, name: 'step', kind: 'read', type: 'array<u32>' },
    ]);
  });

  it('finds the members of uniform structs in order', () => {
    expect(readInterface('test', CODE).structs.get('Sizes')).toEqual([
      { name: 'rows', type: 'u32' },
      { name: 'shift', type: 'i32' },
      { name: 'rate', type: 'f32' },
    ]);
  });

  it('distinguishes uniform arrays, which take tensors, from uniform structs', () => {
    const code = `${CODE}@group(0) @binding(3) var<uniform> weights: array<vec4f, COUNT>;`;
    const shape = readInterface('test', code);
    expect(shape.bindings.at(-1)).toEqual({
      group: 0,
      binding: 3,
      name: 'weights',
      kind: 'uniform',
      type: 'array<vec4f, COUNT>',
    });
    expect([...shape.structs.keys()]).toEqual(['Sizes']);
    const tensors = shape.bindings.filter((binding) => takesTensor(shape, binding));
    expect(tensors.map(({ name }) => name)).toEqual(['a', 'b', 'step', 'weights']);
  });

  it.each([
    ['@group(0) @binding(0) var<uniform> s: Gone;', 'kernel test: no struct Gone'],
    ['struct S { a: vec4f }\n@group(0) @binding(0) var<uniform> s: S;', 'S.a is vec4f'],
  ])('refuses %s', (code, message) => {
    expect(() => readInterface('test', code)).toThrow(Failure);
    expect(() => readInterface('test', code)).toThrow(message);
  });
});

describe('packUniforms', () => {
  const members = readInterface('test', CODE).structs.get('Sizes')!;

  it('lays values out in the order of the struct, whatever their order', () => {
    const packed = packUniforms('test', members, { rate: 0.5, shift: -2, rows: 4294967295 });
    const view = new DataView(packed);
    expect(packed.byteLength).toBe(16);
    expect([view.getUint32(0, true), view.getInt32(4, true), view.getFloat32(8, true)]).toEqual([
      4294967295, -2, 0.5,
    ]);
  });

  it('pads to a multiple of 16 bytes', () => {
    const five = Array.from({ length: 5 }, (_, i) => ({ name: `m${i}`, type: 'u32' as const }));
    const values = Object.fromEntries(five.map(({ name }, i) => [name, i]));
    expect(packUniforms('test', five, values).byteLength).toBe(32);
  });

  it('requires a number for every member and a member for every number', () => {
    expect(() => packUniforms('conv1', members, { rows: 1, shift: 0 })).toThrow(
      'conv1 needs a number for uniform rate',
    );
    expect(() => packUniforms('conv1', members, { rows: 1, shift: 0, rate: NaN })).toThrow('uniform rate');
    expect(() => packUniforms('conv1', members, { rows: 1, shift: 0, rate: 1, row: 2 })).toThrow(
      'no uniform row',
    );
  });
});

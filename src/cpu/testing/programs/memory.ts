/** Arrays, structures and pointers to them. */
import { bits } from '../run-shader.ts';
import { F, program, range } from './program.ts';

export const ARRAYS = [
  program(
    'arrays of arrays, with indices that are known and not',
    `var a: array<array<u32, 3>, 2>;
     for (var i = 0u; i < 6u; i++) { a[i / 3][i % 3] = input[i] * 10; }
     a[1] = a[0]; a[0][2] += 1; var b = a; b[1][0] = 99;
     for (var i = 0u; i < 6u; i++) { out[i] = a[i / 3][i % 3]; }
     out[6] = b[1][0]; out[7] = b[0][2];`,
    [0, 10, 21, 0, 10, 20, 99, 21],
  ),
  program(
    'arrays are passed, returned and copied by value',
    `var a = array<u32, 4>(1, 2, 3, 4);
     let b = reversed(a); a[0] = 50;
     out[0] = b[0]; out[1] = b[3]; out[2] = picked(b, input[2]); out[3] = picked(a, 0u); out[4] = a[1];`,
    [4, 1, 2, 50, 2],
    {
      globals: `
fn reversed(given: array<u32, 4>) -> array<u32, 4> {
  var all = given;
  for (var i = 0u; i < 4u; i++) { all[i] = given[3 - i]; }
  return all;
}
fn picked(given: array<u32, 4>, i: u32) -> u32 { return given[i]; }`,
    },
  ),
  program(
    'arrays of vectors of four floats',
    `var a: array<vec4f, 3>;
     for (var i = 0u; i < 3u; i++) { a[i] = vec4f(f32(input[i])) + vec4f(0, 1, 2, 3); a[i].y = -1.0; a[i][i] *= 10.0; }
     for (var i = 0u; i < 3u; i++) { out[2 * i] = f(a[i].x + a[i].y); out[2 * i + 1] = f(a[i][input[2]]); }`,
    [bits(-1), bits(2), bits(-9), bits(3), bits(1), bits(40)],
    { globals: F },
  ),
  program(
    'an array declared in a loop is zero each time',
    `for (var i = 0u; i < 3u; i++) {
       var a: array<u32, 4>; var b: u32; var c: vec4f;
       a[input[i]] += 5; b += 1; c.x += 1.0;
       out[i] = a[0] + a[1] + a[2] + 10 * b + 100 * u32(c.x);
     }`,
    [115, 115, 115],
    { open: 'Dawn (0.6.2 for Node, on Vulkan) clears them once, before the loop' },
  ),
  program('each function call has arrays of its own', `out[0] = deep(1u) * 100 + deep(2u);`, [3 * 100 + 6], {
    globals: `
fn sums(n: u32) -> u32 {
  var a: array<u32, 3>;
  for (var i = 0u; i < 3u; i++) { a[input[i]] += n; }
  return a[0] + a[1] + a[2];
}
fn deep(n: u32) -> u32 { var b = array<u32, 2>(n, 0u); b[input[1]] = sums(n); return b[1] + b[0] - n; }`,
  }),
  program(
    'reads past the end give an element, and writes past the end stay within',
    `var a = array<u32, 3>(7, 7, 7); out[0] = u32(a[input[0]] == 7); a[input[0]] = 7;
     let v = vec3u(5, 5, 5); out[1] = v[min(input[0], 2u)];
     out[input[0] + 100000] = 1; out[i32(input[1])] = 1; shared_words[input[0]] = 3;
     let read = input[input[0] - 1u] + shared_words[input[0] + 5]; out[2] = u32(read == read);
     for (var i = 3u; i < arrayLength(&out); i++) { out[i] = 4; }
     out[1] = 5;`,
    [1, 5, 1, 4, 4],
    {
      input: [0x7fffffff, 0xffffffff],
      globals: 'var<workgroup> shared_words: array<u32, 4>;',
      open: 'which element it is',
    },
  ),
  program(
    'an index that the compiler knows, but WGSL does not, may be past the end',
    `let k = 5u; var a = array<u32, 3>(7, 8, 9); let b = a;
     out[0] = a[k]; out[1] = b[k]; out[2] = vec3u(1, 2, 3)[k - 2]; out[3] = u32(vec4f(4, 5, 6, 7)[k]);
     a[k] = 4; out[4] = a[2]; out[5] = past(9u);
     for (var i = 1u; i < 3u; i++) { out[6] += pair[2 * i]; }`,
    [9, 9, 3, 7, 4, 6, 0],
    {
      globals: `var<workgroup> pair: array<u32, 2>;
fn past(i: u32) -> u32 { var a = array<u32, 2>(5, 6); return a[i]; }`,
      open: 'which element it is',
    },
  ),
];

export const STRUCTS = [
  program(
    'structs, nested, in variables and functions',
    `var a = Outer(Inner(1, vec3f(1, 2, 3)), array<u32, 2>(5, 6), true);
     a.inner.v.y = 20.0; a.list[1] += 1; var b = changed(a); b.inner.v = b.inner.v.zyx;
     out[0] = a.inner.n; out[1] = b.inner.n; out[2] = u32(b.inner.v.x); out[3] = u32(a.inner.v.y); out[4] = b.list[input[1]];
     out[5] = u32(b.flag); out[6] = Outer().list[1]; out[7] = changed(a).list[0];`,
    [1, 8, 3, 20, 7, 0, 0, 50],
    {
      globals: `
struct Inner { n: u32, v: vec3f }
struct Outer { inner: Inner, list: array<u32, 2>, flag: bool, }
fn changed(given: Outer) -> Outer {
  var outer = given; outer.inner.n = 8; outer.flag = false; outer.list[0] *= 10; return outer;
}`,
    },
  ),
  {
    name: 'structs in buffers lie as WGSL says',
    code: `
struct Item { a: f32, b: vec3f, c: u32, d: vec2u, e: array<vec3u, 2> }
struct All { count: u32, first: Item, @align(16) @size(32) third: u32, items: array<Item> }
@group(0) @binding(0) var<storage, read_write> all: All;
@group(0) @binding(1) var<uniform> settings: Item;
@compute @workgroup_size(1) fn main() {
  all.count = arrayLength(&all.items);
  all.first = settings;
  all.first.e[1].y = 77;
  all.third = 3;
  let i = all.count - 1;
  all.items[i].c = 9; all.items[i].e[i] = vec3u(4, 5, 6); all.items[0].b = settings.b.zyx;
}`,
    // An item takes 80 bytes: a at 0, b at 16, c at 28, d at 32, e at 48 and 64.
    buffers: [range(4 + 20 + 8 + 40, () => 0), range(20, (i) => i)],
    expected: [
      ...[2, 0, 0, 0],
      ...[0, 0, 0, 0, 4, 5, 6, 7, 8, 9, 0, 0, 12, 13, 14, 0, 16, 77, 18, 0],
      ...[3, 0, 0, 0, 0, 0, 0, 0],
      ...range(20, (i) => [0, 0, 0, 0, 6, 5, 4][i] ?? 0),
      ...range(20, (i) => ({ 7: 9, 16: 4, 17: 5, 18: 6 })[i] ?? 0),
    ],
  },
];

/** Small WGSL programs with the words that they must write, by hand or computed in plain TypeScript. */
import { bits, type ShaderRun } from './run-shader.ts';

export interface Program extends ShaderRun {
  name: string;
  /** What binding 0 holds afterwards. */
  expected: readonly number[];
  /** Why WGSL allows other results. */
  open?: string;
}

interface Options {
  /** What is declared outside of `main`. */
  globals?: string;
  /** Of @workgroup_size. */
  size?: string;
  workgroups?: ShaderRun['workgroups'];
  input?: readonly number[];
  open?: string;
}

const range = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));

const INPUT = range(64, (i) => i);

/**
 * A program of `main`'s statements, which write `out` and may read `input` (0, 1, 2, ... unless given), `lid`
 * (local_invocation_index) and `gid` (workgroup_id.x).
 */
function program(name: string, body: string, expected: readonly number[], options: Options = {}): Program {
  const { globals = '', size = '1', workgroups, input = INPUT, open } = options;
  const code = `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read> input: array<u32>;
${globals}
@compute @workgroup_size(${size})
fn main(
  @builtin(local_invocation_index) lid: u32,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(global_invocation_id) at: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let gid = group.x;
${body}
}`;
  return {
    name,
    code,
    buffers: [expected.map(() => 0), input],
    expected: expected.map((one) => one >>> 0),
    ...(workgroups ? { workgroups } : {}),
    ...(open === undefined ? {} : { open }),
  };
}

const F = 'fn f(x: f32) -> u32 { return bitcast<u32>(x); }';

const CONSTANTS = [
  program(
    'constants have the type that they are used as',
    `out[0] = f(1); out[1] = f(0.5 + 1); out[2] = f(7 / 2); out[3] = f(7 / 2.0);
     out[4] = 0x7fc00000u; out[5] = 5u % 3; out[6] = f(1e3f); out[7] = f(0x1.8p-1); out[8] = 0xFFu;
     let x = 3; out[9] = u32(x << 2); out[10] = f(f32(x) * 2); out[11] = f(.5); out[12] = f(2.);`,
    [
      bits(1),
      bits(1.5),
      bits(3),
      bits(3.5),
      0x7fc00000,
      2,
      bits(1000),
      bits(0.75),
      255,
      12,
      bits(6),
      bits(0.5),
      bits(2),
    ],
    { globals: F },
  ),
  program(
    'integer constants stay integers',
    `out[0] = SHIFTED; out[1] = MASKED; out[2] = INVERTED; out[3] = ZERO; out[4] = u32(SEVENTH / 2); out[5] = u32(SEVENTH % 3);
     out[6] = LARGE; out[7] = f(-0);`,
    [0x300, 0x5, 0xfffffff0, 0, -3, -1, 3000000000, bits(0)],
    {
      globals: `${F}
const SHIFTED: u32 = 3 << 8;
const MASKED: u32 = (7 & 5) | (1 ^ 0);
const INVERTED: u32 = ~15u;
const ZERO = 0u;
const SEVENTH: i32 = -14 / 2;
const LARGE: u32 = 3000000000;`,
    },
  ),
  program(
    'constants of arithmetic give the lengths of arrays',
    `var a: array<u32, N * 2 - 1>;
     for (var i = 0u; i < LENGTH; i++) { a[i] = i * i; }
     out[0] = a[6]; out[1] = LENGTH; out[2] = table[1]; out[3] = u32(array(4, 5, 6)[2]);`,
    [36, 7, 20, 6],
    { globals: 'const N = 4;\nconst LENGTH: u32 = N * 2 - 1;\nconst table = array<u32, 3>(10, 20, 30);' },
  ),
  program(
    'vectors of constants take the type of what is not constant',
    `let x = f32(input[3]); let v = vec2(1, x); out[0] = f(v.x); out[1] = f(v.y);
     let w = vec3(1, 2.5, 3); out[2] = f(w.y); let q = vec4(vec2(1.5), x, 2); out[3] = f(q.w);
     let m = vec2f(2.5) * vec2(2, 4); out[4] = f(m.x); out[5] = f(m.y); let n = vec4(1, 2, 3, 4); out[6] = u32(n.w);`,
    [bits(1), bits(3), bits(2.5), bits(2), bits(5), bits(10), 4],
    { globals: F },
  ),
  program(
    'a constant of the module is the same in every branch',
    `var sum = 0.0;
     if (input[0] == 1u) { sum += C; }
     if (input[0] == 0u) { sum += C + V.y; }
     out[0] = f(sum);`,
    [bits(15)],
    { globals: `${F}\nconst V = vec4f(1, 2, 2, 2);\nconst C = dot(V, V);` },
  ),
  program(
    'NaN goes through comparisons and selections',
    `let nan = bitcast<f32>(input[0]); let also = bitcast<f32>(0x7fc00000u | input[1]);
     out[0] = f(select(nan, 0.0, nan <= 0.0)); out[1] = u32(nan == nan); out[2] = u32(nan < 1.0 || nan > 1.0);
     out[3] = u32(nan != nan); out[4] = f(select(0.0, nan, !(nan <= 0.0))); out[5] = u32(also == also);
     out[6] = f(select(vec4f(nan), vec4f(0.0), vec4f(nan) <= vec4f(0.0)).z);`,
    [0x7fc00000, 0, 0, 1, 0x7fc00000, 0, 0x7fc00000],
    { globals: F, input: [0x7fc00000, 0], open: 'compilers of shaders may assume that there is no NaN' },
  ),
];

const VECTORS = [
  program(
    'components of every type of vector are read and set',
    `var a = vec2u(1, 2); a.y = 7; a[0] += 4; out[0] = a.x; out[1] = a.y;
     var b = vec3i(-1, 2, 3); b.z *= -2; b[1] = b.z; out[2] = u32(b.y); out[3] = u32(b.z);
     var c = vec4f(1, 2, 3, 4); c.w = c.x + c.y; c[2] -= 1.5; out[4] = f(c.z); out[5] = f(c.w);
     var d = vec4u(1, 2, 3, 4); d.x <<= 3u; d.w ^= 1u; out[6] = d.r; out[7] = d.a;
     var e = vec4<bool>(true, false, true, false); e.y = !e.w; out[8] = u32(all(e.xyz)); out[9] = u32(any(e.ww));`,
    [5, 7, -6, -6, bits(1.5), bits(3), 8, 5, 1, 0],
    { globals: F },
  ),
  program(
    'components with an index that is known only as it runs',
    `for (var k = 0u; k < 4u; k++) {
       let i = input[k];
       var a = vec2u(1, 2); a[i & 1u] = 9; out[4 * k] = a.x * 10 + a.y;
       var b = vec4f(1, 2, 3, 4); b[i] += 10.0; out[4 * k + 1] = u32(b.x + b.y + b.z + b.w + 100.0 * b[i]);
       let c = vec3u(5, 6, 7); out[4 * k + 2] = c[min(i, 2u)];
       out[4 * k + 3] = (vec4u(i) * vec4u(1, 2, 3, 4))[i];
     }`,
    range(4, (i) => [[92, 19][i & 1], 20 + 100 * (11 + i), [5, 6, 7, 7][i], i * (i + 1)]).flat(),
  ),
  program(
    'swizzles',
    `let v = vec4u(1, 2, 3, 4); let w = v.wzyx; out[0] = w.x * 1000 + w.y * 100 + w.z * 10 + w.w;
     let x = vec4f(1, 2, 3, 4).xxyy * 2.0; out[1] = u32(dot(x, vec4f(1000, 100, 10, 1)));
     var y = vec4f(1, 2, 3, 4); y = y.yxwz; out[2] = u32(dot(y, vec4f(1000, 100, 10, 1)));
     var z = vec2u(1, 2); z = z.yx; out[3] = z.x * 10 + z.y; out[4] = v.yz.y; out[5] = vec3u(1, 2, 3).zx.x;
     let p = vec4f(y.xy, 0.5, 1.0); out[6] = u32(p.x + p.y + 2.0 * p.z);`,
    [4321, 2244, 2143, 21, 3, 3, 4],
  ),
  program(
    'vectors with vectors and with numbers',
    `let a = vec4f(1, -2, 3, -4); let b = 2.0 * a - vec4f(1) / 2.0; out[0] = f(b.x); out[1] = f(b.w);
     let c = vec3i(7, -7, 9) / 2; out[2] = u32(c.x); out[3] = u32(c.y); let d = vec2u(5, 6) % vec2u(input[0], 4);
     out[4] = d.x; out[5] = d.y; let e = max(a, vec4f(0)); out[6] = f(e.y + e.z); out[7] = f(abs(a).w);
     let g = select(a, vec4f(9), a < vec4f(0)); out[8] = f(g.x); out[9] = f(g.w);
     let h = select(vec2u(1, 2), vec2u(3, 4), vec2<bool>(false, true)); out[10] = h.x * 10 + h.y;
     let i = vec4u(vec4f(1.9, 2.9, -3.0, 4.0)); out[11] = i.x + i.y + i.z + i.w; out[12] = f((-a).y);
     let j = bitcast<vec4u>(a); out[13] = j.z; let k = vec4u(1u) << vec4u(0, 1, 2, 3); out[14] = k.x + k.y + k.z + k.w;
     out[15] = u32(dot(vec3i(1, 2, 3), vec3i(4, -5, 6))); out[16] = f(clamp(a, vec4f(-1), vec4f(1)).w);
     out[17] = f(select(vec3f(1, 2, 3), vec3f(4), a.x > 0).z);`,
    [
      bits(1.5),
      bits(-8.5),
      3,
      -3,
      0,
      2,
      bits(3),
      bits(4),
      bits(1),
      bits(9),
      14,
      7,
      bits(2),
      bits(3),
      15,
      12,
      bits(-1),
      bits(4),
    ],
    { globals: F },
  ),
];

const ARRAYS = [
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
];

const STRUCTS = [
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

const FLOW = [
  program(
    'loops of every kind, with break and continue',
    `var n = 0u; var i = 0u;
     while (i < 10) { i++; if (i % 2 == 0) { continue; } if (i > 7) { break; } n += i; }
     out[0] = n; out[1] = i; n = 0u;
     loop { n += 3; if (n > 10) { break; } } out[2] = n;
     for (var a = 0; a < 3; a++) { for (var b = 5; b > a; b--) { if (b == 4) { continue; } if (a == 1) { break; } n += 1; } }
     out[3] = n; for (;;) { n -= 1; if (n < 5) { break; } } out[4] = n;
     var k = 0u; for (; k < 9; k += 4) {} out[5] = k; for (var m = 0u; m < 0; m++) { out[5] = 99; }
     for (var j = 10u; j > 0; j >>= 1u) { k += j; } out[6] = k;`,
    [1 + 3 + 5 + 7, 9, 12, 12 + 4 + 2, 4, 12, 12 + 10 + 5 + 2 + 1],
  ),
  program(
    'early return in nested control flow',
    `for (var i = 0u; i < 8u; i++) { out[i] = found(i); } if (out[7] == 3) { out[8] = 1; return; } out[8] = 2;`,
    [100, 100, 102, 3, 3, 3, 3, 3, 1],
    {
      globals: `
fn found(n: u32) -> u32 {
  for (var i = 0u; i < 4u; i++) {
    if (i == n) {
      if (n == 3) { return i; }
      var j = 0u;
      loop { if (j == n) { if (j == 2) { return 100 + j; } else { break; } } j += 1; }
      return 100;
    }
  }
  return 3;
}`,
    },
  ),
  program(
    'shadowed names',
    `let x = 1u; var y = 10u; { let x = 2u; y += x; { var y = 100u; y += x; out[0] = y; } }
     for (var x = 5u; x < 6; x++) { y += x; let y = 7u; out[1] = y + x; } out[2] = x; out[3] = y; out[4] = g(3);
     var i = 2u; for (var i = i + 1; i < 5u; i++) { out[5] = out[5] * 10 + i; } out[6] = i; { let gid = 5u; out[7] = gid; }`,
    [102, 12, 1, 17, 13, 34, 2, 5],
    { globals: 'const x = 10;\nfn g(y: u32) -> u32 { return x + y; }' },
  ),
  program(
    'what is assigned in branches and loops is known behind them',
    `var a = 1u; var v = vec4f(1); if (input[1] == 1) { a = 2; v.x = 5.0; } else { a = 3; } out[0] = a; out[1] = u32(v.x + v.y);
     var b = 1u; for (var i = 0u; i < 3; i++) { b = b * 2 + a; a += 1; } out[2] = b; out[3] = a;
     var c = 4u; loop { if (c == 0) { break; } c -= 1; } out[4] = c; var d = 9u; if (false) { d = 1; } out[5] = d;
     var e = vec2u(1, 2); if (input[1] == 1) { e = e.yx; e.x += 5; } out[6] = e.x * 10 + e.y;
     let before = a; a = 77; out[7] = before; out[8] = a;`,
    [2, 6, 26, 5, 0, 9, 71, 5, 77],
  ),
  program(
    'ranges of loop counters: what the body and the bounds change',
    `var n = 3u; var t = 0u; for (var i = 0u; i < n; i++) { if (i == 1) { n = 6; } t += i; } out[0] = t;
     t = 0; for (var i = 0u; i < 10; i++) { i += 2; t += i; } out[1] = t; t = 0;
     for (var i = 4294967290u; i < 4294967295u; i += 2) { t += 1; if (t > 5) { break; } } out[2] = t;
     for (var i = 2u; i < 5; i += 2) { t = i * 2; } out[3] = t; t = 0; for (var i = -2; i < 2; i++) { t += u32(i + 3); } out[4] = t;
     t = 0; for (var i = 5u; i < 4000000000u; i += 2147483650u) { t += 1; if (i < 5) { out[6] = i; } if (t == 4) { break; } }
     out[5] = t; let end = min(input[7], 4u); t = 0; for (var i = 0u; i < end; i++) { t = t * 10 + input[i]; } out[7] = t;`,
    [15, 2 + 5 + 8 + 11, 6, 8, 1 + 2 + 3 + 4, 4, 0, 123],
  ),
  program(
    'short loops, whose bodies and bounds do what forbids to write them out',
    `var n = 2u; for (var i = 0u; i < n; i++) { if (i == 1 && n == 2) { n = 4; } out[0] = out[0] * 10 + i; }
     for (var i = 0u; i < 4u - i; i++) { out[1] += 1; }
     for (var i = next(); i < 3u; i++) { out[2] += 1; } for (var i = 0u; i < 2u + next(); i++) { out[3] += 1; }
     for (var i = 0u; i < 4; i++) { if (i == 1) { continue; } if (i == 3) { break; } out[5] = out[5] * 10 + i; }
     for (var i = 0u; i < 2; i++) { for (var j = i; j < 3; j++) { if (j == 2) { break; } out[6] = out[6] * 100 + i * 10 + j; } }
     var step = 1u; for (var i = 0u; i < 4; i += step) { step = 3; out[7] = out[7] * 10 + i; } out[8] = first(2);`,
    [123, 2, 3, 2, 4, 2, 111, 3, 20],
    {
      globals: `fn next() -> u32 { out[4] += 1; return 0u; }
fn first(n: u32) -> u32 { for (var i = 0u; i < 3; i++) { if (i == n) { return i * 10; } } return 7u; }`,
    },
  ),
  program(
    'the right side of && and || runs only where it decides',
    `if (input[0] == 1 && changed(1u)) { out[4] = 1; } if (input[0] == 0 || changed(2u)) { out[5] = 1; }
     let a = input[1] == 1 && changed(4u); let b = input[1] == 5 || changed(8u); out[6] = u32(a) + 2 * u32(b);
     if ((input[1] == 0 && changed(16u)) || (input[1] == 1 && changed(32u))) { out[7] = 1; }`,
    [4 + 8 + 32, 0, 0, 0, 0, 1, 3, 1],
    { globals: 'fn changed(by: u32) -> bool { out[0] += by; return true; }' },
  ),
  program(
    'functions that write to memory, inside expressions, run once and in order',
    `out[1] = next() * 100 + next() * 10 + next(); out[2] = out[0] + next() + out[0];
     let v = vec3u(next(), out[0], next()); out[3] = v.x * 100 + v.y * 10 + v.z;
     let pair = vec2u(2, 3) * vec2u(next(), next()); out[4] = pair.x * 100 + pair.y;
     out[5] = table[next() & 1].yx.x; out[6] = out[0]; out[5 + next() - 8] += next();
     out[0] = 1; out[0] += next(); out[8] = out[0]; out[9] = max(next(), next());`,
    [5, 123, 3 + 4 + 4, 5 * 100 + 5 * 10 + 6, 14 * 100 + 24, 0, 9, 11, 3, 5],
    {
      globals: `
struct Pairs { list: array<vec2u, 2> }
var<workgroup> table: array<vec2u, 2>;
fn next() -> u32 { out[0] += 1; return out[0]; }`,
    },
  ),
  program(
    'functions that call others that write, wherever the call stands',
    `out[1] = out[0] * 100 + assigned() * 10 + out[0]; out[2] = out[0] * 100 + declared() * 10 + out[0];
     out[3] = out[0] * 100 + looped() * 10 + out[0]; out[4] = out[0] * 100 + indexed() * 10 + out[0];`,
    [4, 11, 122, 233, 344],
    {
      globals: `
fn next() -> u32 { out[0] += 1; return out[0]; }
fn assigned() -> u32 { var x = 0u; x = next(); return x; }
fn declared() -> u32 { let x = next(); return x; }
fn looped() -> u32 { var x = 0u; for (var i = next(); i < 1; i++) { x = 1; } return out[0]; }
fn indexed() -> u32 { var list = array<u32, 8>(); list[next()] = 1; return out[0]; }`,
    },
  ),
  program(
    'functions in functions, with and without results',
    `add(1u, 5u); add(1u, twice(twice(3u))); out[0] = larger(out[1], 4u); out[2] = larger(2u, 4u);
     let r = parts(7.75); out[3] = u32(r.x); out[4] = u32(r.y * 4.0); _ = twice(4u);`,
    [17, 17, 4, 7, 3],
    {
      globals: `
fn twice(x: u32) -> u32 { return x + x; }
fn add(i: u32, x: u32) { if (x == 0) { return; } out[i] += x; }
fn larger(a: u32, b: u32) -> u32 { if (a > b) { return a; } return b; }
fn parts(x: f32) -> vec2f { let whole = floor(x); return vec2(whole, x - whole); }`,
    },
  ),
];

/** A tree of sums over a workgroup of 8. */
const TREE = `
var<workgroup> sums: array<u32, 8>;
fn total(lid: u32, x: u32) -> u32 {
  sums[lid] = x;
  for (var half = 4u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lid < half) { sums[lid] += sums[lid + half]; }
  }
  workgroupBarrier();
  return sums[0];
}`;

const GROUPS = [
  program(
    'built-in values of three dimensions',
    `let i = (at.z * 4 + at.y) * 6 + at.x;
     out[i] = ((((local.z * 2 + local.y) * 3 + local.x) * 100 + lid) * 10 + group.z) * 100 + group.y * 10 + group.x + groups.x * 1000000 + groups.y * 100000000;`,
    range(4 * 4 * 6, (i) => {
      const [x, y, z] = [i % 6, Math.floor(i / 6) % 4, Math.floor(i / 24)];
      const local = ((z % 2) * 2 + (y % 2)) * 3 + (x % 3);
      const group = [Math.floor(x / 3), Math.floor(y / 2), Math.floor(z / 2)];
      return ((local * 100 + local) * 10 + group[2]) * 100 + group[1] * 10 + group[0] + 2e6 + 2e8;
    }),
    { size: '3, 2, 2', workgroups: [2, 2, 2] },
  ),
  program(
    'memory of the workgroup is zero at the start of each',
    `out[gid * 4 + lid] = words[lid] + u32(quads[lid].w); workgroupBarrier(); words[3 - lid] = 5; quads[lid] = vec4f(7);
     workgroupBarrier(); out[gid * 4 + lid] += words[lid] * 10;`,
    range(12, () => 50),
    {
      size: '4',
      workgroups: [3],
      globals: 'var<workgroup> words: array<u32, 4>;\nvar<workgroup> quads: array<vec4f, 4>;',
    },
  ),
  program(
    'a tree of sums, twice, in a function',
    `let a = total(lid, lid + gid); workgroupBarrier(); let b = total(lid, lid * lid); out[gid * 8 + lid] = a * 1000 + b;`,
    range(16, (i) => (28 + 8 * Math.floor(i / 8)) * 1000 + 140),
    { size: '8', workgroups: [2], globals: TREE },
  ),
  program(
    'variables of all kinds live across barriers',
    `var a = lid * 3; var v = vec4f(f32(lid)); var list: array<u32, 3>; let flag = lid > 1; var n = 0u;
     for (var k = 0u; k < 3; k++) {
       words[lid] = a; list[k] = lid + k; workgroupBarrier();
       a += words[(lid + 1) % 4]; v += f32(words[3 - lid]); workgroupBarrier(); n += k;
       if (flag) { v.x += 1.0; }
     }
     var sum = 0u; for (var k = 0u; k < 3; k++) { sum += list[input[k]]; }
     out[lid] = a; out[4 + lid] = u32(v.x * 100.0 + v.w); out[8 + lid] = sum * 10 + n;`,
    liveAcrossBarriers(),
    { size: '4', globals: 'var<workgroup> words: array<u32, 4>;' },
  ),
  program(
    'loop counters that change on both sides of a barrier',
    `var i = 0u; var rounds = 0u;
     loop { if (i >= 12) { break; } i += 1; words[lid] = i + lid; workgroupBarrier(); let seen = words[lid ^ 1]; i += 2; workgroupBarrier();
       if (i == 6) { continue; } out[lid] = out[lid] * 100 + seen + i; rounds += 1; }
     out[2 + lid] = rounds;`,
    [...range(2, (lid) => [1, 7, 10].reduce((sum, i) => sum * 100 + i + (1 - lid) + i + 2, 0)), 3, 3],
    { size: '2', globals: 'var<workgroup> words: array<u32, 2>;' },
  ),
  program(
    'a uniform counter that a loop without barriers sets',
    `var rounds = 0u; for (var k = 0u; k < 3; k++) { rounds += input[k] + 1; }
     for (var k = 0u; k < rounds; k++) { words[lid] += k + lid; workgroupBarrier(); out[lid] += words[1 - lid]; workgroupBarrier(); rounds -= 1; }
     out[2 + lid] = rounds;`,
    (() => {
      const words = [0, 0];
      const sums = [0, 0];
      let rounds = 6;
      for (let k = 0; k < rounds; k++, rounds--) {
        words.forEach((_, lid) => (words[lid] += k + lid));
        sums.forEach((_, lid) => (sums[lid] += words[1 - lid]));
      }
      return [...sums, rounds, rounds];
    })(),
    { size: '2', globals: 'var<workgroup> words: array<u32, 2>;' },
  ),
  program(
    'uniform branches around barriers, and an early return that all take',
    `if (gid == 1) { return; }
     if (input[gid] == 2) { words[lid] = 5 + lid; workgroupBarrier(); out[gid * 2 + lid] = words[1 - lid]; }
     else { words[lid] = 9; workgroupBarrier(); out[gid * 2 + lid] = words[1 - lid] * 2; if (input[gid] == 3) { return; } workgroupBarrier(); }
     out[gid * 2 + lid] += 100;`,
    [118, 118, 0, 0, 106, 105, 18, 18],
    { size: '2', workgroups: [4], globals: 'var<workgroup> words: array<u32, 2>;' },
  ),
  program(
    'some return behind the last barrier, others later',
    `words[lid] = lid; workgroupBarrier();
     if (gid == 0) { out[lid] = 1; workgroupBarrier(); if (lid >= 2) { return; } out[lid] += words[lid + 1]; }
     out[gid * 4 + lid] += 10;`,
    [12, 13, 1, 1, 10, 10, 10, 10],
    { size: '4', workgroups: [2], globals: 'var<workgroup> words: array<u32, 4>;' },
  ),
  program(
    'branches that only some take, before and behind barriers',
    `var x = 0u; if (lid % 2 == 0) { x = 7; words[lid] = 1; } else { for (var k = 0u; k < lid; k++) { if (k == 2) { break; } x += 1; } }
     workgroupBarrier(); for (var k = 0u; k < 4; k++) { if (k == lid) { continue; } x += words[k] * 10; }
     workgroupBarrier(); if (lid == 3) { out[3] = x; return; } out[lid] = x;`,
    [7 + 10, 1 + 20, 7 + 10, 2 + 20],
    { size: '4', globals: 'var<workgroup> words: array<u32, 4>;' },
  ),
  program(
    'functions with barriers inside expressions',
    `let x = lid + exchanged(lid, lid * 2) * 10 + exchanged(lid, 7u) * 100; out[lid] = x;`,
    [0 + 20 + 700, 1 + 0 + 700],
    {
      size: '2',
      globals: `var<workgroup> words: array<u32, 2>;
fn exchanged(lid: u32, x: u32) -> u32 { workgroupBarrier(); words[lid] = x; workgroupBarrier(); return words[1 - lid]; }`,
    },
  ),
  program(
    'tiles: what a workgroup loads together, each uses',
    `var sum = 0u;
     for (var start = 0u; start < 16; start += 4) {
       workgroupBarrier(); tile[lid] = input[start + lid]; workgroupBarrier();
       for (var k = 0u; k < 4; k++) { sum += tile[k] * (lid + 1); }
     }
     out[lid] = sum;`,
    range(4, (lid) => 120 * (lid + 1)),
    { size: '4', globals: 'var<workgroup> tile: array<u32, 4>;' },
  ),
  {
    name: 'atomic operations',
    code: `
@group(0) @binding(0) var<storage, read_write> out: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> least: atomic<i32>;
var<workgroup> count: atomic<u32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lid: u32) {
  atomicAdd(&out[0], lid + 1); atomicMax(&out[1], lid * 2); atomicOr(&out[2], 1u << lid); atomicMin(&least, -i32(lid));
  atomicSub(&out[3], 1u); atomicAdd(&count, 1); workgroupBarrier();
  if (lid == 0) {
    atomicStore(&out[4], atomicLoad(&count)); let before = atomicExchange(&out[5], 9u); atomicStore(&out[6], before);
    atomicAdd(&out[7], atomicAdd(&out[7], 5u) + 1); atomicAnd(&out[8], 6u); atomicXor(&out[8], 3u); atomicStore(&out[9], u32(atomicLoad(&least)));
  }
}`,
    buffers: [[0, 0, 0, 4, 0, 8, 0, 0, 12, 0], [0]],
    expected: [10, 6, 15, 0, 4, 9, 8, 6, 4 ^ 3, -3 >>> 0],
  } satisfies Program,
];

function liveAcrossBarriers(): number[] {
  const a = range(4, (lid) => lid * 3);
  const v = range(4, (lid) => [lid, lid]);
  for (let k = 0; k < 3; k++) {
    const words = [...a];
    for (let lid = 0; lid < 4; lid++) {
      a[lid] += words[(lid + 1) % 4];
      v[lid] = v[lid].map((x) => x + words[3 - lid]);
      if (lid > 1) v[lid][0]++;
    }
  }
  return [...a, ...v.map(([x, w]) => x * 100 + w), ...range(4, (lid) => (3 * lid + 3) * 10 + 3)];
}

export const PROGRAMS: readonly Program[] = [
  ...CONSTANTS,
  ...VECTORS,
  ...ARRAYS,
  ...STRUCTS,
  ...FLOW,
  ...GROUPS,
];

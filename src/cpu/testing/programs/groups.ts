/** Invocations that work together: barriers, workgroup memory and atomics. */
import { program, range, type Program } from './program.ts';

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

export const GROUPS = [
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

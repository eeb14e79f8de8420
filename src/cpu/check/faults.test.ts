/** Programs with a fault put in: what Tint refuses, this compiler refuses. WGRAD_SEED repeats them. */
import { beforeAll, expect, it } from 'vitest';
import { Random } from '../../base/random.ts';
import { count, SEED } from '../../base/testing/tier.ts';
import { compileKernel } from '../compile/kernel.ts';
import { faulty } from '../testing/random/faults.ts';
import { randomProgram } from '../testing/random/program.ts';
import { openTint } from '../testing/tint.ts';
import { SourceError } from '../wgsl/source-error.ts';

let tint: (code: string) => Promise<string[]>;
beforeAll(async () => {
  tint = await openTint();
});

/** What this compiler says; undefined if it compiles the program. */
function problemOf(code: string): string | undefined {
  try {
    const kernel = compileKernel(code, false);
    return WebAssembly.validate(kernel.code) ? undefined : 'compiled to an invalid module';
  } catch (error) {
    if (error instanceof SourceError) return error.message;
    throw error;
  }
}

/** It may refuse what it does not support, and what has no entry point for it. */
const MAY_REFUSE = /not supported|^expected a function "main"|is reserved/;

/** What the two judge differently, if they do. */
async function disagreement(number: number): Promise<string | undefined> {
  const { code } = randomProgram(SEED, number, number % 2 === 0);
  const { kind, code: changed } = faulty(code, new Random(SEED, `fault ${number}`));
  const [theirs] = await tint(changed);
  const ours = problemOf(changed);
  const agree = theirs === undefined ? MAY_REFUSE.test(ours ?? 'not supported') : ours !== undefined;
  return agree
    ? undefined
    : `seed ${SEED}, program ${number}, ${kind}; Tint: ${theirs}; found: ${ours}\n${changed}`;
}

it(
  'with a fault put in, a random program is judged as Tint judges it',
  async () => {
    for (let number = 0; number < count(50, 150, 20_000); number++)
      expect(await disagreement(number)).toBeUndefined();
  },
  count(300_000, 300_000, 7_200_000),
);

/** CheckedStatements that are wrong wherever they stand. */
const STATEMENTS = `
let q = undefinedName + 1u;
let q = undefinedFunction(1u);
let q: undefinedType = 1u;
let q: u32 = 1.5;
let q: u32 = -1;
let q: u32 = 1i;
let q: i32 = 3000000000;
let q = 3000000000i;
let q = 4294967296u;
let q = 1e39f;
let q: f32 = 1e39;
let q = 012;
let q = 9223372036854775807 + 1;
let q = 1 / 0;
let q = k / 0;
let q = k % (2u - 2u);
let q = 1.0 / 0.0;
let q = sqrt(-1.0);
let q = log(0.0);
let q = exp(1000.0);
let q = bitcast<f32>(0x7fc00000u);
let q = clamp(k, 3u, 2u);
let q = k << 32u;
let q = k << 1i;
let q = 1i << 31u;
let q = k + 1i;
let q = k + 1.5;
let q = vec2f(1) + vec3f(1);
let q = vec2f(1) == 1.0;
let q = vec3f(1, 2);
let q = vec3f(1i);
let q = vec2(1u, 2i);
let q = array<u32, 3>(1, 2);
let q = array(1u, 2i);
let q = array<u32>(1u);
let q = true + true;
let q = !k;
let q = -k;
let q = ~1.5;
let q = true && 1u;
let q = k & 1u + 1u;
let q = 1 < 2 < 3;
let q = true && true || true;
let q = vec2f(1).z;
let q = vec2f(1).xr;
let q = vec2f(1)[2];
let q = array(1, 2)[2];
let q = out[-1];
let q = out[1.0];
let q = k.x;
let q = k[0];
let q = out;
let q = counts[0];
let q = nothing();
let q = min(1u);
let q = min(1u, 2i);
let q = sqrt(k);
let q = select(1u, 2u, 1u);
let q = select(1.0, 2.0, vec2<bool>(true));
let q = dot(vec2f(1), vec3f(1));
let q = add(1u);
let q = add(1u, 2i);
let q = add;
let q = u32;
let k = 1u;
let q = q;
const q = k;
let q = 1; q = 2;
const q = 1; q = 2;
k = 1u;
add(1u, 1u) = 2u;
read[0] = 1u;
counts[0] = 1u;
out = 1u;
out[0] = 1.5;
out[0] += 1i;
_ += 1;
var q = 1.5; q++;
var q: array<u32>;
var q: atomic<u32>;
var q; q = 1;
let q: u32;
min(1u, 2u);
vec2f(1);
must();
atomicAdd(&counts[0], -1);
atomicAdd(&out[0], 1u);
let q = atomicStore(&counts[0], 1u);
let q = arrayLength(&shared);
main(vec3u(), 1u);
break;
continue;
return 1u;
if (1u) { }
while (k) { }
loop { }
for (;;) { }
loop { continue; }
{ let q = 1; let q = 2; }
for (var q = 0u; q < 4u; q += 1i) { }
if (k == 0u) { workgroupBarrier(); }
if (out[0] == 0u) { storageBarrier(); }
for (var q = 0u; q < k; q++) { workgroupBarrier(); }
if (k == 0u) { sync(); }
syncIf(k);
`
  .trim()
  .split('\n');

/** Declarations that are wrong, although nothing uses them. */
const DECLARATIONS = `
fn q() -> u32 { }
fn q() -> u32 { if (true) { return 1u; } }
fn q() -> u32 { return; }
fn q() -> u32 { while (true) { return 1u; } }
fn q() -> array<u32> { }
fn q(a: u32, a: u32) { }
fn q(a: u32) { let a = 1; }
fn q(a: u32) { a = 1u; }
fn q(a: atomic<u32>) { }
fn q() { q(); }
fn q() { r(); } fn r() { q(); }
fn q(@builtin(workgroup_id) a: vec3u) { }
fn add() { }
@must_use fn q() { }
@compute fn q() { }
@workgroup_size(1) fn q() { }
@compute @workgroup_size(0) fn q() { }
@compute @workgroup_size(1) fn q(a: u32) { }
@compute @workgroup_size(1) fn q(@builtin(workgroup_id) a: vec2u) { }
@compute @workgroup_size(1) fn q() -> u32 { return 1u; }
@group(0) fn q() { }
@unknown fn q() { }
const q: u32 = -1;
const q = q;
const q = r; const r = q;
const q = out[0];
const q = add(1u, 2u);
const q = vec2(1)[2];
const q;
let q = 1;
var q = 1;
alias Q = R; alias R = Q;
alias Q = undefinedType;
struct Q { }
struct Q { a: Q }
struct Q { a: u32, a: f32 }
struct Q { a: array<u32>, b: u32 }
struct Q { @align(3) a: u32 }
struct Q { @size(2) a: u32 }
var<workgroup> q: array<u32>;
var<workgroup> q: u32 = 1;
var<workgroup> q: array<u32, 0>;
var<workgroup> q: array<u32, -1>;
var<workgroup> q: array<u32, undefinedName>;
var<storage> q: u32;
@group(0) @binding(9) var<workgroup> q: u32;
@group(0) @binding(9) var<storage> q: bool;
@group(0) @binding(9) var<storage> q: atomic<u32>;
@group(0) @binding(9) var<storage, write> q: u32;
@group(0) @binding(9) var<uniform> q: array<u32>;
@group(0) @binding(-1) var<storage> q: u32;
@group(0) @group(0) @binding(9) var<storage> q: u32;
/* a comment /* that does not end */
`
  .trim()
  .split('\n');

const programOf = (statement: string, before = '', declaration = '') =>
  `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read> read: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
var<workgroup> shared: array<u32, 4>;
fn nothing() { }
fn add(a: u32, b: u32) -> u32 { return a + b; }
@must_use fn must() -> u32 { return 1u; }
fn sync() { workgroupBarrier(); }
fn syncIf(a: u32) { if (a == 0u) { workgroupBarrier(); } }
${declaration}
@compute @workgroup_size(4) fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) k: u32) {
  ${before}
  ${statement}
}`
    .replaceAll('read[', 'given[')
    .replace('read: array', 'given: array')
    .replaceAll('shared', 'tile');

it('takes the program around them', async () => {
  const code = programOf('');
  expect([await tint(code), problemOf(code)]).toEqual([[], undefined]);
});

/** Tint does not ask whether all invocations reach a barrier that none reaches. */
const isUniformity = (statement: string) => /Barrier|sync/.test(statement);

it.each(STATEMENTS)('refuses %s', async (statement) => {
  const places = [
    programOf(statement),
    ...(isUniformity(statement) ? [] : [programOf(statement, 'return;')]),
    programOf(
      '',
      '',
      `fn uncalled(k: u32) { ${/^return|main\(/.test(statement) ? `${statement}` : `if (k > 9u) { return; } ${isUniformity(statement) ? 'let k = out[0]; ' : ''}${statement}`} }`,
    ),
  ];
  for (const code of places) {
    expect(await tint(code), code).not.toEqual([]);
    expect(problemOf(code), code).toBeDefined();
  }
});

it.each(DECLARATIONS)('refuses %s', async (declaration) => {
  const code = programOf('', '', declaration);
  expect(await tint(code)).not.toEqual([]);
  expect(problemOf(code)).toBeDefined();
});

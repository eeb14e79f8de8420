import { expect, it } from 'vitest';
import { Random } from '../../base/random.ts';
import { PROGRAMS } from '../testing/programs/index.ts';
import { lineAndColumn, SourceError } from '../wgsl/source-error.ts';
import { tokensOf } from '../wgsl/tokens.ts';
import { compileKernel } from './kernel.ts';

/** Statements of `main`, on line 4, and the message that they cause. */
const STATEMENTS: readonly (readonly [code: string, message: string])[] = [
  ['let x = missing;', 'unknown name "missing"'],
  ['let x = missing(1);', 'unknown function "missing"'],
  ['let x = 1u + 1i;', 'operands are u32 and i32'],
  ['let x = vec2f(1) + vec3f(1);', '"+" of vec2<f32> and vec3<f32>'],
  ['let x: u32 = 1.5;', 'expected u32, found float'],
  ['let x: bool = 1;', 'expected bool, found int'],
  ['let x: vec4f = 1;', 'expected vec4<f32>, found int'],
  ['let x = 1; x = 2;', 'an assignment to "x", which is a "let"'],
  ['let x = 1 / 0;', '"/" by 0'],
  ['let x = vec3f(1, 2);', 'vec3<f32> of 2 numbers'],
  ['let x = vec3f(vec2f(1));', 'vec3<f32> of vec2<f32>'],
  ['let x = vec2(1u, 2i);', 'operands are u32 and i32'],
  ['let x = array<u32, 3>(1, 2);', 'array<u32, 3> of 2 values'],
  ['let x = vec2f(1)[2];', 'index 2 into vec2<f32>'],
  ['let x = array(1, 2)[2];', 'index 2 into array<int, 2>'],
  ['var x = array(1, 2); x[2] = 1;', 'index 2 into array<i32, 2>'],
  ['const i = 1 + 1; var x = array(1, 2); x[min(i, 3)] = 1;', 'index 2 into array<i32, 2>'],
  ['let x = out[1.5];', 'expected an index, found float'],
  ['let x = vec2f(1).z;', 'vec2<f32> has no member "z"'],
  ['let x = vec2f(1).what;', 'vec2<f32> has no member "what"'],
  ['if (1u) {}', 'expected a condition, found u32'],
  ['while (out[0]) {}', 'expected a condition, found u32'],
  ['let x = !1u;', '"!" of u32'],
  ['let x = -true;', '"-" of bool'],
  ['let x = true + false;', '"+" of bool'],
  ['let x = 1u && true;', 'expected bool, found u32'],
  ['let x = select(1, 2);', '"select" takes 3 values, found 2'],
  ['let x = select(1, 2, 3);', '"select" of something that is not a condition'],
  ['let x = min(1);', '"min" takes 2 values, found 1'],
  ['let x = sqrt(1u);', 'a function of floats, given u32'],
  ['let x = dot(vec2f(1), 2.0);', '"dot" takes two vectors of numbers, of one size'],
  ['let x = any(1u);', '"any" of something that is not a condition'],
  ['let x = bitcast<f32>(true);', '"bitcast" of bool as f32'],
  ['let x = f(1);', '"f" takes 2 values, found 1'],
  ['let x = g();', '"g" returns nothing'],
  ['let x = again(1);', '"again" is defined by itself'],
  ['break;', '"break" outside of a loop'],
  ['switch (1) {}', '"switch" is not supported'],
  ['read[0] = 1;', 'a write to what is read-only'],
  ['atomicAdd(&lid, 1u);', 'atomicAdd of something that is not a variable in memory'],
  ['let x = arrayLength(&lid);', 'arrayLength of something that is not a variable in memory'],
  ['let x: f16 = 1;', 'the type "f16" is not supported'],
  ['let x = 1.0h;', 'f16 is not supported on this device'],
  ['if (lid > 1) { workgroupBarrier(); }', 'a barrier that not all invocations reach'],
  [
    'var n = 0u; for (var k = 0u; k < 9; k++) { n += 1; if (k == lid) { break; } } if (n > 2) { workgroupBarrier(); }',
    'a barrier that not all invocations reach',
  ],
  ['let x = 1', 'expected ";", found "}"'],
  ['let x = (1;', 'expected ")", found ";"'],
  ['let x = $;', 'unexpected character "$"'],
  ['let x = 1 +;', 'expected an expression, found ";"'],
  ['let from = 1;', '"from" is reserved: choose another name'],
  ['let __x = 1;', '"__x" is reserved: choose another name'],
  ['x;', 'expected an assignment or a call, found ";"'],
];

const programOf = (statement: string) => `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read> read: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lid: u32) {
  ${statement}
}
fn f(a: u32, b: u32) -> u32 { return a + b; }
fn g() { out[0] = 1; }
${statement.includes('again') ? 'fn again(n: u32) -> u32 { return again(n); }' : ''}`;

/** What it throws, as "line: message". */
function problemOf(code: string): string {
  try {
    compileKernel(code, false);
    return 'none';
  } catch (error) {
    if (error instanceof SourceError) return `${lineAndColumn(code, error.at).line}: ${error.message}`;
    throw error;
  }
}

it.each(STATEMENTS)('%s', (statement, message) => {
  const line = statement === 'let x = 1' ? 5 : 4;
  expect(problemOf(programOf(statement)).replace(/^8: ("again")/, '4: $1')).toBe(`${line}: ${message}`);
});

it.each([
  ['', '1: expected a function "main"'],
  ['fn main() {}', '1: expected @compute and @workgroup_size'],
  ['enable f16;', '1: "enable f16" is not supported'],
  ['\n@compute @workgroup_size(1) fn main() {', '2: expected an expression, found "the end of the file"'],
  ['const x = 1;\nconst x = 1;', '2: "x" is declared twice'],
  ['alias x = u32;\nfn x() {}', '2: "x" is declared twice'],
  ['const x = 2 * y;\n@compute @workgroup_size(1) fn main() {}', '1: unknown name "y"'],
  ['var<private> x: u32;', '1: variables in the address space "private" are not supported'],
  ['@compute @workgroup_size(1) fn main(x: u32) {}', '1: expected @builtin at "x"'],
  [
    '@compute @workgroup_size(1) fn main(@builtin(position) x: u32) {}',
    '1: the built-in value "position" is not supported',
  ],
  ['struct S { x: T }\n@compute @workgroup_size(1) fn main() { var s: S; }', '1: unknown type "T"'],
])('%s', (code, problem) => {
  expect(problemOf(code)).toBe(problem);
});

it.each([
  ['let x = missing;', 11],
  ['let x = 1 $ 2;', 13],
  ['let x: what = 1;', 10],
  ['let x = 1u + 1i;', 14],
])('%s is wrong in column %i', (statement, column) => {
  const code = programOf(statement);
  let found: number | undefined;
  try {
    compileKernel(code, false);
  } catch (error) {
    found = lineAndColumn(code, (error as SourceError).at).column;
  }
  expect(found).toBe(column);
});

it('whatever is missing or doubled in a program, it compiles to a valid module or says what is wrong', () => {
  const random = new Random(1);
  for (const { code } of PROGRAMS) {
    const tokens = tokensOf(code).slice(0, -1);
    for (let round = 0; round < 10; round++) {
      const texts = tokens.map(({ text }) => text);
      const at = random.below(texts.length);
      const other = texts[random.below(texts.length)];
      texts.splice(at, 1, ...[[], [texts[at], texts[at]], [other]][round % 3]);
      const changed = texts.join(' ');
      try {
        const kernel = compileKernel(changed, false);
        expect(WebAssembly.validate(kernel.code), changed).toBe(true);
      } catch (error) {
        if (!(error instanceof SourceError)) throw new Error(changed, { cause: error });
      }
    }
  }
});

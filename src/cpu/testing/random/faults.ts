/** Faults that are put into programs: small changes of the text, of which a compiler must refuse those that WGSL refuses. */
import type { Random } from '../../../base/random.ts';
import { tokensOf } from '../../wgsl/tokens.ts';

/** A program as its tokens, each with the space before it. */
type Text = string[];

interface Fault {
  kind: string;
  /** Changes the tokens. Returns false if it fits nowhere. */
  put(tokens: Text, pick: Pick): boolean;
}

/** Chooses by chance. */
interface Pick {
  of<T>(from: readonly T[]): T;
  /** The place of a token that matches, if there is one. */
  place(tokens: Text, test: RegExp): number | undefined;
}

const NUMBERS =
  `0 1 2 3 0u 1u 31u 32u 33u -1 -1i 0i 0.0 1.0 1.5 1f 0f 1e39 1e39f 4294967295 4294967296 2147483648 2147483648i 4294967296u
  9223372036854775807 9223372036854775808 0x1p-3 012 1h true (1/0) (2-2) (1u<<31u) (3u-5u) vec2(1) array(1,2)`.split(
    /\s+/,
  );
const TYPES =
  `u32 i32 f32 bool vec2u vec3u vec4f vec2<bool> vec3<f32> array<u32,3> array<f32,2> array<u32> array<u32,0> atomic<u32> f16
  missing vec2 i32<u32>`.split(/\s+/);
const OPERATORS = '+ - * / % & | ^ && || << >> == != < > <= >= = . ,'.split(' ');
const CALLS =
  `min max clamp abs sqrt dot select all any fma mix floor countOneBits bitcast<u32> bitcast<f32> vec2 vec3u vec4f u32 i32 f32 bool
  array note bits missing arrayLength atomicAdd main unpack2x16float sign pow exp log`.split(/\s+/);
const STATEMENTS = [
  'return;',
  'return 1u;',
  'return 1.5;',
  'break;',
  'continue;',
  'let fresh = missing + 1u;',
  'let i = 1u;',
  'let fresh: u32 = 1i;',
  'var fresh: u32 = -1;',
  'const fresh = 1u << 32u;',
  'const fresh = lid;',
  'lid = 1u;',
  'gid = 2u;',
  'input[0] = 1u;',
  'min(1, 2);',
  'note(1u, 2u);',
  'note(1, -1);',
  'bits(1u);',
  'main();',
  'loop { }',
  'for (;;) { }',
  'loop { break; }',
  'while (true) { }',
  'if (1) { }',
  'if (lid == 0u) { return; }',
  'if (lid == 0u) { workgroupBarrier(); }',
  'if (gid == 0u) { workgroupBarrier(); }',
  'if (out[0] == 0u) { workgroupBarrier(); }',
  'workgroupBarrier();',
  'let fresh = out;',
  'let fresh = marks[0];',
  'marks[0] = 1u;',
  'atomicAdd(&marks[0], -1);',
  'atomicAdd(&out[0], 1u);',
  'atomicStore(&marks[0], 1);',
  'let fresh = arrayLength(&out) / 0u;',
  'var fresh = array(1u, 2u); fresh[2] = 1u;',
  'var fresh = vec2f(1); fresh.z = 1;',
  'var fresh = vec2f(1); fresh.xy = vec2f(2);',
  'var fresh = 1.5; fresh++;',
  '_ = out[-1];',
  '_ = 1 / 0;',
  '_ = lid / 0;',
  '_ = true && 1;',
  '_ += 1;',
  'const x = 1; x = 2;',
  'fn inner() {}',
  ';',
];
const DECLARATIONS = [
  'fn unused() -> u32 { }',
  'fn unused() -> u32 { return 1; }',
  'fn unused() -> u32 { if (true) { return 1; } }',
  'fn unused(x: u32) { x = 1; }',
  'fn unused() { unused(); }',
  'fn unused() { _ = missing; }',
  'fn unused() { return; let x = missing; }',
  'fn unused() { if (out[0] == 0u) { workgroupBarrier(); } }',
  'fn unused(x: u32) { if (x == 0u) { workgroupBarrier(); } }',
  'fn note() { }',
  'const unused: u32 = -1;',
  'const unused = missing;',
  'const unused = 1 / 0;',
  'const unused = unused;',
  'struct Unused { }',
  'struct Unused { x: u32, x: f32 }',
  'struct Unused { x: array<u32>, y: u32 }',
  'var<workgroup> unused: array<u32>;',
  'var<workgroup> unused: u32 = 1;',
  'var<storage> unused: u32;',
  '@group(0) @binding(0) var<storage> unused: u32;',
  '@group(0) @binding(99) var<storage> unused: bool;',
  '@group(0) @binding(99) var<uniform> unused: array<u32>;',
  '@group(0) @binding(99) var<storage, write> unused: u32;',
  '@compute fn unused() {}',
  '@compute @workgroup_size(0) fn unused() {}',
  'alias Unused = missing;',
  'let unused = 1;',
  'enable f16;',
];

const NAME = /^\s*[A-Za-z_]\w*$/;
const NUMBER = /^\s*(\d|\.\d)/;
const BINARY = /^\s*(\+|-|\*|\/|%|&|\||\^|&&|\|\||<<|==|!=|<|<=|>=)$/;
const TYPE = /^\s*(u32|i32|f32|bool|vec[234][fiu]?)$/;
const CALL =
  /^\s*(min|max|clamp|abs|sqrt|dot|select|all|any|fma|mix|floor|note|bits|f0|u32|i32|f32|bool|vec[234][fiu])$/;
const KEYWORD = /^\s*(let|var|const|if|while|loop|for|break|continue|return|else|fn)$/;

/** Replaces a token that matches by one of these. */
const replaced = (
  kind: string,
  test: RegExp,
  by: readonly string[] | ((tokens: Text) => readonly string[]),
): Fault => ({
  kind,
  put(tokens, pick) {
    const at = pick.place(tokens, test);
    if (at === undefined) return false;
    tokens[at] = ` ${pick.of(typeof by === 'function' ? by(tokens) : by)}`;
    return true;
  },
});

/** The statement that ends at a token `;`, as the place of its first token. */
function startOf(tokens: Text, end: number): number {
  let start = end;
  while (start > 0 && !/[;{}]$/.test(tokens[start - 1])) start--;
  return start;
}

/** Statements, from those in functions that are called to those that are not. */
const END = /^\s*;$/;

export const FAULTS: readonly Fault[] = [
  replaced('another number', NUMBER, NUMBERS),
  replaced('another operator', BINARY, OPERATORS),
  replaced('another type', TYPE, TYPES),
  replaced('another function', CALL, CALLS),
  replaced('another keyword', KEYWORD, [
    'let',
    'var',
    'const',
    'if',
    'while',
    'loop',
    'break',
    'continue',
    'return',
    'else',
    '',
  ]),
  replaced('another name', NAME, (tokens) => tokens.filter((token) => NAME.test(token))),
  replaced('an unknown name', NAME, ['missing']),
  replaced('a value that differs', /^\s*(gid|groups?)$/, ['lid', 'local', 'at.x', 'i', 'out[0]']),
  replaced('another member', /^\s*[xyzwrgba]{1,4}$/, ['x', 'w', 'xy', 'wzyx', 'xr', 'xyzwx', 'a', 'missing']),
  replaced(
    'another attribute',
    /^\s*(group|binding|compute|workgroup_size|builtin|local_invocation_index|workgroup_id)$/,
    [
      'group',
      'binding',
      'compute',
      'align',
      'size',
      'must_use',
      'workgroup_id',
      'local_invocation_index',
      'missing',
    ],
  ),
  replaced('another address space', /^\s*(storage|workgroup|read|read_write)$/, [
    'storage',
    'uniform',
    'workgroup',
    'private',
    'read',
    'write',
  ]),
  replaced('a token less', /./, ['']),
  replaced('another token', /./, (tokens) => tokens),
  {
    kind: 'a token twice',
    put(tokens, pick) {
      const at = pick.place(tokens, /./) ?? 0;
      tokens.splice(at, 0, ` ${tokens[at]}`);
      return true;
    },
  },
  {
    kind: 'a statement more',
    put(tokens, pick) {
      const at = pick.place(tokens.slice(functionsAt(tokens)), /^\s*[;{}]$/);
      if (at === undefined) return false;
      tokens.splice(functionsAt(tokens) + at + 1, 0, ` ${pick.of(STATEMENTS)}`);
      return true;
    },
  },
  {
    kind: 'a faulty statement after "return"',
    put(tokens, pick) {
      const at = pick.place(tokens.slice(functionsAt(tokens)), /^\s*[;{]$/);
      if (at === undefined) return false;
      tokens.splice(functionsAt(tokens) + at + 1, 0, ` return; ${pick.of(STATEMENTS)}`);
      return true;
    },
  },
  {
    kind: 'a statement less',
    put(tokens, pick) {
      const end = pick.place(tokens, END);
      if (end === undefined) return false;
      tokens.splice(startOf(tokens, end), end + 1 - startOf(tokens, end));
      return true;
    },
  },
  {
    kind: 'a statement elsewhere',
    put(tokens, pick) {
      const [end, to] = [pick.place(tokens, END), pick.place(tokens, END)];
      if (end === undefined || to === undefined) return false;
      const start = startOf(tokens, end);
      const moved = tokens.slice(start, end + 1);
      tokens.splice(to + 1, 0, ...moved);
      return true;
    },
  },
  {
    kind: 'an argument less or more',
    put(tokens, pick) {
      const at = pick.place(tokens, /^\s*,$/);
      if (at === undefined) return false;
      tokens[at] = pick.of([', 1,', ', missing,', ' )', '']);
      return true;
    },
  },
  {
    kind: 'a declaration more',
    put(tokens, pick) {
      tokens.push(` ${pick.of(DECLARATIONS)}`);
      return true;
    },
  },
  {
    kind: 'a condition that differs around a statement',
    put(tokens, pick) {
      const end = pick.place(tokens.slice(functionsAt(tokens)), END);
      if (end === undefined) return false;
      const at = functionsAt(tokens) + end;
      tokens[at] += ' }';
      tokens[startOf(tokens, at)] =
        ` if (${pick.of(['lid == 0u', 'gid == 0u', 'true', 'out[0] == 1u'])}) { ${tokens[startOf(tokens, at)]}`;
      return true;
    },
  },
];

/** Where the first function begins. */
const functionsAt = (tokens: Text): number =>
  Math.max(
    0,
    tokens.findIndex((token) => token.trim() === 'fn'),
  );

/** The program with a fault, which may be none. */
export function faulty(code: string, random: Random): { code: string; kind: string } {
  const tokens = tokensOf(code).slice(0, -1);
  const texts = tokens.map(({ text, at }, i) => {
    const before = i === 0 ? 0 : tokens[i - 1].at + tokens[i - 1].text.length;
    return code.slice(before, at) + text;
  });
  const pick: Pick = {
    of: (from) => from[random.below(from.length)],
    place(all, test) {
      const places = all.flatMap((token, i) => (test.test(token) ? [i] : []));
      return places.length > 0 ? places[random.below(places.length)] : undefined;
    },
  };
  for (;;) {
    const { kind, put } = pick.of(FAULTS);
    if (put(texts, pick)) return { code: texts.join(''), kind };
  }
}

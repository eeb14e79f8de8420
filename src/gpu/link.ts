/**
 * Makes one WGSL module out of a shader file. Every file is WGSL as it stands; three conventions, all in comments or
 * plain declarations, are acted on here:
 *
 * - `// @import common/index` on a line of its own pulls in shaders/common/index.wgsl, once.
 * - `const NAME = value;` at the start of a line is a default; the caller's value takes its place. Whatever is known
 *   when a plan is made (filter sizes, tiles) is such a constant, so that the driver's compiler divides by constants.
 * - `// @unroll` above `for (var i = 0u; i < COUNT; i++) {` repeats the loop's body with numbers in place of `i`. The
 *   closing brace stands on a line of its own, as deep as the `for`. Register tiles need this: arrays indexed by loop
 *   variables cost 3.5 times on SwiftShader and more on some drivers; indexed by numbers they live in registers.
 *
 * WESL (https://wesl-lang.dev) was considered: it has imports and conditions, but neither the unrolling nor a way for
 * a shared core to call functions of the file that imports it, which is how every GEMM here is built.
 */
import { Failure } from '../base/result.ts';

export type Constants = Readonly<Record<string, number | boolean>>;

export interface SourceLine {
  text: string;
  file: string;
  /** From 1. */
  line: number;
}

export interface LinkedShader {
  code: string;
  /** Where each line of `code` came from. */
  lines: readonly SourceLine[];
}

const IMPORT = /^\s*\/\/ @import (\S+)\s*$/;
const UNROLL = /^\s*\/\/ @unroll\s*$/;
const FOR = /^(\s*)for \(var (\w+) = 0u; \2 < ([^;]+); \2\+\+\) \{\s*$/;
const CONSTANT = /^const (\w+)(?:: (\w+))? = ([^;]+);(.*)$/;

/**
 * @param name the shader's path below shaders/, without the ending
 * @param constants values for `const` declarations; each must be declared by the file or one of its imports
 * @param read answers a shader's text by name
 */
export function link(name: string, constants: Constants, read: (name: string) => string): LinkedShader {
  const values = new Map<string, number>();
  const unused = new Set(Object.keys(constants));
  const lines = specialise(gather(name, read, new Set()), constants, values, unused);
  if (unused.size > 0) {
    throw new Error(`wgrad bug: shaders/${name}.wgsl declares no constant ${[...unused].join(', ')}`);
  }
  const unrolled = unroll(lines, values);
  return { code: unrolled.map((line) => line.text).join('\n'), lines: unrolled };
}

/** "shaders/gemm/tile.wgsl:12" for line `line` (from 1) of the linked code. */
export function whereIs(shader: LinkedShader, line: number): string {
  const source = shader.lines[line - 1];
  return source ? `shaders/${source.file}.wgsl:${source.line}` : 'an unknown line';
}

function gather(name: string, read: (name: string) => string, seen: Set<string>): SourceLine[] {
  seen.add(name);
  return read(name)
    .split('\n')
    .flatMap((text, i) => {
      const imported = IMPORT.exec(text)?.[1];
      if (imported === undefined) return [{ text, file: name, line: i + 1 }];
      return seen.has(imported) ? [] : gather(imported, read, seen);
    });
}

function specialise(
  lines: SourceLine[],
  constants: Constants,
  values: Map<string, number>,
  unused: Set<string>,
): SourceLine[] {
  return lines.map((line) => {
    const match = CONSTANT.exec(line.text);
    if (match === null) return line;
    const [, name, type, initial, rest] = match;
    const given = constants[name];
    unused.delete(name);
    if (given === undefined) {
      const value = evaluate(initial, values);
      if (value !== undefined) values.set(name, value);
      return line;
    }
    if (typeof given === 'number') values.set(name, given);
    return { ...line, text: `const ${name}${type ? `: ${type}` : ''} = ${literal(given, initial)};${rest}` };
  });
}

/** Writes `value` in the type that the default has. */
function literal(value: number | boolean, initial: string): string {
  if (typeof value === 'boolean') return String(value);
  if (/^\d+u$/.test(initial)) return `${value}u`;
  if (/^-?\d+i?$/.test(initial)) return `${value}${initial.endsWith('i') ? 'i' : ''}`;
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** Products and quotients of constants and whole numbers, left to right; undefined for anything else. */
function evaluate(expression: string, values: ReadonlyMap<string, number>): number | undefined {
  const [first, ...rest] = expression.trim().split(/\s*([*/])\s*/);
  const term = (text: string) => (/^\d+u?$/.test(text) ? Number.parseInt(text, 10) : values.get(text));
  let value = term(first);
  for (let i = 0; i < rest.length && value !== undefined; i += 2) {
    const operand = term(rest[i + 1]);
    if (operand === undefined) return undefined;
    value = rest[i] === '*' ? value * operand : Math.floor(value / operand);
  }
  return value;
}

function unroll(lines: readonly SourceLine[], values: ReadonlyMap<string, number>): SourceLine[] {
  const output: SourceLine[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (!UNROLL.test(lines[i].text)) {
      output.push(lines[i]);
      continue;
    }
    const head = lines[i + 1];
    const match = head && FOR.exec(head.text);
    const count = match ? evaluate(match[3], values) : undefined;
    if (!match || count === undefined) {
      const place = `shaders/${lines[i].file}.wgsl:${lines[i].line}`;
      throw new Failure('shader', `${place}: "@unroll" wants "for (var i = 0u; i < CONSTANT; i++) {" below it`);
    }
    const [, indent, variable] = match;
    const end = lines.findIndex((line, j) => j > i + 1 && line.text.trimEnd() === `${indent}}`);
    if (end < 0) throw new Failure('shader', `shaders/${head.file}.wgsl:${head.line}: this loop's end was not found`);
    const body = lines.slice(i + 2, end);
    const uses = new RegExp(`\\b${variable}\\b`, 'g');
    for (let n = 0; n < count; n++) {
      const copy = body.map((line) => ({ ...line, text: line.text.replace(uses, `${n}u`) }));
      output.push({ ...head, text: `${indent}{` }, ...unroll(copy, values), { ...lines[end], text: `${indent}}` });
    }
    i = end;
  }
  return output;
}

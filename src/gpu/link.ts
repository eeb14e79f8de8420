/**
 * Links shader files into one WGSL module. Every file is valid WGSL syntax: declarations, or statements of a function. These
 * conventions, in comments, plain code or names, are processed here. Braces that open a branch or an unrolled loop end
 * their line, and the closing brace starts a line with the same indentation.
 *
 * - `// @import common/index` on a separate line includes shaders/common/index.wgsl, once. `// @import gemm/matrices if
 *   MATRICES` does so only if the caller sets that constant to true. A function imports statements.
 * - A kernel's name may list parts from the same folder: `activation/forward:gelu` is activation/forward.wgsl together
 *   with activation/gelu.wgsl, which has the functions that the former calls. So files with the same interface are
 *   interchangeable, without a file for every combination.
 * - `const NAME = value;` at the start of a line is a default; the caller's value replaces it. Everything known when a
 *   plan is made (filter sizes, tiles) is such a constant, so that the driver's compiler divides by constants.
 * - `alias Name = f32;` is a default in the same way. The module enables what its type needs: f16, subgroup matrices.
 * - `enable x;` and `diagnostic(...);` at the start of a line move to the module's top.
 * - `if (NAME) {` on a constant that is true or false keeps only the branch that is taken. Compilers do this too, but
 *   only after inlining the discarded code.
 * - `// @unroll` above `for (var i = 0u; i < COUNT; i++) {` repeats the loop's body with numbers instead of `i`.
 *   Register tiles need this: arrays indexed by loop variables cost 3.5 times on SwiftShader and more on some drivers;
 *   indexed by numbers they live in registers.
 *
 * WESL (https://wesl-lang.dev) was considered: it has imports and conditions, but neither the unrolling nor a way for
 * a shared core to call functions of the file that imports it, which is how every GEMM here is built.
 */
import { Failure } from '../base/result.ts';

/** Values by name: numbers and flags for `const`, types for `alias`. */
export type Constants = Readonly<Record<string, number | boolean | string>>;

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

const IMPORT = /^(\s*)\/\/ @import (\S+)(?: if (\w+))?\s*$/;
const UNROLL = /^\s*\/\/ @unroll\s*$/;
const FOR = /^(\s*)for \(var (\w+) = 0u; \2 < ([^;]+); \2\+\+\) \{\s*$/;
const IF = /^(\s*)if \((!?)(\w+)\) \{\s*$/;
const ALIAS = /^alias (\w+) = (\w+);(.*)$/;
const DIRECTIVE = /^(enable|diagnostic)\b/;
const CONSTANT = /^const (\w+)(?:: (\w+))? = ([^;]+);(.*)$/;

/**
 * @param name the kernel's: its file's path below shaders/ without the extension, and its parts: "activation/forward:gelu"
 * @param constants values for `const` declarations; each must be declared by the file or one of its imports
 * @param read returns a shader's text by name
 */
export function link(name: string, constants: Constants, read: (name: string) => string): LinkedShader {
  const values = new Map<string, number>();
  const unused = new Set(Object.keys(constants));
  const lines = specialise(gatherKernel(name, read, constants), constants, values, unused);
  if (unused.size > 0) {
    throw new Error(`wgrad bug: kernel ${name} declares no constant ${[...unused].join(', ')}`);
  }
  const unrolled = unroll(prune(lines, flagsOf(lines)), values);
  return { code: unrolled.map((line) => line.text).join('\n'), lines: unrolled };
}

/** "shaders/gemm/tile.wgsl:12:5" for a line and a column (from 1) of the linked code. */
export function whereIs(shader: LinkedShader, line: number, column: number): string {
  const source = shader.lines[line - 1];
  return source ? `shaders/${source.file}.wgsl:${source.line}:${column}` : 'an unknown line';
}

/**
 * The kernel's own file, its parts, and all their imports.
 * @param constants decide about imports on a condition; without them, all are included
 */
export function filesOf(name: string, read: (name: string) => string, constants?: Constants): string[] {
  return [...new Set([...partsOf(name), ...gatherKernel(name, read, constants).map(({ file }) => file)])];
}

/** What a caller may give a kernel another value for. */
export interface DeclaredConstant {
  name: string;
  /** Its default: "16u", "WY * TM", "vec4f". */
  initial: string;
  isType: boolean;
}

/** The constants of a kernel and of all its imports. */
export const constantsOf = (name: string, read: (name: string) => string): DeclaredConstant[] =>
  gatherKernel(name, read).flatMap(({ text }) => {
    const [, type, aliased] = ALIAS.exec(text) ?? [];
    const [, constant, , initial] = CONSTANT.exec(text) ?? [];
    if (type !== undefined) return { name: type, initial: aliased, isType: true };
    return constant === undefined ? [] : { name: constant, initial, isType: false };
  });

/** The files that a kernel's name lists, its own first. */
function partsOf(name: string): string[] {
  const [file, ...parts] = name.split(':');
  return [file, ...parts.map((part) => file.slice(0, file.lastIndexOf('/') + 1) + part)];
}

/**
 * Parts come first, because the kernel's own file uses their constants.
 * @param constants decide about imports on a condition; without them, all are included
 */
function gatherKernel(name: string, read: (name: string) => string, constants?: Constants): SourceLine[] {
  const seen = new Set<string>();
  const gather = (file: string, indent: string): SourceLine[] => {
    if (seen.has(file)) return [];
    seen.add(file);
    return linesOf(file, read(file)).flatMap((line) => {
      if (!('imported' in line)) return indent === '' ? line : { ...line, text: indent + line.text };
      const { imported, condition } = line;
      const wanted = !constants || condition === undefined || constants[condition] === true;
      return wanted ? gather(imported, indent + line.indent) : [];
    });
  };
  return partsOf(name)
    .toReversed()
    .flatMap((file) => gather(file, ''));
}

interface Import {
  indent: string;
  imported: string;
  condition: string | undefined;
}

/** Files as they were last read: many kernels import the same. */
const lastRead = new Map<string, { text: string; lines: readonly (SourceLine | Import)[] }>();

function linesOf(file: string, text: string): readonly (SourceLine | Import)[] {
  const known = lastRead.get(file);
  if (known?.text === text) return known.lines;
  const lines = text.split('\n').map((one, i) => {
    const [, indent, imported, condition] = IMPORT.exec(one) ?? [];
    return imported === undefined ? { text: one, file, line: i + 1 } : { indent, imported, condition };
  });
  lastRead.set(file, { text, lines });
  return lines;
}

function specialise(
  lines: SourceLine[],
  constants: Constants,
  values: Map<string, number>,
  unused: Set<string>,
): SourceLine[] {
  const directives = lines.filter(({ text }) => DIRECTIVE.test(text));
  const rest = lines.filter((line) => !directives.includes(line));
  const specialised = rest.map((line) => {
    const alias = ALIAS.exec(line.text);
    if (alias !== null) {
      const [, name, initial, end] = alias;
      const type = constants[name] ?? initial;
      unused.delete(name);
      for (const text of directivesOf(String(type))) {
        if (!directives.some((one) => one.text === text)) directives.push({ ...line, text });
      }
      return { ...line, text: `alias ${name} = ${type};${end}` };
    }
    const match = CONSTANT.exec(line.text);
    if (match === null) return line;
    const [, name, type, initial, end] = match;
    const given = constants[name];
    unused.delete(name);
    if (given === undefined) {
      const value = evaluate(initial, values);
      if (value !== undefined) values.set(name, value);
      return line;
    }
    if (typeof given === 'number') values.set(name, given);
    return { ...line, text: `const ${name}${type ? `: ${type}` : ''} = ${literal(given, initial)};${end}` };
  });
  // WGSL wants extensions before diagnostics.
  directives.sort((a, b) => Number(b.text.startsWith('enable')) - Number(a.text.startsWith('enable')));
  return [...directives, ...specialised];
}

/** What a module must start with to use a type. */
function directivesOf(type: string): string[] {
  const half = /\bf16\b|^vec[234]h$/.test(type) ? ['enable f16;'] : [];
  if (!type.startsWith('subgroup_matrix')) return half;
  // Offsets differ between subgroups, by design; the analysis works with whole workgroups.
  const uniformity = 'diagnostic(off, chromium.subgroup_matrix_uniformity);';
  return [...half, 'enable chromium_experimental_subgroup_matrix;', uniformity];
}

/** Writes `value` in the default's type. */
function literal(value: number | boolean | string, initial: string): string {
  if (typeof value !== 'number') return String(value);
  if (/^\d+u$/.test(initial)) return `${value}u`;
  if (/^-?\d+i?$/.test(initial)) return `${value}${initial.endsWith('i') ? 'i' : ''}`;
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** Products and quotients of constants and integers, left to right; undefined for anything else. */
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

/** The constants that are true or false. */
function flagsOf(lines: readonly SourceLine[]): Map<string, boolean> {
  const matches = lines.map(({ text }) => CONSTANT.exec(text)).filter((match) => match !== null);
  return new Map(
    matches.filter(([, , , v]) => v === 'true' || v === 'false').map(([, name, , v]) => [name, v === 'true']),
  );
}

/** Keeps, of every `if` on a known flag, the branch that is taken. */
function prune(lines: readonly SourceLine[], flags: ReadonlyMap<string, boolean>): SourceLine[] {
  const output: SourceLine[] = [];
  for (let i = 0; i < lines.length; i++) {
    const [, indent, not, name] = IF.exec(lines[i].text) ?? [];
    const flag = flags.get(name);
    if (flag === undefined) {
      output.push(lines[i]);
      continue;
    }
    const end = closing(lines, i);
    const rest = lines[end].text.trim().slice(1).trim(); // "", "else {" or "else if (...) {"
    const taken = flag !== (not === '!');
    if (rest === '') {
      if (taken) output.push(...block(lines, i, end, indent, flags));
      i = end;
    } else if (rest === 'else {') {
      const last = closing(lines, end);
      output.push(...(taken ? block(lines, i, end, indent, flags) : block(lines, end, last, indent, flags)));
      i = last;
    } else {
      // The rest is a separate `if`, taken only if this one is not.
      let last = end;
      while (lines[last].text.trim() !== '}') last = closing(lines, last);
      const other = [
        { ...lines[end], text: indent + rest.slice('else '.length) },
        ...lines.slice(end + 1, last + 1),
      ];
      output.push(...(taken ? block(lines, i, end, indent, flags) : prune(other, flags)));
      i = last;
    }
  }
  return output;
}

/** The branch between the lines `start` and `end`, in braces, which scope its names. */
function block(
  lines: readonly SourceLine[],
  start: number,
  end: number,
  indent: string,
  flags: ReadonlyMap<string, boolean>,
): SourceLine[] {
  return [
    { ...lines[start], text: `${indent}{` },
    ...prune(lines.slice(start + 1, end), flags),
    { ...lines[end], text: `${indent}}` },
  ];
}

/** The line that closes the block that line `start` opens at its end. */
function closing(lines: readonly SourceLine[], start: number): number {
  let depth = 1;
  for (let i = start + 1; i < lines.length; i++) {
    for (const [brace] of lines[i].text.replace(/\/\/.*/, '').matchAll(/[{}]/g)) {
      depth += brace === '{' ? 1 : -1;
      if (depth === 0) return i;
    }
  }
  const { file, line } = lines[start];
  throw new Failure(
    'shader',
    `shaders/${file}.wgsl:${line}: expected the end of this block, found the end of the file`,
  );
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
      throw new Failure(
        'shader',
        `${place}: expected "@unroll" above "for (var i = 0u; i < CONSTANT; i++) {"`,
      );
    }
    const [, indent, variable] = match;
    const end = closing(lines, i + 1);
    const body = lines.slice(i + 2, end);
    const uses = new RegExp(`\\b${variable}\\b`, 'g');
    for (let n = 0; n < count; n++) {
      const copy = body.map((line) => ({ ...line, text: line.text.replace(uses, `${n}u`) }));
      output.push({ ...head, text: `${indent}{` }, ...unroll(copy, values), {
        ...lines[end],
        text: `${indent}}`,
      });
    }
    i = end;
  }
  return output;
}

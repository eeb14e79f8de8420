/** Random expressions, among them indices shaped like those of kernels, near the ends of their arrays. */
import type { Random } from '../../../base/random.ts';
import { ARITHMETIC, AWKWARD, computed, isRefused, ON_VECTORS, ROWS, type Row } from './rows.ts';
import {
  arrayType,
  asScalar,
  elementType,
  isSame,
  literal,
  nameOf,
  scalarType,
  vectorType,
  type RandomExpression,
  type Invocation,
  type Reference,
  type RandomScalar,
  type RandomType,
  type RandomValue,
} from './tree.ts';

/** A name in scope. */
export interface Variable extends Reference {
  name: string;
  /** A counter is changed by its loop only, and a buffer is read by its elements only. */
  kind: 'var' | 'let' | 'const' | 'counter' | 'buffer';
  /** Whether it is the same for all invocations of a workgroup. */
  isUniform: boolean;
  /** How many scopes are around it. */
  level: number;
  /** What its number is below, if that is known. */
  below?: number;
  /** Of a constant. */
  known?: RandomValue;
}

export interface Callee {
  name: string;
  parameters: readonly RandomType[];
  result: RandomType;
  run(at: Invocation, args: RandomValue[]): RandomValue;
}

export const U32 = scalarType('u32');
export const I32 = scalarType('i32');
export const BOOL = scalarType('bool');

export abstract class RandomExpressions {
  protected scope: Variable[] = [];
  /** Which variables an expression may be made of. */
  protected only: 'any' | 'uniform' | 'constant' = 'any';
  protected readonly functions: Callee[] = [];
  /** Constants without a type. */
  protected readonly wholes: { name: string; value: number }[] = [];
  /** Whether expressions may have calls, of which some change memory. */
  private mayCall = true;
  /** How many calls the program may still have: each is inlined. */
  protected callsLeft = 3;

  /** @param open whether to use what WGSL leaves open, as this engine has it: indices past the end, and floats */
  constructor(
    protected readonly random: Random,
    protected readonly open: boolean,
  ) {}

  expression(type: RandomType, depth: number): RandomExpression {
    if (depth <= 0 || this.chance(0.15)) return this.leaf(type);
    const { scalar, size, lengths } = type;
    if (lengths.length > 0) return this.leaf(type);
    const makers: (() => RandomExpression | undefined)[] = [
      () => this.operator(scalar, size, depth),
      () => this.operator(scalar, size, depth),
      () => this.operator(scalar, size, depth),
      () => this.chain(scalar, size, depth),
      () => this.selected(type, depth),
      () => this.element(type),
      () => this.element(type),
      () => this.call(type, depth),
      ...(size === 1
        ? [
            () => this.component(scalar, depth),
            () => this.ofVector(scalar, depth),
            () => this.effect(scalar, depth),
          ]
        : [
            () => this.constructed(type, depth),
            () => this.swizzle(type, depth),
            () => this.converted(type, depth),
          ]),
    ];
    for (let tries = 0; tries < 5; tries++) {
      const made = this.pick(makers)();
      if (made) return made;
    }
    return this.leaf(type);
  }

  /** An expression that no compiler may refuse to compute: it is not known before. */
  protected runtime(type: RandomType, depth: number): RandomExpression {
    const made = this.expression(type, depth);
    if (made.known === undefined) return made;
    const found = this.variables((one) => one.known === undefined && isSame(one.type, type));
    if (found.length > 0) return this.pick(found);
    const word = this.named(this.only === 'uniform' ? 'gid' : 'i');
    return this.combined(type, `i32(${word.text})`, [word], (x) => x);
  }

  protected leaf(type: RandomType): RandomExpression {
    const found = this.variables((one) => isSame(one.type, type));
    if (found.length > 0 && this.chance(0.7)) return this.pick(found);
    const { scalar, size, lengths } = type;
    if (size === 1 && lengths.length === 0) return this.literal(scalar);
    const count = lengths[0] ?? size;
    if (lengths.length === 0 && this.chance(0.3)) return this.filled(type, this.leaf(scalarType(scalar)));
    return this.tuple(
      type,
      Array.from({ length: count }, () => this.leaf(elementType(type))),
    );
  }

  protected literal(scalar: RandomScalar): RandomExpression {
    const awkward = this.chance(scalar === 'u32' ? 0.6 : 0.9);
    const value = awkward
      ? this.pick(AWKWARD[scalar])
      : asScalar(scalar, this.random.below(2 ** 16) - (scalar === 'u32' ? 0 : 2 ** 15));
    return { type: scalarType(scalar), text: literal(scalar, value), known: value, run: () => value };
  }

  /** A constant number in one of the ways to write it. */
  protected whole(value: number): string {
    const typed = this.scope.flatMap(({ name, type, known }) =>
      isSame(type, U32) && known !== undefined ? [{ name, value: Number(known) }] : [],
    );
    const near = [...typed, ...this.wholes].filter((one) => Math.abs(one.value - value) < 4);
    if (near.length > 0 && this.chance(0.5)) {
      const { name, value: known } = this.pick(near);
      const more = value - known;
      return more === 0 ? name : `(${name} ${more > 0 ? '+' : '-'} ${Math.abs(more)})`;
    }
    return this.pick([`${value}u`, `${value}`, `0x${value.toString(16)}u`]);
  }

  private operator(scalar: RandomScalar, size: number, depth: number): RandomExpression | undefined {
    const row = this.pick(
      ROWS.filter(({ to, text }) => to === scalar && (size === 1 || ON_VECTORS.test(text))),
    );
    if (!this.open && (row.of === 'f32' || row.to === 'f32')) return undefined;
    const { mayCall } = this;
    // What stands twice is computed twice.
    this.mayCall &&= !/\b([ab])\b.*\b\1\b/.test(row.text);
    const a = this.expression(vectorType(row.of, size), depth - 1);
    const isMixed = size > 1 && ARITHMETIC.test(row.text) && this.chance(0.3);
    const b = this.expression(isMixed ? scalarType(row.of) : vectorType(row.of, size), depth - 1);
    this.mayCall = mayCall;
    return this.applied(row, a, b);
  }

  /** An operator's result; undefined if WGSL refuses the constants. */
  protected applied(row: Row, a: RandomExpression, b: RandomExpression): RandomExpression | undefined {
    const { to, text } = row;
    const hasB = /\bb\b/.test(text);
    const known =
      a.known !== undefined && (!hasB || b.known !== undefined)
        ? computed(row, a.known, b.known ?? 0)
        : undefined;
    if (isRefused(row, a.known, hasB ? b.known : 0, known)) return undefined;
    // Where a constant has another operand with a type, it needs none.
    const bare =
      hasB && a.known === undefined && ARITHMETIC.test(text) && typeof b.known === 'number' && b.known >= 0;
    const right = bare && this.chance(0.5) && /^\d+[uif]$/.test(b.text) ? b.text.slice(0, -1) : b.text;
    const written = text.replaceAll(/\b[ab]\b/g, (name) => (name === 'a' ? a.text : right));
    const isShort = text === 'a && b' || text === 'a || b';
    return {
      type: vectorType(to, a.type.size),
      text: /^\w+(<\w+>)?\([^()]*\)$/.test(text) ? written : `(${written})`,
      ...(known === undefined ? {} : { known }),
      run: isShort
        ? (at) => (a.run(at) === (text === 'a && b') ? b.run(at) : !(text === 'a && b'))
        : hasB
          ? (at) => computed(row, a.run(at), b.run(at))
          : (at) => computed(row, a.run(at), 0),
    };
  }

  /** Two operators without parentheses: the second may bind tighter. */
  private chain(scalar: RandomScalar, size: number, depth: number): RandomExpression | undefined {
    if (scalar === 'bool' || (scalar === 'f32' && !this.open)) return undefined;
    const rows = ROWS.filter(({ of, to, text }) => of === scalar && to === scalar && ARITHMETIC.test(text));
    const [first, second] = [this.pick(rows), this.pick(rows)];
    const [a, b, c] = [0, 1, 2].map(() => this.expression(vectorType(scalar, size), depth - 2));
    const isTight = (row: Row) => !/[-+]/.test(row.text);
    const inner = isTight(second) && !isTight(first) ? this.applied(second, b, c) : this.applied(first, a, b);
    const outer =
      inner &&
      (isTight(second) && !isTight(first) ? this.applied(first, a, inner) : this.applied(second, inner, c));
    return outer && { ...outer, text: `(${a.text} ${first.text[2]} ${b.text} ${second.text[2]} ${c.text})` };
  }

  private selected(type: RandomType, depth: number): RandomExpression {
    const byPart = type.size > 1 && this.chance(0.5);
    const [no, yes] = [0, 1].map(() => this.expression(type, depth - 1));
    const condition = this.expression(byPart ? vectorType('bool', type.size) : BOOL, depth - 1);
    return this.combined(
      type,
      `select(${no.text}, ${yes.text}, ${condition.text})`,
      [no, yes, condition],
      (a, b, flag) =>
        Array.isArray(flag) ? flag.map((one, i) => ((one ? b : a) as RandomValue[])[i]) : flag ? b : a,
    );
  }

  /** A component of a vector, by name or by index. */
  private component(scalar: RandomScalar, depth: number): RandomExpression {
    const size = 2 + this.random.below(3);
    const of = this.expression(vectorType(scalar, size), depth - 1);
    if (this.chance(0.5)) {
      const i = this.random.below(size);
      return this.combined(
        scalarType(scalar),
        `${of.text}.${this.letters()[i]}`,
        [of],
        (x) => (x as RandomValue[])[i],
      );
    }
    const index = this.index(size);
    return this.combined(
      scalarType(scalar),
      `${of.text}[${index.text}]`,
      [of, index],
      (x, i) => (x as RandomValue[])[clampedTo(size, i)],
    );
  }

  private swizzle({ scalar, size }: RandomType, depth: number): RandomExpression {
    const from = 2 + this.random.below(3);
    const of = this.expression(vectorType(scalar, from), depth - 1);
    const at = Array.from({ length: size }, () => this.random.below(from));
    const letters = this.letters();
    return this.combined(
      vectorType(scalar, size),
      `${of.text}.${at.map((i) => letters[i]).join('')}`,
      [of],
      (x) => at.map((i) => (x as RandomValue[])[i]),
    );
  }

  private letters = () => this.pick(['xyzw', 'rgba']);

  private constructed(type: RandomType, depth: number): RandomExpression {
    const { scalar, size } = type;
    if (this.chance(0.3)) return this.filled(type, this.expression(scalarType(scalar), depth - 1));
    const parts: RandomExpression[] = [];
    for (let left = size, part = 0; left > 0; left -= part) {
      part = Math.min(left, size - 1, 1 + this.random.below(2));
      parts.push(this.expression(vectorType(scalar, part), depth - 1));
    }
    return this.tuple(type, parts);
  }

  private filled(type: RandomType, part: RandomExpression): RandomExpression {
    return this.combined(type, `${nameOf(type)}(${part.text})`, [part], (x) =>
      Array.from({ length: type.size }, () => x),
    );
  }

  /** A vector of numbers and vectors, or an array of its elements. */
  private tuple(type: RandomType, parts: readonly RandomExpression[]): RandomExpression {
    const text = `${nameOf(type)}(${parts.map((part) => part.text).join(', ')})`;
    return this.combined(type, text, parts, (...values) =>
      type.lengths.length > 0 ? values : values.flat(),
    );
  }

  private converted({ scalar, size }: RandomType, depth: number): RandomExpression | undefined {
    if (scalar === 'f32' && size === 2 && this.chance(0.5)) {
      const word = this.expression(U32, depth - 1);
      const halves = this.combined(vectorType(scalar, size), `unpack2x16float(${word.text})`, [word], (x) => [
        half(Number(x) & 0xffff),
        half(Number(x) >>> 16),
      ]);
      // WGSL refuses a constant that is no finite number.
      return [halves.known ?? 0].flat().every(Number.isFinite) ? halves : undefined;
    }
    const rows = ROWS.filter(({ of, to, text }) => to === scalar && of !== to && text === `${to}(a)`);
    if (rows.length === 0) return undefined;
    const row = this.pick(rows);
    if (!this.open && row.of === 'f32') return undefined;
    const of = this.expression(vectorType(row.of, size), depth - 1);
    const made = this.applied(row, of, of);
    return made && { ...made, text: `${nameOf(made.type)}(${of.text})` };
  }

  /** A number of a whole vector. */
  private ofVector(scalar: RandomScalar, depth: number): RandomExpression | undefined {
    const size = 2 + this.random.below(3);
    if (scalar === 'bool') {
      const flags = this.expression(vectorType('bool', size), depth - 1);
      const isAll = this.chance(0.5);
      return this.combined(BOOL, `${isAll ? 'all' : 'any'}(${flags.text})`, [flags], (x) =>
        isAll ? (x as RandomValue[]).every(Boolean) : (x as RandomValue[]).some(Boolean),
      );
    }
    const [a, b] = [0, 1].map(() => this.expression(vectorType(scalar, size), depth - 1));
    const row = ROWS.find(({ of, text }) => of === scalar && text === 'a * b');
    const product = row && this.applied(row, a, b);
    if (!product) return undefined;
    const made = this.combined(scalarType(scalar), `dot(${a.text}, ${b.text})`, [product], (parts) =>
      (parts as number[]).reduce((sum, part) => asScalar(scalar, sum + part) as number),
    );
    const isWhole = Math.abs(Number(made.known ?? 0)) < 2 ** 31;
    return isWhole ? made : undefined;
  }

  /** An element of an array, or of a vector in a variable. */
  private element(type: RandomType): RandomExpression | undefined {
    if (this.only === 'constant') return undefined;
    const found = this.scope.filter(
      ({ kind, isUniform, type: { scalar, size, lengths } }) =>
        kind !== 'const' &&
        (isUniform || this.only === 'any') &&
        scalar === type.scalar &&
        lengths.length > 0 &&
        (size === type.size || type.size === 1),
    );
    return found.length > 0 ? this.read(this.part(this.pick(found), type)) : undefined;
  }

  /** The part of a variable that has a type, or that comes nearest. */
  protected part(of: Reference, type: RandomType, inside = false): Reference {
    if (of.type.lengths.length === type.lengths.length && of.type.size === type.size) return of;
    const isArray = of.type.lengths.length > 0;
    const count = of.type.lengths[0] ?? of.type.size;
    const inner = elementType(of.type);
    if (!isArray && this.chance(0.5)) {
      const i = this.random.below(count);
      return { type: inner, text: `${of.text}.${this.letters()[i]}`, run: (at) => [contents(of, at), i] };
    }
    // WGSL leaves open which component is written past a vector's end, and whether one is.
    const index = this.index(count, inside || !isArray);
    const found: Reference = {
      type: inner,
      text: `${of.text}[${index.text}]`,
      run(at) {
        const all = contents(of, at);
        return [all, clampedTo(all.length, index.run(at))];
      },
    };
    return this.part(found, type, inside);
  }

  protected read(of: Reference & { known?: RandomValue }): RandomExpression {
    return {
      type: of.type,
      text: of.text,
      ...(of.known === undefined ? {} : { known: of.known }),
      run(at) {
        const [container, key] = of.run(at);
        return container[key];
      },
    };
  }

  private call(type: RandomType, depth: number): RandomExpression | undefined {
    const found = this.functions.filter(({ result }) => isSame(result, type));
    if (this.only !== 'any' || !this.mayCall || this.callsLeft === 0 || found.length === 0) return undefined;
    this.callsLeft--;
    const { name, parameters, run } = this.pick(found);
    const args = [this.named('i'), ...parameters.slice(1).map((one) => this.expression(one, depth - 1))];
    const text = `${name}(${args.map((arg) => arg.text).join(', ')})`;
    return {
      type,
      text,
      run: (at) =>
        run(
          at,
          args.map((arg) => arg.run(at)),
        ),
    };
  }

  /** An expression that also changes memory of this invocation. */
  protected effect(scalar: RandomScalar, depth: number): RandomExpression | undefined {
    if (scalar !== 'u32' || this.only !== 'any' || !this.mayCall || this.chance(0.5)) return undefined;
    const [value, i] = [this.expression(U32, depth - 1), this.named('i')];
    if (this.chance(0.6)) {
      return {
        type: U32,
        text: `note(i, ${value.text})`,
        run(at) {
          const [all, key] = [at.buffers[NOTES] as number[], Number(i.run(at))];
          const given = Number(value.run(at));
          all[key] = (Math.imul(all[key], 31) + given) >>> 0;
          return all[key] >>> 3;
        },
      };
    }
    const [name, change] = this.pick(ATOMICS);
    return {
      type: U32,
      text: `atomic${name}(&marks[i], ${value.text})`,
      run(at) {
        const [all, key] = [at.buffers[MARKS] as number[], Number(i.run(at))];
        const given = Number(value.run(at));
        const before = all[key];
        all[key] = change(before, given) >>> 0;
        return before;
      },
    };
  }

  /**
   * An index into an array, shaped as in kernels. It may be just past the end.
   * @param inside must not be
   */
  protected index(length: number, inside = !this.open): RandomExpression {
    if (this.only === 'constant' || this.chance(0.1)) {
      const i = this.random.below(length);
      return { type: U32, text: this.chance(0.5) ? `${i}` : this.whole(i), known: i, run: () => i };
    }
    const end = inside ? length : Math.max(1, length + this.pick([-1, 0, 0, 1, 1, 2]));
    const near = this.variables(({ below }) => below !== undefined && below <= end && below >= end - 2);
    if (near.length > 0 && this.chance(0.4)) return this.pick(near);
    if (!inside && this.chance(0.1)) return this.runtime(this.pick([U32, I32]), 2);
    const bounded = this.bounded(end, this.runtime(U32, this.random.below(3)));
    if (this.chance(0.2)) return this.combined(I32, `i32(${bounded.text})`, [bounded], (x) => x);
    if (!inside && this.chance(0.1)) {
      const x = this.runtime(I32, 1);
      return this.combined(I32, `(${x.text} % ${end}i)`, [x], (a) => Number(a) % end);
    }
    return bounded;
  }

  /** An index as a u32. */
  protected position(length: number): RandomExpression {
    const index = this.index(length, true);
    return isSame(index.type, U32) ? index : { ...index, type: U32, text: `u32(${index.text})` };
  }

  /** A number below `end`, in whose place a compiler may know that. */
  private bounded(end: number, x: RandomExpression): RandomExpression {
    const made = (text: string, of: (x: number) => number) =>
      this.combined(U32, text, [x], (value) => of(Number(value)) >>> 0);
    const w = (value: number) => this.whole(value);
    switch (this.random.below(11)) {
      case 0:
      case 1:
        return made(`(${x.text} % ${w(end)})`, (a) => a % end);
      case 2:
        return made(`(${x.text} & ${w(end - 1)})`, (a) => a & (end - 1));
      case 3:
        return made(`min(${x.text}, ${w(end - 1)})`, (a) => Math.min(a, end - 1));
      case 4: {
        const kept = Math.floor(Math.log2(end));
        if (kept === 0) return made(`(${x.text} % 1u)`, () => 0);
        return made(`(${x.text} >> ${w(32 - kept)})`, (a) => a >>> (32 - kept));
      }
      case 5: {
        const k = 1 + this.random.below(6);
        const most = end * 2 ** k - 1;
        return made(`(min(${x.text}, ${w(most)}) >> ${w(k)})`, (a) => Math.min(a, most) >>> k);
      }
      case 6: {
        const by = 2 + this.random.below(6);
        return made(`(${x.text} % ${w(end * by)} / ${w(by)})`, (a) => Math.floor((a % (end * by)) / by));
      }
      case 7: {
        const across = 1 + this.random.below(end);
        const rows = Math.floor(end / across);
        const y = this.runtime(U32, 1);
        return this.combined(
          U32,
          `(${x.text} % ${w(rows)} * ${w(across)} + ${y.text} % ${w(across)})`,
          [x, y],
          (a, b) => (Number(a) % rows) * across + (Number(b) % across),
        );
      }
      case 8: {
        const first = this.random.below(end);
        return made(`(${x.text} % ${w(end - first)} + ${w(first)})`, (a) => (a % (end - first)) + first);
      }
      case 9: {
        const first = this.random.below(9);
        return made(
          `(max(min(${x.text}, ${w(end - 1 + first)}), ${w(first)}) - ${w(first)})`,
          (a) => Math.max(Math.min(a, end - 1 + first), first) - first,
        );
      }
      default: {
        const other = 1 + this.random.below(end);
        const [y, flag] = [this.runtime(U32, 1), this.expression(BOOL, 1)];
        return this.combined(
          U32,
          `select(${x.text} % ${w(end)}, ${y.text} & ${w(other - 1)}, ${flag.text})`,
          [x, y, flag],
          (a, b, isSecond) => (isSecond ? (Number(b) & (other - 1)) >>> 0 : Number(a) % end),
        );
      }
    }
  }

  /** Its value follows from its parts, in order. */
  protected combined(
    type: RandomType,
    text: string,
    parts: readonly RandomExpression[],
    of: (...values: RandomValue[]) => RandomValue,
  ): RandomExpression {
    const values = parts.map(({ known }) => known);
    const known = values.every((value) => value !== undefined) ? of(...values) : undefined;
    return {
      type,
      text,
      ...(known === undefined ? {} : { known }),
      run: (at) => of(...parts.map((part) => part.run(at))),
    };
  }

  /** Variables in scope that an expression may use. */
  protected variables(test: (one: Variable) => boolean): RandomExpression[] {
    const allowed = this.scope.filter(
      (one) => this.only === 'any' || one.known !== undefined || (this.only === 'uniform' && one.isUniform),
    );
    return allowed.filter((one) => one.kind !== 'buffer' && test(one)).map((one) => this.read(one));
  }

  protected named(name: string): RandomExpression {
    const found = this.scope.find((one) => one.name === name);
    if (!found) throw new Error(`no variable "${name}"`);
    return this.read(found);
  }

  /** The types of numbers, those of indices more often. */
  protected get numbers(): readonly RandomScalar[] {
    return this.open ? ['u32', 'u32', 'i32', 'f32', 'f32'] : ['u32', 'u32', 'i32'];
  }

  protected randomType(): RandomType {
    const scalar = this.chance(0.15) ? 'bool' : this.pick(this.numbers);
    const size = this.chance(0.7) ? 1 : 2 + this.random.below(3);
    const type = vectorType(scalar, size);
    if (scalar === 'bool' || this.chance(0.75)) return type;
    const array = arrayType(type, 1 + this.random.below(size > 1 ? 3 : 7));
    return size === 1 && this.chance(0.2)
      ? arrayType(arrayType(type, 1 + this.random.below(3)), 1 + this.random.below(4))
      : array;
  }

  protected pick<T>(from: readonly T[]): T {
    return from[this.random.below(from.length)];
  }

  protected chance(of: number): boolean {
    return this.random.below(1000) < 1000 * of;
  }
}

/** Bindings that only expressions with effects use. */
export const [NOTES, MARKS] = [1, 2];

const ATOMICS: readonly (readonly [name: string, change: (before: number, given: number) => number])[] = [
  ['Add', (a, b) => a + b],
  ['Sub', (a, b) => a - b],
  ['Max', Math.max],
  ['Min', Math.min],
  ['And', (a, b) => a & b],
  ['Or', (a, b) => a | b],
  ['Xor', (a, b) => a ^ b],
  ['Exchange', (_, b) => b],
];

const contents = (of: Reference, at: Invocation): RandomValue[] => {
  const [container, key] = of.run(at);
  return container[key] as RandomValue[];
};

/** Where an index past the end leads: to the last element. A negative one is past it, too. */
export const clampedTo = (length: number, index: RandomValue): number =>
  Math.min(Number(index) >>> 0, length - 1);

/** A number of 16 bits: a sign, five bits of exponent, ten of fraction. */
function half(word: number): number {
  const [exponent, fraction] = [(word >> 10) & 31, word & 1023];
  const size =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent < 31
        ? (1 + fraction / 1024) * 2 ** (exponent - 15)
        : fraction > 0
          ? NaN
          : Infinity;
  return word & 0x8000 ? -size : size;
}

/** Random WGSL programs, and what they write to their buffers, computed in plain TypeScript. */
import { Random } from '../../../base/random.ts';
import type { ShaderRun } from '../run-shader.ts';
import { BOOL, clampedTo, I32, U32, type Variable } from './expressions.ts';
import { braced, effect, OUT, OWN_NUMBERS, OWN_WORDS, sequence, RandomStatements } from './statements.ts';
import {
  arrayType,
  asScalar,
  copy,
  elementType,
  nameOf,
  scalarType,
  vectorType,
  wordOf,
  zeroOf,
  type RandomExpression,
  type Invocation,
  type Reference,
  type RandomScalar,
  type RandomStatement,
  type RandomType,
  type RandomValue,
} from './tree.ts';

export interface RandomProgram extends ShaderRun {
  workgroups: readonly [x: number, y: number];
  /** What each buffer holds afterwards, with one word for every NaN. */
  expected: readonly Uint32Array[];
  /** Of each buffer. */
  scalars: readonly RandomScalar[];
}

/**
 * A program, the same for the same seed.
 * @param number tells programs of a seed apart
 * @param open whether to use what WGSL leaves open, as this engine has it: indices past the end, and floats
 */
export function randomProgram(seed: number, number: number, open = true): RandomProgram {
  return new Program(new Random(seed, `program ${number}`), open).program();
}

/** A buffer, or an array of the workgroup. */
interface Global extends Reference {
  name: string;
  /** Of the elements. */
  element: RandomType;
  values: RandomValue[];
}

/** Statements that all invocations of a workgroup reach. */
interface Together {
  text: string;
  run(all: readonly Invocation[]): void;
}

class Program extends RandomStatements {
  private readonly buffers: Global[] = [];
  private readonly shared: Global[] = [];
  private readonly size = this.pick([
    [1, 1],
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 1],
    [8, 1],
    [3, 2],
  ] as const);
  private readonly workgroups = this.pick([
    [1, 1],
    [1, 1],
    [2, 1],
    [3, 1],
    [2, 2],
  ] as const);
  private readonly threads = this.size[0] * this.size[1];
  private readonly total = this.threads * this.workgroups[0] * this.workgroups[1];
  protected readonly isAlone = this.total === 1;
  private exchanges = 0;

  program(): RandomProgram {
    const declarations = this.globals();
    const constants = Array.from({ length: this.random.below(4) }, () =>
      this.declaration('const', this.pick([U32, U32, I32]), true),
    );
    const whole = Array.from({ length: this.random.below(3) }, () => this.wholeConstant());
    const functions = Array.from({ length: this.random.below(2) }, (_, i) =>
      this.within(() => this.function(`f${i}`)),
    );
    const main = this.within(() => this.main());
    const code = `${declarations}
${[...constants.map(({ text }) => text), ...whole].join('\n')}
fn bits(x: f32) -> u32 { if (x != x) { return 0x7fc00000u; } return bitcast<u32>(x); }
fn note(i: u32, x: u32) -> u32 { notes[i] = notes[i] * 31u + x; return notes[i] >> 3u; }
${functions.join('\n')}
${main.text}`;
    const words = () => this.buffers.map(({ element, values }) => wordsOf(values, element));
    const before = words();
    const [across, down] = this.workgroups;
    for (let group = 0; group < across * down; group++) {
      const shared = this.shared.map(({ values }) => copy(values));
      const buffers = this.buffers.map(({ values }) => values);
      const all = Array.from({ length: this.threads }, (): Invocation => ({
        own: [],
        shared,
        buffers,
        result: 0,
      }));
      for (const one of all) for (const constant of constants) constant.run(one);
      main.run(all, [group % across, Math.floor(group / across), 0]);
    }
    return {
      code,
      workgroups: this.workgroups,
      buffers: before,
      expected: words(),
      scalars: this.buffers.map(({ element }) => element.scalar),
    };
  }

  /** A constant without a type, which may stand for any number. */
  private wholeConstant(): string {
    const [a, b, c] = [0, 1, 2].map(() => this.random.below(9));
    const [text, value] = this.pick([
      [`${a} + ${b} * ${c}`, a + b * c],
      [`(${a + b} - ${b}) << ${c}`, a << c],
      [`${9 * a + b} / ${c + 1} % 7`, Math.trunc((9 * a + b) / (c + 1)) % 7],
      [`${a} - ${a + b} + ${b + c}`, c],
      [`(${a} | 0x${b.toString(16)}) ^ ${c}`, (a | b) ^ c],
      [`min(${a}, ${b}) + max(${b}, ${c})`, Math.min(a, b) + Math.max(b, c)],
    ] as const);
    const name = `n${this.wholes.length}`;
    this.wholes.push({ name, value });
    return `const ${name} = ${text};`;
  }

  private main(): { text: string; run(all: readonly Invocation[], group: number[]): void } {
    const [x, y] = this.size;
    const [across, down] = this.workgroups;
    const places = vectorType('u32', 3);
    const variable = (name: string, type: RandomType, isUniform: boolean, below?: number) =>
      this.introduce({ name, type, kind: 'let', isUniform, ...(below === undefined ? {} : { below }) }).slot;
    const slots = [
      variable('lid', U32, false, this.threads),
      variable('i', U32, false, this.total),
      variable('gid', U32, true, across),
      variable('local', places, false),
      variable('at', places, false),
      variable('group', places, true),
      variable('groups', places, true),
    ];
    const all = inOrder([
      alone(this.uniformly(() => this.declaration('var', U32, true))),
      ...[0, 1].map(() => alone(this.declaration('var', this.randomType()))),
      this.together(2, 1 + this.random.below(2)),
      alone(this.chance(0.3) ? this.ending() : this.hash()),
    ]);
    return {
      text: `@compute @workgroup_size(${x}, ${y})
fn main(
  @builtin(local_invocation_index) lid: u32,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(global_invocation_id) at: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
let gid = group.x;
let i = (group.y * groups.x + gid) * ${this.threads}u + lid;
${all.text}
}`,
      run: (invocations, group) => {
        invocations.forEach(({ own }, lid) => {
          const local = [lid % x, Math.floor(lid / x), 0];
          const at = [group[0] * x + local[0], group[1] * y + local[1], 0];
          const i = (group[1] * across + group[0]) * this.threads + lid;
          [lid, i, group[0], local, at, group, [across, down, 1]].forEach(
            (value, k) => (own[slots[k]] = value),
          );
        });
        all.run(invocations);
      },
    };
  }

  /** Behind the last barrier, some may return before others. */
  private ending(): RandomStatement {
    const written = this.hash();
    this.returns = 'nothing';
    const rest = this.block(2, 2);
    this.returns = undefined;
    return sequence([written, braced(rest), this.hash()]);
  }

  /** Declares buffers and arrays of the workgroup, and puts in scope what any expression may read. */
  private globals(): string {
    const lines: string[] = [];
    const buffer = (
      name: string,
      element: RandomType,
      values: RandomValue[],
      access: string,
      spelled?: string,
    ) => {
      const binding = this.buffers.length;
      const length = access === 'read' && this.chance(0.4) ? `, ${values.length}` : '';
      lines.push(
        `@group(0) @binding(${binding}) var<storage, ${access}> ${name}: array<${spelled ?? nameOf(element)}${length}>;`,
      );
      const type = arrayType(element, values.length);
      const global: Global = { name, element, values, type, text: name, run: (at) => [at.buffers, binding] };
      this.buffers.push(global);
      if (access === 'read') this.readable(global, true);
    };
    const zeros = (count: number) => Array.from({ length: count }, () => 0);
    const some = (element: RandomType, most: number) =>
      Array.from({ length: 1 + this.random.below(most) }, () => this.someValue(element));
    buffer('out', U32, zeros(this.total * OWN_WORDS), 'read_write');
    buffer('notes', U32, zeros(this.total), 'read_write');
    buffer('marks', U32, zeros(this.total), 'read_write', 'atomic<u32>');
    if (this.open) buffer('numbers', scalarType('f32'), zeros(this.total * OWN_NUMBERS), 'read_write');
    buffer('input', U32, some(U32, 12), 'read');
    const element = vectorType(this.pick(this.numbers), 1 + this.random.below(4));
    buffer('parts', element, some(element, 6), 'read');
    for (const name of ['words', 'tile'].slice(0, this.random.below(3))) {
      const inner = name === 'words' ? U32 : vectorType(this.pick(this.numbers), 1 + this.random.below(4));
      const values = Array.from({ length: this.threads + this.random.below(3) }, () => zeroOf(inner));
      const type = arrayType(inner, values.length);
      lines.push(`var<workgroup> ${name}: ${nameOf(type)};`);
      const place = this.shared.length;
      const global: Global = {
        name,
        element: inner,
        values,
        type,
        text: name,
        run: (at) => [at.shared, place],
      };
      this.shared.push(global);
      this.readable(global, false);
    }
    return lines.join('\n');
  }

  private readable({ name, type, text, run }: Global, isUniform: boolean): void {
    const variable: Variable = {
      name,
      type,
      text,
      run,
      kind: isUniform ? 'buffer' : 'let',
      isUniform,
      level: 0,
    };
    this.scope = [...this.scope, variable];
  }

  private someValue({ scalar, size }: RandomType): RandomValue {
    if (size > 1) return Array.from({ length: size }, () => this.someValue(scalarType(scalar)));
    if (scalar === 'f32' && this.chance(0.2)) return this.pick([NaN, Infinity, -Infinity]);
    return this.chance(0.2) ? asScalar(scalar, this.random.uint32()) : (this.literal(scalar).known as number);
  }

  private function(name: string): string {
    const parameters = [U32, ...Array.from({ length: 1 + this.random.below(2) }, () => this.randomType())];
    const variables = parameters.map((type, k) =>
      this.introduce({ type, kind: 'let', ...(k === 0 ? { name: 'i' } : {}) }),
    );
    const result = vectorType(this.pick(this.numbers), this.pick([1, 1, 1, 2, 3, 4]));
    this.returns = result;
    const body = [
      this.declaration('var', this.randomType()),
      braced(this.block(1 + this.random.below(2), 2)),
    ];
    const value = this.expression(result, 2);
    this.returns = undefined;
    const all = sequence([
      ...body,
      effect(`return ${value.text};`, (at) => void (at.result = copy(value.run(at)))),
    ]);
    this.functions.push({
      name,
      parameters,
      result,
      run(at, args) {
        variables.forEach(({ slot }, k) => (at.own[slot] = copy(args[k])));
        all.run(at);
        return at.result;
      },
    });
    const list = variables.map((one) => `${one.name}: ${nameOf(one.type)}`).join(', ');
    return `fn ${name}(${list}) -> ${nameOf(result)} {\n${all.text}\n}`;
  }

  private uniformly<T>(make: () => T): T {
    this.only = 'uniform';
    const made = make();
    this.only = 'any';
    return made;
  }

  private together(count: number, depth: number): Together {
    const { text, run } = this.within(() =>
      inOrder(Array.from({ length: count }, () => this.togetherStatement(depth))),
    );
    return { text: `{\n${text}\n}`, run };
  }

  private togetherStatement(depth: number): Together {
    switch (depth > 0 ? this.random.below(8) : 3 + this.random.below(5)) {
      case 0: {
        const condition = this.uniformly(() => this.expression(BOOL, 2));
        const [yes, no] = [this.together(2, depth - 1), this.together(1, depth - 1)];
        return {
          text: `if (${condition.text}) ${yes.text} else ${no.text}`,
          run: (all) => (condition.run(all[0]) ? yes : no).run(all),
        };
      }
      case 1:
      case 2:
        return this.within(() => this.togetherLoop(depth));
      case 3:
        return alone(this.uniformly(() => this.uniformStatement()));
      case 4:
      case 5:
        return alone(braced(this.block(2, 1)));
      default:
        return this.shared.length > 0 ? this.exchange() : alone(this.statement(1));
    }
  }

  private uniformStatement(): RandomStatement {
    const target = this.target(true);
    return target && this.chance(0.8) ? this.assignment(target) : this.declaration('let', U32, true);
  }

  /** Each invocation writes an element; after the barrier, any may read it. */
  private exchange(): Together {
    const { name, element, values, run } = this.pick(this.shared);
    const value = this.expression(element, 2);
    const by = this.random.below(this.threads);
    const lid = this.named('lid');
    const place =
      this.threads === 1
        ? this.index(values.length)
        : this.combined(
            U32,
            by === 0 ? 'lid' : `((lid + ${by}) % ${this.threads})`,
            [lid],
            (x) => (Number(x) + by) % this.threads,
          );
    const kept = `w${this.exchanges++}`;
    return {
      text: `let ${kept} = ${value.text}; workgroupBarrier(); ${name}[${place.text}] = ${kept}; workgroupBarrier();`,
      run(all) {
        const given = all.map((one) => copy(value.run(one)));
        all.forEach((one, k) => {
          const [container, key] = run(one);
          const array = container[key] as RandomValue[];
          array[clampedTo(array.length, place.run(one))] = given[k];
        });
      },
    };
  }

  private togetherLoop(depth: number): Together {
    const rounds = 1 + this.random.below(3);
    const end = this.uniformly(() => this.position(rounds + 1));
    const { name, slot } = this.counter({ isUniform: true, below: rounds });
    const body = this.together(2, depth - 1);
    const signal = this.pick(['break', 'continue'] as const);
    const condition = this.uniformly(() => (this.chance(0.6) ? undefined : this.expression(BOOL, 1)));
    const rest = this.together(1, depth - 1);
    return {
      text: `for (var ${name} = 0u; ${name} < ${end.text}; ${name}++) {\n${body.text}\n${condition ? `if (${condition.text}) { ${signal}; }\n` : ''}${rest.text}\n}`,
      run(all) {
        for (let k = 0; ; k++) {
          for (const { own } of all) own[slot] = k;
          if (k >= Number(end.run(all[0]))) break;
          body.run(all);
          if (!condition?.run(all[0])) rest.run(all);
          else if (signal === 'break') break;
        }
      },
    };
  }

  /** Writes all numbers of the variables in scope. */
  private hash(): RandomStatement {
    const found = this.scope.filter(({ kind, level }) => kind === 'var' && level > 0);
    const i = this.named('i');
    return sequence(
      found.flatMap((variable, k) =>
        this.leavesOf(variable).map((leaf) => {
          const { scalar } = leaf.type;
          const word = scalar === 'f32' ? `bits(${leaf.text})` : `u32(${leaf.text})`;
          const own = k % OWN_WORDS;
          const place = `out[i * ${OWN_WORDS} + ${own}]`;
          return effect(`${place} = ${place} * 31 + ${word};`, (at) => {
            const all = at.buffers[OUT] as number[];
            const key = Number(i.run(at)) * OWN_WORDS + own;
            all[key] = (Math.imul(all[key], 31) + wordOf(leaf.run(at) as number, scalar)) >>> 0;
          });
        }),
      ),
    );
  }

  private leavesOf(of: Reference): RandomExpression[] {
    const { lengths, size } = of.type;
    const count = lengths[0] ?? size;
    if (lengths.length === 0 && size === 1) return [this.read(of)];
    return Array.from({ length: count }, (_, k) =>
      this.leavesOf({
        type: elementType(of.type),
        text: `${of.text}[${k}]`,
        run(at) {
          const [container, key] = of.run(at);
          return [container[key] as RandomValue[], k];
        },
      }),
    ).flat();
  }
}

/** Each invocation by itself. */
const alone = ({ text, run }: RandomStatement): Together => ({
  text,
  run: (all) => all.forEach((one) => run(one)),
});

const inOrder = (list: readonly Together[]): Together => ({
  text: list.map(({ text }) => text).join('\n'),
  run: (all) => list.forEach((one) => one.run(all)),
});

/** The elements of an array as they lie in a buffer. */
function wordsOf(values: readonly RandomValue[], { scalar, size }: RandomType): Uint32Array {
  const stride = size === 3 ? 4 : size;
  const words = new Uint32Array(stride * values.length);
  values.forEach((value, k) =>
    [value].flat().forEach((part, j) => (words[k * stride + j] = wordOf(part as number, scalar))),
  );
  return words;
}

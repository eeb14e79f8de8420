/** Random WGSL programs of integers, vectors, arrays, functions, loops and barriers, whose results WGSL defines to the bit. */
import { Random } from '../../base/random.ts';
import type { ShaderRun } from './run-shader.ts';

const THREADS = 8;
const GROUPS = 3;

/**
 * A program, the same for the same seed.
 * @param known whether the numbers of its input stand in the program, for the compiler to compute with
 */
export function randomProgram(seed: number, known = false): ShaderRun {
  const input = new Writer(seed).numbers(8);
  const code = new Writer(seed + 1).program();
  return {
    code: known ? code.replace(/input\[(\d)\]/g, (_, i: string) => `${input[Number(i)]}u`) : code,
    buffers: [new Uint32Array(2 * GROUPS * THREADS), input],
    workgroups: [GROUPS],
  };
}

/** Local variables by type; a function's parameters have such names, too. */
const NAMES = { u32: ['a', 'b', 'c'], i32: ['r', 's'], bool: ['t'] } as const;

type Kind = keyof typeof NAMES;

class Writer {
  private readonly random: Random;
  private names = 0;
  /** What of the program's functions may be called: those before. */
  private functions = 0;
  /** Whether a `return` may stand where not all invocations come. */
  private mayReturn = false;
  private loops = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  numbers(count: number): number[] {
    const awkward = [0, 1, 2, 3, 5, 31, 32, 255, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
    return Array.from({ length: count }, () =>
      this.chance(0.7) ? this.pick(awkward) : this.random.below(2 ** 32),
    );
  }

  program(): string {
    const functions = [0, 1].map((i) => {
      this.functions = i;
      return `fn f${i}(i: u32, a0: u32, r0: i32) -> u32 {
${DECLARATIONS}
  var b = a0; var r = r0;
${this.block(3, 1)}
  if (${this.expression('bool', 2)}) { return ${this.expression('u32', 2)}; }
${this.block(2, 1)}
  return ${this.expression('u32', 2)};
}`;
    });
    this.functions = 2;
    const body = this.together(5, 2);
    this.mayReturn = true;
    return `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read> input: array<u32>;
var<workgroup> shared_words: array<u32, ${THREADS}>;

fn noted(i: u32, x: u32) -> u32 {
  out[2 * i + 1] = out[2 * i + 1] * 31 + x;
  return out[2 * i + 1] >> 3;
}
${functions.join('\n')}
@compute @workgroup_size(${THREADS})
fn main(@builtin(local_invocation_index) lid: u32, @builtin(workgroup_id) group: vec3u) {
  let gid = group.x; let i = gid * ${THREADS} + lid; let a0 = i * 7; let r0 = i32(lid) - 3;
${DECLARATIONS}
  var b = input[0] + i; var r = i32(input[1]); var n = input[2] & 3;
${body}
  out[2 * i] = ${HASH};
${this.block(4, 2)}
  out[2 * i] = out[2 * i] * 31 + ${HASH};
}`;
  }

  /** Statements that all invocations reach, with barriers in them. */
  private together(count: number, depth: number): string {
    return this.lines(count, () => {
      const uniform = this.pick(['gid', 'n', 'input[3]', 'input[4]']);
      switch (depth > 0 ? this.random.below(7) : 4 + this.random.below(3)) {
        case 0:
          return `if (${uniform} > ${this.random.below(3)}) {\n${this.together(2, depth - 1)}\n} else {\n${this.together(2, depth - 1)}\n}`;
        case 1: {
          const k = this.name('k');
          const end = this.pick(['n', '3', 'gid + 1', '(input[5] & 3)']);
          return `for (var ${k} = 0u; ${k} < ${end}; ${k}++) {\n${this.together(2, depth - 1)}\n}`;
        }
        case 2:
          return `n = (n * 5 + ${uniform}) & 3;`;
        case 3: {
          const k = this.name('k');
          return `for (var ${k} = 0u; ${k} < 2; ${k}++) { n = (n + ${k} + ${uniform}) & 3; }`;
        }
        case 4:
          return this.block(2, 2);
        default: {
          const value = this.expression('u32', 2);
          return `workgroupBarrier(); shared_words[lid] = ${value}; workgroupBarrier();
a = a * 3 + shared_words[(lid + ${this.random.below(THREADS)}) % ${THREADS}];`;
        }
      }
    });
  }

  private block(count: number, depth: number): string {
    return this.lines(count, () => this.statement(depth));
  }

  private statement(depth: number): string {
    const kind = this.pick(['u32', 'i32', 'bool'] as const);
    const [index, value] = [this.index(), this.expression('u32', 2)];
    switch (this.random.below(depth > 0 ? 12 : 7)) {
      case 0:
      case 1:
        return `${this.pick(NAMES[kind])} = ${this.expression(kind, 3)};`;
      case 2:
        return `${this.pick(NAMES.u32)} ${this.pick(['+', '-', '*', '^', '|', '/', '%'])}= ${value};`;
      case 3:
        return `v[${index}] = ${value}; v.${this.pick([...'xyzw'])} += ${this.expression('u32', 1)};`;
      case 4:
        return `list[${index}] = ${value}; q[${this.index()}] = f32(${value} & 255);`;
      case 5:
        return `v = v.${this.pick(['wzyx', 'yyxx', 'zwxy'])} + vec4u(${value}); q = q * 0.5 + vec4f(v & vec4u(15));`;
      case 6:
        return `{ var a = ${value}; b ^= a; var c = a + 1; c *= b; ${this.statement(0)} v.x ^= c; }`;
      case 7:
      case 8:
        return `if (${this.expression('bool', 2)}) {\n${this.block(2, depth - 1)}\n} else {\n${this.block(1, depth - 1)}\n}`;
      case 9: {
        const k = this.name('k');
        const end = this.pick(['2', '4', `min(${value}, 3u)`, '(a & 3)']);
        return this.inLoop(
          () =>
            `for (var ${k} = 0u; ${k} < ${end}; ${k}++) {\n${this.block(2, depth - 1)}\nlist[${k} & 3] += ${k};\n}`,
        );
      }
      case 10: {
        const k = this.name('k');
        return this.inLoop(
          () => `var ${k} = 6; while (${k} > 0) { ${k} -= 2;\n${this.block(2, depth - 1)}\ns += ${k};\n}`,
        );
      }
      default:
        if (this.loops > 0)
          return `if (${this.expression('bool', 1)}) { ${this.pick(['break', 'continue'])}; }`;
        return this.mayReturn ? `if (${this.expression('bool', 1)}) { return; }` : '';
    }
  }

  private inLoop(make: () => string): string {
    this.loops++;
    const text = make();
    this.loops--;
    return text;
  }

  private expression(kind: Kind, depth: number): string {
    if (depth === 0 || this.chance(0.15)) return this.leaf(kind);
    const of = (other: Kind) => this.expression(other, depth - 1);
    const pair = (other: Kind, operators: readonly string[]) =>
      `(${of(other)} ${this.pick(operators)} ${of(other)})`;
    if (kind === 'bool') {
      switch (this.random.below(5)) {
        case 0:
          return pair('u32', COMPARED);
        case 1:
          return pair('i32', COMPARED);
        case 2:
          return pair('bool', ['&&', '||']);
        case 3:
          return `!${of('bool')}`;
        default:
          return `any(v ${this.pick(COMPARED)} vec4u(${of('u32')}, 1, 2, ${of('u32')}))`;
      }
    }
    switch (this.random.below(9)) {
      case 0:
      case 1:
        return pair(kind, ['+', '-', '*', '&', '|', '^']);
      case 2:
        return pair(kind, ['/', '%']);
      case 3:
        return `(${of(kind)} ${this.pick(['<<', '>>'])} ${of('u32')})`;
      case 4:
        return `select(${of(kind)}, ${of(kind)}, ${of('bool')})`;
      case 5:
        return `${this.pick(['min', 'max'])}(${of(kind)}, ${of(kind)})`;
      case 6:
        return kind === 'u32' ? `u32(${of('i32')})` : `bitcast<i32>(${of('u32')})`;
      case 7:
        if (kind === 'i32') return `-(${of('i32')})`;
        return this.functions > 0 && this.chance(0.6)
          ? `f${this.random.below(this.functions)}(i, ${of('u32')}, ${of('i32')})`
          : `noted(i, ${of('u32')})`;
      default:
        return kind === 'i32' ? `abs(${of('i32')})` : this.element();
    }
  }

  private leaf(kind: Kind): string {
    if (kind === 'bool') return this.pick(['t', 'true', `(a > b)`, `(r < s)`]);
    const number = `n${this.random.below(CONSTANTS.length)}`;
    if (kind === 'i32') return this.pick([...NAMES.i32, 'r0', `i32(${number})`, 'i32(input[6])']);
    return this.pick([...NAMES.u32, 'a0', 'i', number, 'input[7]', this.element()]);
  }

  private element(): string {
    return this.pick([
      `list[${this.index()}]`,
      `v[${this.index()}]`,
      'v.y',
      'v.zx.x',
      `u32(q[${this.index()}])`,
    ]);
  }

  /** Within arrays of four. */
  private index(): string {
    return this.pick(['0', '3', '(a & 3)', '(b % 4)', '(i & 3)', '(u32(s) & 3)']);
  }

  private lines(count: number, make: () => string): string {
    return Array.from({ length: count }, make).join('\n');
  }

  private name(prefix: string): string {
    return `${prefix}${this.names++}`;
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.random.below(from.length)];
  }

  private chance(of: number): boolean {
    return this.random.below(1000) < 1000 * of;
  }
}

const COMPARED = ['==', '!=', '<', '<=', '>', '>='];

const CONSTANTS = [0, 1, 2, 3, 4, 7, 31, 32, 1000, 2 ** 31 - 1];

/** Constants have names: WGSL refuses arithmetic of literals that overflows. */
const DECLARATIONS = `  ${CONSTANTS.map((value, i) => `let n${i} = ${value}u;`).join(' ')}
  var a = a0; var c = 1u; var s = r0; var t = false;
  var v = vec4u(a0, 1, 2, 3); var q = vec4f(1, 2, 3, 4); var list = array<u32, 4>(4, 3, 2, 1);`;

const HASH = `a + b * 3 + c * 5 + u32(r) * 7 + u32(s) * 11 + u32(t) * 13 + v.x * 17 + v.y * 19 + v.z * 23 + v.w * 29
    + u32(q.x + q.y + q.z + q.w) + list[0] * 31 + list[1] * 37 + list[2] * 41 + list[3] * 43`;

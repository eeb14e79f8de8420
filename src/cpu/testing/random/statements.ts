/** Random statements of one invocation. */
import { BOOL, clampedTo, RandomExpressions, U32, type Variable } from './expressions.ts';
import { assignable, computed, isRefused, type Row } from './rows.ts';
import {
  asScalar,
  copy,
  elementType,
  nameOf,
  scalarType,
  zeroOf,
  type RandomExpression,
  type Invocation,
  type Reference,
  type Signal,
  type RandomStatement,
  type RandomType,
  type RandomValue,
} from './tree.ts';

/** Rounds after which a loop ends that might not end by itself. */
const MOST_ROUNDS = 5;

/** Buffers, by binding. */
export const [OUT, NUMBERS] = [0, 3];
/** Words and numbers that each invocation writes. */
export const [OWN_WORDS, OWN_NUMBERS] = [8, 2];

export abstract class RandomStatements extends RandomExpressions {
  private names = 0;
  private slots = 0;
  private loops = 0;
  private level = 0;
  /** Whether nothing else writes to the buffers. */
  protected abstract readonly isAlone: boolean;
  /** What `return` needs; undefined where there may be none. */
  protected returns: RandomType | 'nothing' | undefined;

  /** Statements in a scope of their own. */
  protected block(count: number, depth: number, first: readonly RandomStatement[] = []): RandomStatement {
    return this.within(() =>
      sequence([...first, ...Array.from({ length: count }, () => this.statement(depth))]),
    );
  }

  /** Makes something in a scope of its own. */
  protected within<T>(make: () => T): T {
    const { scope } = this;
    this.level++;
    const made = make();
    this.level--;
    this.scope = scope;
    return made;
  }

  protected statement(depth: number): RandomStatement {
    const simple = [
      () => this.declare(),
      () => this.declare(),
      () => this.assign(),
      () => this.assign(),
      () => this.assign(),
      () => this.store(),
    ];
    const nested = [
      () => this.branch(depth),
      () => this.branch(depth),
      () => this.within(() => this.countingLoop(depth)),
      () => this.within(() => this.countingLoop(depth)),
      () => this.within(() => this.otherLoop(depth)),
      () => this.leave(),
      () => braced(this.block(2, depth - 1)),
    ];
    return this.pick(depth > 0 ? [...simple, ...nested] : simple)();
  }

  /** Puts a variable of the invocation in scope, in front of others of its name. */
  protected introduce(
    given: Partial<Omit<Variable, 'run' | 'level'>> & Pick<Variable, 'type' | 'kind'>,
  ): Variable & { slot: number } {
    const { name = this.newName() } = given;
    const slot = this.slots++;
    const run = (at: Invocation): [RandomValue[], number] => [at.own, slot];
    const variable = { isUniform: false, ...given, level: this.level, name, text: name, run };
    this.scope = [...this.scope.filter((one) => one.name !== name), variable];
    return { ...variable, slot };
  }

  /** A counter hides nothing, as its loop's end may be any expression. */
  protected counter(
    given: Partial<Pick<Variable, 'kind' | 'isUniform' | 'below'>> = {},
  ): Variable & { slot: number } {
    return this.introduce({ type: U32, kind: 'counter', name: `k${this.names++}`, ...given });
  }

  /** Sometimes that of a variable outside, which it hides. */
  private newName(): string {
    const hidden = this.scope.filter(({ name, level }) => /^[vk]\d/.test(name) && level < this.level);
    return hidden.length > 0 && this.chance(0.1) ? this.pick(hidden).name : `v${this.names++}`;
  }

  private declare(): RandomStatement {
    const type = this.randomType();
    const kind = this.pick(['var', 'var', 'let', type.lengths.length > 0 ? 'var' : 'const'] as const);
    if (kind === 'var' && this.open && this.chance(0.1)) {
      const { name, slot } = this.introduce({ type, kind });
      return effect(`var ${name}: ${nameOf(type)};`, (at) => void (at.own[slot] = zeroOf(type)));
    }
    return this.declaration(kind, type);
  }

  protected declaration(kind: 'var' | 'let' | 'const', type: RandomType, isUniform = false): RandomStatement {
    const { only } = this;
    if (kind === 'const') this.only = 'constant';
    const isPlain = type.size === 1 && type.lengths.length === 0;
    // A compiler knows what is in it.
    const value = isPlain && this.chance(0.25) ? this.literal(type.scalar) : this.expression(type, 2);
    this.only = only;
    const known = kind === 'const' ? value.known : undefined;
    const { name, slot } = this.introduce({
      type,
      kind,
      isUniform,
      ...(known === undefined ? {} : { known }),
    });
    const annotation = this.chance(0.3) ? `: ${nameOf(type)}` : '';
    return effect(`${kind} ${name}${annotation} = ${value.text};`, (at) => {
      at.own[slot] = copy(value.run(at));
    });
  }

  /** A variable that may be assigned, or a part of it. */
  protected target(isUniform = false): Reference | undefined {
    const found = this.scope.filter((one) => one.kind === 'var' && one.isUniform === isUniform);
    if (found.length === 0) return undefined;
    let target: Reference = this.pick(found);
    while ((target.type.lengths.length > 0 || target.type.size > 1) && this.chance(0.7))
      target = this.part(target, elementType(target.type));
    return target;
  }

  private assign(): RandomStatement {
    const target = this.target();
    return target ? this.assignment(target) : this.declare();
  }

  protected assignment(target: Reference): RandomStatement {
    const { type, text } = target;
    const isNumber = type.size === 1 && type.lengths.length === 0;
    if (isNumber && type.scalar !== 'bool' && type.scalar !== 'f32' && this.chance(0.15)) {
      const by = this.pick([1, -1]);
      return effect(`${text}${by > 0 ? '++' : '--'};`, (at) => {
        const [container, key] = target.run(at);
        container[key] = asScalar(type.scalar, Number(container[key]) + by);
      });
    }
    const rows = type.lengths.length === 0 ? assignable(type.scalar) : [];
    const value = this.expression(type, 2);
    if (rows.length > 0 && this.chance(0.4)) {
      const row = this.pick(rows);
      const combined = this.compound(row, target, value);
      if (combined) return combined;
    }
    return effect(`${text} = ${value.text};`, (at) => {
      const [container, key] = target.run(at);
      container[key] = copy(value.run(at));
    });
  }

  private compound(row: Row, target: Reference, value: RandomExpression): RandomStatement | undefined {
    const operator = row.text.split(' ')[1];
    const isShift = operator === '<<' || operator === '>>';
    if (isRefused(row, undefined, value.known, undefined) || (isShift && target.type.size > 1))
      return undefined;
    return effect(`${target.text} ${operator}= ${isShift ? `u32(${value.text})` : value.text};`, (at) => {
      const [container, key] = target.run(at);
      const before = copy(container[key]);
      container[key] = computed(row, before, value.run(at));
    });
  }

  /** Writes where no other invocation does. */
  private store(): RandomStatement {
    const isFloat = this.open && this.chance(0.3);
    const [name, binding, count] = isFloat ? ['numbers', NUMBERS, OWN_NUMBERS] : ['out', OUT, OWN_WORDS];
    if (this.isAlone && this.open && !isFloat) {
      const at = this.index(count);
      return this.assignment({
        type: U32,
        text: `out[${at.text}]`,
        run: (one) => [one.buffers[OUT] as RandomValue[], clampedTo(count, at.run(one))],
      });
    }
    const [i, own] = [this.named('i'), this.position(count)];
    return this.assignment({
      type: scalarType(isFloat ? 'f32' : 'u32'),
      text: `${name}[i * ${count} + ${own.text}]`,
      run: (at) => [at.buffers[binding] as RandomValue[], Number(i.run(at)) * count + Number(own.run(at))],
    });
  }

  private branch(depth: number): RandomStatement {
    const condition = this.expression(BOOL, 2);
    const yes = this.block(1, depth - 1);
    const no = this.chance(0.4) ? this.branchOrBlock(depth - 1) : undefined;
    return {
      text: `if (${condition.text}) ${braced(yes).text}${no ? ` else ${no.text}` : ''}`,
      run: (at) => (condition.run(at) ? yes.run(at) : no?.run(at)),
    };
  }

  private branchOrBlock(depth: number): RandomStatement {
    return depth > 0 && this.chance(0.3) ? this.branch(depth) : braced(this.block(1, depth));
  }

  private leave(): RandomStatement {
    const condition = this.expression(BOOL, 1);
    const { returns } = this;
    if (this.loops > 0 && this.chance(0.7)) {
      const signal = this.pick(['break', 'continue'] as const);
      return {
        text: `if (${condition.text}) { ${signal}; }`,
        run: (at) => (condition.run(at) ? signal : undefined),
      };
    }
    if (returns === undefined) return this.assign();
    const value = returns === 'nothing' ? undefined : this.expression(returns, 2);
    return {
      text: `if (${condition.text}) { return${value ? ` ${value.text}` : ''}; }`,
      run(at) {
        if (!condition.run(at)) return undefined;
        if (value) at.result = copy(value.run(at));
        return 'return';
      },
    };
  }

  /** `for (var k = first; k < end; k += step)`, whose counter the body changes only where a guard ends the loop. */
  private countingLoop(depth: number): RandomStatement {
    const step = 1 + this.random.below(3);
    const rounds = 1 + this.random.below(MOST_ROUNDS);
    // Near the end of the range, a counter may wrap.
    const isHigh = this.chance(0.08);
    const guard = isHigh || this.chance(0.2) ? this.guard() : undefined;
    const first = isHigh
      ? this.fixedNumber(2 ** 32 - 1 - this.random.below(step * rounds + 1))
      : this.chance(0.5)
        ? this.fixedNumber(this.random.below(3))
        : this.position(3);
    const most = isHigh ? 2 ** 32 - 1 - this.random.below(3) : step * rounds;
    const end = isHigh || this.chance(0.5) ? this.fixedNumber(most) : this.position(most + 1);
    const counter = this.counter(guard ? { kind: this.pick(['var', 'counter']) } : { below: most });
    const body = this.body(depth, guard?.check);
    const { name, slot } = counter;
    const change = step === 1 ? `${name}++` : `${name} += ${step}u`;
    return loop(
      `${guard?.text ?? ''}for (var ${name}${this.chance(0.5) || !first.text.endsWith('u') ? ': u32' : ''} = ${first.text}; ${name} < ${end.text}; ${change}) {\n${body.text}\n}`,
      {
        start(at) {
          guard?.start(at);
          at.own[slot] = Number(first.run(at)) >>> 0;
        },
        resumes: (at) => Number(at.own[slot]) < Number(end.run(at)) >>> 0,
        body,
        next: (at) => void (at.own[slot] = (Number(at.own[slot]) + step) >>> 0),
      },
    );
  }

  private fixedNumber(value: number): RandomExpression {
    return { type: U32, text: `${value}u`, known: value, run: () => value };
  }

  /** `while` and `loop`, with a counter that the body may change, too. */
  private otherLoop(depth: number): RandomStatement {
    const scalar = this.pick(['u32', 'i32'] as const);
    const start = this.declaration('var', scalarType(scalar));
    const { text: k } = this.scope[this.scope.length - 1];
    const guard = this.guard();
    const condition = this.expression(BOOL, 2);
    const body = this.body(depth, guard.check);
    const [opening, closing] = this.pick([
      [`while (${condition.text}) {`, '}'],
      [`loop { if (!${condition.text}) { break; }`, '}'],
      [`for (; ${condition.text};) {`, '}'],
    ] as const);
    return loop(`{ ${start.text}\n${guard.text}${opening}\n${body.text}\n${closing} ${`_ = ${k};`} }`, {
      start(at) {
        start.run(at);
        guard.start(at);
      },
      resumes: (at) => Boolean(condition.run(at)),
      body,
    });
  }

  private body(depth: number, check: RandomStatement | undefined): RandomStatement {
    this.loops++;
    const body = this.block(1 + this.random.below(2), depth - 1, check ? [check] : []);
    this.loops--;
    return body;
  }

  /** Ends a loop after some rounds. */
  private guard(): { text: string; start(at: Invocation): void; check: RandomStatement } {
    const { name, slot } = this.counter();
    return {
      text: `var ${name} = ${MOST_ROUNDS}u;\n`,
      start: (at) => void (at.own[slot] = MOST_ROUNDS),
      check: {
        text: `if (${name} == 0u) { break; } ${name} -= 1u;`,
        run(at) {
          const left = Number(at.own[slot]);
          if (left === 0) return 'break';
          at.own[slot] = left - 1;
          return undefined;
        },
      },
    };
  }
}

export const effect = (text: string, run: (at: Invocation) => void): RandomStatement => ({
  text,
  run(at) {
    run(at);
    return undefined;
  },
});

export const braced = ({ text, run }: RandomStatement): RandomStatement => ({ text: `{\n${text}\n}`, run });

export const sequence = (statements: readonly RandomStatement[]): RandomStatement => ({
  text: statements.map(({ text }) => text).join('\n'),
  run(at) {
    for (const statement of statements) {
      const signal = statement.run(at);
      if (signal) return signal;
    }
    return undefined;
  },
});

function loop(
  text: string,
  parts: {
    start(at: Invocation): void;
    resumes(at: Invocation): boolean;
    body: RandomStatement;
    next?(at: Invocation): void;
  },
): RandomStatement {
  return {
    text,
    run(at): Signal {
      for (parts.start(at); parts.resumes(at); parts.next?.(at)) {
        const signal = parts.body.run(at);
        if (signal === 'return') return signal;
        if (signal === 'break') break;
      }
      return undefined;
    },
  };
}

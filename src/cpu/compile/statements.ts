/** Lowers statements. Short loops are unrolled. */
import { ANY, constantOf, i32, op, type Range } from '../wasm/nodes.ts';
import type { Label } from '../wasm/statements.ts';
import type { StatementBlock, Declaration, Expression, TypeName, WgslStatement } from '../wgsl/syntax.ts';
import { countStatements, someStatement } from '../wgsl/walk.ts';
import { Calls } from './calls.ts';
import { counterOf, type Counted, type Loop } from './counter.ts';
import type { Rounds } from './rounds.ts';
import { Scope } from './scope.ts';
import { binary, convert, scalarOf, u32Value, zero, type Value } from './values.ts';

/** Loops of at most so many rounds and statements are unrolled. */
const [UNROLLED_TIMES, UNROLLED_STATEMENTS] = [4, 12];

/** What lowers statements, beside calls and expressions. */
export abstract class Statements extends Calls {
  private readonly loops: { exit: Label; next: Label }[] = [];
  /** If it is watched. */
  protected rounds: Rounds | undefined;

  protected statements(block: StatementBlock): void {
    const outer = this.scope;
    this.scope = new Scope(outer);
    this.inScope(block);
    this.scope = outer;
  }

  protected inScope(block: StatementBlock): void {
    for (const statement of block) {
      this.statement(statement);
      // What follows is never reached.
      if (!this.checked.resumes(statement)) break;
    }
  }

  private statement(statement: WgslStatement): void {
    this.at = statement.at;
    switch (statement.kind) {
      case 'let':
      case 'const': {
        if (statement.value) this.bind(this.scope, statement, this.value(statement.value));
        break;
      }
      case 'var':
        this.declare(statement);
        break;
      case 'assign':
        this.assign(statement.target, statement.operator, statement.value);
        break;
      case 'call':
        this.callStatement(statement.call);
        break;
      case 'if': {
        const [condition] = this.value(statement.condition).leaves;
        const known = constantOf(condition);
        if (known !== undefined) this.statements(known !== 0 ? statement.yes : statement.no);
        else {
          const yes = this.out.nested(() => this.statements(statement.yes));
          const no = this.out.nested(() => this.statements(statement.no));
          this.out.push({ kind: 'if', condition, yes, no });
        }
        break;
      }
      case 'loop':
        this.loop(statement);
        break;
      case 'return': {
        const frame = this.frames[this.frames.length - 1];
        if (statement.value && frame.type) {
          const { leaves } = this.out.fixed(this.value(statement.value));
          frame.result.forEach((local, i) => this.out.push({ kind: 'set', local, value: leaves[i] }));
        }
        this.out.push({ kind: 'branch', label: frame.label });
        break;
      }
      case 'break':
      case 'continue': {
        const loop = this.loops[this.loops.length - 1];
        this.out.push({ kind: 'branch', label: statement.kind === 'break' ? loop.exit : loop.next });
        break;
      }
      case 'block':
        this.statements(statement.body);
    }
  }

  private declare(declaration: Declaration, range?: Range): void {
    const { name, type: typeName, value: source } = declaration;
    const given = source ? this.value(source) : zero(this.checked.typeOf(typeName as TypeName));
    const { type } = given;
    const place = this.inMemory.has(declaration)
      ? this.places.inMemory(type)
      : this.places.variable(type, range);
    this.places.write(place, given);
    this.scope.declare(name, { kind: 'place', place, declaration });
  }

  private assign(target: Expression, operator: string, source: Expression): void {
    if (target.kind === 'name' && target.name === '_') {
      this.value(source);
      return;
    }
    const found = this.place(target);
    if (!found) throw new Error('expected a variable');
    const place = this.places.fixed(found);
    if (operator === '') this.places.write(place, this.value(source));
    else {
      const now = this.places.read(place);
      const before = this.effects.mayWrite(source) ? this.out.fixed(now) : now;
      this.places.write(place, binary(operator, before, this.value(source), this.out.once));
    }
  }

  private callStatement(call: Expression & { kind: 'call' }): void {
    const { name } = call.callee;
    if (name === 'workgroupBarrier' || name === 'storageBarrier') {
      this.out.push({ kind: 'barrier', at: this.at });
      this.places.races?.barrier();
      return;
    }
    const called = this.module.functions.get(name);
    if (called) this.inline(called, this.operands(call.args));
    else this.value(call);
  }

  private loop(loop: Loop): void {
    const { start, condition, step, body, at } = loop;
    const counter = this.counter(loop);
    const rounds = counter && this.roundsOf(counter, body);
    if (rounds) {
      this.unroll(rounds.name, rounds.values, body);
      return;
    }
    const outer = this.scope;
    this.scope = new Scope(outer);
    if (start) this.statement(start);
    const range = counter && this.rangeOf(counter);
    const exit = Symbol();
    const again = Symbol();
    const next = Symbol();
    const inside = this.out.nested(() => {
      this.at = at;
      this.rounds?.begin();
      if (condition) {
        const [holds] = this.value(condition).leaves;
        this.out.onlyIf(op('i32.eqz', holds), { kind: 'branch', label: exit });
      }
      this.loops.push({ exit, next });
      const scope = this.scope;
      const symbol = start?.kind === 'var' ? scope.find(start.name) : undefined;
      if (range && start?.kind === 'var' && symbol?.kind === 'place' && symbol.place.kind === 'locals') {
        this.scope = new Scope(scope);
        this.scope.declare(start.name, { kind: 'place', place: { ...symbol.place, range } });
      }
      const inner = this.out.nested(() => this.statements(body));
      this.scope = scope;
      this.loops.pop();
      this.out.push({ kind: 'block', label: next, body: inner });
      this.statements(step);
      this.out.push({ kind: 'branch', label: again });
    });
    this.scope = outer;
    this.out.push({ kind: 'block', label: exit, body: [{ kind: 'loop', label: again, body: inside }] });
  }

  /** The values of a short loop's counter, if they are known at compile time. */
  private roundsOf(counter: Counted, body: StatementBlock): { name: string; values: Value[] } | undefined {
    const parts = [counter.values.first, counter.values.end, counter.values.by];
    const [first, end, by] = parts.map(({ leaves: [leaf] }) => constantOf(leaf));
    if (first === undefined || end === undefined || !by) return undefined;
    // One round is no loop, however long it is.
    const most = countStatements(body) > UNROLLED_STATEMENTS ? 1 : UNROLLED_TIMES;
    if (end - first > most * by) return undefined;
    if (end + by > ANY.max) return undefined;
    const values: Value[] = [];
    for (let i = first; i < end; i += by) values.push(u32Value(i32(i)));
    return { name: counter.name, values };
  }

  /** Lowers the body once for each value of the counter. */
  private unroll(name: string, values: readonly Value[], body: StatementBlock): void {
    const outer = this.scope;
    const exit = Symbol('exit');
    const round = (value: Value) => {
      this.scope = new Scope(outer);
      this.scope.declare(name, { kind: 'value', value });
      this.statements(body);
    };
    if (!someStatement(body, ({ kind }) => kind === 'break' || kind === 'continue')) values.forEach(round);
    else {
      const rounds = this.out.nested(() => {
        for (const value of values) {
          const next = Symbol('next');
          this.loops.push({ exit, next });
          const inside = this.out.nested(() => round(value));
          this.loops.pop();
          this.out.push({ kind: 'block', label: next, body: inside });
        }
      });
      this.out.push({ kind: 'block', label: exit, body: rounds });
    }
    this.scope = outer;
  }

  /** The range of the counter in the loop's body. */
  private rangeOf({ values: { first, end, by } }: Counted): Range | undefined {
    const [low, high, step] = [first, end, by].map((value) => convert(value, 'u32').leaves[0].range);
    // A counter that wraps starts again at 0.
    const min = high.max - 1 + step.max > ANY.max ? 0 : low.min;
    return high.max > 0 ? { min, max: high.max - 1 } : undefined;
  }

  /** An expression's value, only to see what is known of it: its statements are dropped. */
  private aside(expression: Expression): Value {
    return this.out.into([], () => this.value(expression));
  }

  /** A loop's counter. `end` and `by` are evaluated as in the body, which may change variables. */
  private counter(loop: Loop): Counted | undefined {
    const counter = counterOf(loop);
    if (!counter || [counter.first, counter.end, counter.by].some((part) => this.effects.mayWrite(part)))
      return undefined;
    const first = this.aside(counter.first);
    const [end, by] = this.out.forgetting(() => [counter.end, counter.by].map((part) => this.aside(part)));
    const isCount = scalarOf(end.type) === 'u32' || scalarOf(first.type) === 'u32';
    return isCount ? { ...counter, values: { first, end, by } } : undefined;
  }
}

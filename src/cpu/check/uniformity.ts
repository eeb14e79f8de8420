/**
 * Whether all invocations of a workgroup reach a barrier together (https://www.w3.org/TR/WGSL/#uniformity). What may differ between
 * invocations is followed through each function once, for any arguments: a value is a set of reasons why it may differ, as bits.
 */
import { SourceError } from '../wgsl/source-error.ts';
import type {
  Expression,
  FunctionDeclaration,
  Module,
  Parameter,
  StatementBlock,
  WgslStatement,
} from '../wgsl/syntax.ts';
import { rootOf } from '../wgsl/walk.ts';
import { NEXT } from './statements.ts';

/** Reasons: it differs; the function was called by some invocations only; then one for each parameter. */
const [DIFFERS, CALLED] = [1, 2];
const FIRST_PARAMETER = 2;
/** Bits of a number that parameters have; those after share the last. */
const MOST_PARAMETERS = 28;

const parameterBit = (i: number): number => 1 << (FIRST_PARAMETER + Math.min(i, MOST_PARAMETERS - 1));

const UNIFORM_BUILTINS: ReadonlySet<string> = new Set(['workgroup_id', 'num_workgroups']);

/** What a call needs and gives. */
interface Summary {
  /** What must not differ, or a barrier is not reached by all. */
  required: number;
  result: number;
}

/** The values of a function's variables. */
type Values = Map<string, number>;

interface Loop {
  /** Values where it ends, and where its next round begins. */
  exit: Values | undefined;
  again: Values | undefined;
}

const BARRIER = /^(workgroup|storage)Barrier$/;

/** @throws SourceError at a barrier that not all invocations reach */
export function requireUniformBarriers(module: Module, behaviors: ReadonlyMap<WgslStatement, number>): void {
  const summaries = new Map<FunctionDeclaration, Summary>();
  const summaryOf = (called: FunctionDeclaration): Summary => {
    const known = summaries.get(called);
    if (known) return known;
    const made = new Uniformity(module, behaviors, summaryOf).of(called);
    summaries.set(called, made);
    return made;
  };
  module.functions.forEach(summaryOf);
}

class Uniformity {
  private values: Values = new Map();
  private readonly loops: Loop[] = [];
  private required = 0;
  private result = 0;
  /** CheckedNames that hide others have their own. */
  private scope = new Map<string, string>();
  private declared = 0;

  constructor(
    private readonly module: Module,
    private readonly behaviors: ReadonlyMap<WgslStatement, number>,
    private readonly summaryOf: (called: FunctionDeclaration) => Summary,
  ) {}

  of({ parameters, attributes, body }: FunctionDeclaration): Summary {
    const isEntry = attributes.some(({ name }) => name === 'compute');
    parameters.forEach((parameter, i) =>
      this.declare(parameter.name, isEntry ? (this.isUniform(parameter) ? 0 : DIFFERS) : parameterBit(i)),
    );
    this.block(body, isEntry ? 0 : CALLED);
    return { required: this.required, result: this.result };
  }

  private isUniform({ attributes, type }: Parameter): boolean {
    const builtin = attributes.find(({ name }) => name === 'builtin')?.args[0];
    if (builtin) return builtin.kind === 'name' && UNIFORM_BUILTINS.has(builtin.name);
    return this.module.structs.get(type.name)?.members.every((member) => this.isUniform(member)) ?? false;
  }

  private declare(name: string, value: number): void {
    const own = `${name} ${this.declared++}`;
    this.scope.set(name, own);
    this.values.set(own, value);
  }

  /** Returns which invocations are there at its end. */
  private block(block: StatementBlock, flow: number): number {
    const { scope } = this;
    this.scope = new Map(scope);
    const end = this.statements(block, flow);
    this.scope = scope;
    return end;
  }

  private statements(block: StatementBlock, flow: number): number {
    let now = flow;
    for (const statement of block) {
      now = this.statement(statement, now);
      if (!this.resumes(statement)) break;
    }
    return now;
  }

  private resumes(statement: WgslStatement): boolean {
    return ((this.behaviors.get(statement) ?? NEXT) & NEXT) !== 0;
  }

  private statement(statement: WgslStatement, flow: number): number {
    switch (statement.kind) {
      case 'let':
      case 'const':
      case 'var':
        this.declare(statement.name, statement.value ? this.value(statement.value, flow) : flow);
        return flow;
      case 'assign':
        this.assign(statement, flow);
        return flow;
      case 'call':
        this.value(statement.call, flow);
        return flow;
      case 'if':
        return this.branch(statement, flow);
      case 'loop':
        return this.loop(statement, flow);
      case 'return':
        this.result |= flow | (statement.value ? this.value(statement.value, flow) : 0);
        return flow;
      case 'break':
      case 'continue': {
        const loop = this.loops[this.loops.length - 1];
        const key = statement.kind === 'break' ? 'exit' : 'again';
        loop[key] = merged(loop[key], this.values);
        return flow;
      }
      case 'block':
        return this.block(statement.body, flow);
    }
  }

  private assign({ target, operator, value }: WgslStatement & { kind: 'assign' }, flow: number): void {
    const name = rootOf(target) ?? '_';
    const own = this.scope.get(name);
    const isPart = target.kind !== 'name' || operator !== '';
    const made = this.value(value, flow) | (isPart && name !== '_' ? this.value(target, flow) : 0);
    if (own !== undefined) this.values.set(own, made);
  }

  private branch(statement: WgslStatement & { kind: 'if' }, flow: number): number {
    const inside = flow | this.value(statement.condition, flow);
    const before = new Map(this.values);
    const ends = [statement.yes, statement.no].map((part) => {
      this.values = new Map(before);
      const end = this.block(part, inside);
      return { end, values: part.every((one) => this.resumes(one)) ? this.values : undefined };
    });
    this.values = merged(ends[0].values, ends[1].values ?? ends[0].values ?? before);
    return this.behaviors.get(statement) === NEXT ? flow : ends[0].end | ends[1].end;
  }

  private loop(statement: WgslStatement & { kind: 'loop' }, flow: number): number {
    const { start, condition, step, body } = statement;
    const { scope } = this;
    this.scope = new Map(scope);
    if (start) this.statement(start, flow);
    let round = flow;
    for (;;) {
      const began = round;
      const before = new Map(this.values);
      const loop: Loop = { exit: undefined, again: undefined };
      this.loops.push(loop);
      let inside = round;
      if (condition) {
        inside |= this.value(condition, round);
        loop.exit = new Map(this.values);
      }
      const end = this.block(body, inside);
      if (body.every((one) => this.resumes(one))) loop.again = merged(loop.again, this.values);
      this.loops.pop();
      let next = before;
      if (loop.again) {
        this.values = loop.again;
        round |= this.statements(step, end);
        next = merged(before, this.values);
      }
      if (round === began && same(before, next)) {
        this.values = loop.exit ?? next;
        break;
      }
      this.values = new Map([...before.keys()].map((name) => [name, next.get(name) ?? 0]));
    }
    this.scope = scope;
    return this.behaviors.get(statement) === NEXT ? flow : round;
  }

  /** Why a value may differ. */
  private value(expression: Expression, flow: number): number {
    switch (expression.kind) {
      case 'number':
      case 'flag':
        return flow;
      case 'name': {
        const own = this.scope.get(expression.name);
        if (own !== undefined) return flow | (this.values.get(own) ?? 0);
        const variable = this.module.variables.get(expression.name);
        return variable && variable.space !== 'uniform' && variable.writable ? DIFFERS : flow;
      }
      case 'unary':
        return this.value(expression.operand, flow);
      case 'binary': {
        const left = this.value(expression.left, flow);
        const isShort = expression.operator === '&&' || expression.operator === '||';
        return left | this.value(expression.right, isShort ? flow | left : flow);
      }
      case 'member':
        return this.value(expression.of, flow);
      case 'index':
        return this.value(expression.of, flow) | this.value(expression.index, flow);
      case 'call':
        return this.call(expression, flow);
    }
  }

  private call({ callee: { name }, args, at }: Expression & { kind: 'call' }, flow: number): number {
    if (name === 'arrayLength') return flow;
    const given = args.map((arg) => this.value(arg, flow));
    const called = this.module.functions.get(name);
    if (!called) {
      if (BARRIER.test(name)) this.require(flow, at);
      return given.reduce((a, b) => a | b, name.startsWith('atomic') ? DIFFERS : flow);
    }
    const { required, result } = this.summaryOf(called);
    const meant = (reasons: number) =>
      given.reduce(
        (sum, value, i) => ((reasons & parameterBit(i)) === 0 ? sum : sum | value),
        (reasons & DIFFERS) | ((reasons & CALLED) === 0 ? 0 : flow),
      );
    this.require(meant(required), at);
    return flow | meant(result);
  }

  private require(reasons: number, at: number): void {
    if ((reasons & DIFFERS) !== 0) throw new SourceError(at, 'a barrier that not all invocations reach');
    this.required |= reasons;
  }
}

/** Whether the first variables have the same values in both. */
const same = (a: Values, b: Values): boolean => [...a].every(([name, value]) => b.get(name) === value);

/** What variables may be where two paths meet. */
function merged(a: Values | undefined, b: Values): Values {
  const all = new Map(b);
  for (const [name, value] of a ?? []) all.set(name, value | (all.get(name) ?? 0));
  return all;
}

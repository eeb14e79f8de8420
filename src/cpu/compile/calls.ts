/** Lowers calls: of functions, which are inlined, of built-in functions, and of types, which construct values. */
import { i32, op, type Local } from '../wasm/nodes.ts';
import type { Label } from '../wasm/statements.ts';
import type { Checked } from '../check/check.ts';
import type {
  StatementBlock,
  Declaration,
  Expression,
  FunctionDeclaration,
  Parameter,
  TypeName,
} from '../wgsl/syntax.ts';
import { countReturns } from '../wgsl/walk.ts';
import { builtin } from './builtins.ts';
import { bitcast, vectorFrom } from './construct.ts';
import { Expressions } from './expressions.ts';
import { Scope, type ValuePlace } from './scope.ts';
import { vectorOf, type Type } from '../wgsl/types.ts';
import { binary, convert, scalarOf, u32Value, zero, type Value } from './values.ts';

/** What a function's `return` does. */
export interface Frame {
  label: Label;
  result: readonly Local[];
  type: Type | undefined;
}

/** The others take the larger or the smaller one, or what they are given. */
const ATOMIC_OPERATORS: Readonly<Record<string, string>> = {
  atomicAdd: '+',
  atomicSub: '-',
  atomicAnd: '&',
  atomicOr: '|',
  atomicXor: '^',
};

/** What lowers calls, beside expressions. */
export abstract class Calls extends Expressions {
  protected readonly frames: Frame[] = [];
  protected isAtomic = false;

  /** @param inMemory the arrays that have to lie in memory */
  constructor(
    checked: Checked,
    protected readonly inMemory: ReadonlySet<Declaration | Parameter>,
  ) {
    super(checked);
  }

  /** Lowers a block in a scope of its own. */
  protected abstract statements(block: StatementBlock): void;

  /** Lowers a block in the current scope. */
  protected abstract inScope(block: StatementBlock): void;

  protected call({ callee, args, at }: Expression & { kind: 'call' }): Value {
    const { name } = callee;
    if (name === 'bitcast') {
      const to = scalarOf(this.checked.typeOf(callee.template[0] as TypeName));
      return bitcast(this.value(args[0]), to);
    }
    if (name.startsWith('atomic')) return this.atomic(name, args);
    if (name === 'arrayLength') return this.arrayLength(args[0]);
    const called = this.module.functions.get(name);
    const values = this.operands(args);
    this.at = at;
    const result = called ? this.inline(called, values) : builtin(name, values, this.out.once);
    return result ?? this.construct(callee, values);
  }

  /** An operation on memory. It need not be atomic: a kernel that has some runs on one thread. */
  private atomic(name: string, args: readonly Expression[]): Value {
    this.isAtomic = true;
    const { races } = this.places;
    return !races || /Load$|Store$/.test(name)
      ? this.atomicAccess(name, args)
      : races.atomically(() => this.atomicAccess(name, args));
  }

  private atomicAccess(name: string, args: readonly Expression[]): Value {
    const [target, ...rest] = args;
    const fixed = this.places.fixed(this.addressed(target));
    const [value] = this.operands(rest).map((arg) => this.out.fixed(arg));
    const before = this.out.fixed(this.places.read(fixed));
    if (name === 'atomicLoad') return before;
    const operator = ATOMIC_OPERATORS[name];
    const after = operator
      ? binary(operator, before, value, this.out.once)
      : (builtin(name.slice('atomic'.length).toLowerCase(), [before, value], this.out.once) ?? value);
    this.places.write(fixed, after);
    return before;
  }

  /** What `&` stands before. */
  private addressed(target: Expression): ValuePlace & { kind: 'memory' } {
    const place = target.kind === 'unary' ? this.place(target.operand) : undefined;
    if (place?.kind !== 'memory') throw new Error('expected a variable in memory');
    return place;
  }

  private arrayLength(target: Expression): Value {
    const { last } = this.addressed(target);
    if (!last) throw new Error('expected an array as long as its buffer');
    return u32Value(op('i32.add', last, i32(1)));
  }

  private construct(callee: TypeName, args: readonly Value[]): Value {
    const alias = this.module.aliases.get(callee.name);
    if (alias) return this.construct(alias, args);
    const isInferred = callee.template.length === 0;
    if (isInferred && callee.name === 'array') {
      const element = args[0].type;
      return {
        type: { kind: 'array', element, length: args.length },
        leaves: args.flatMap(({ leaves }) => leaves),
      };
    }
    if (isInferred && /^vec[234]$/.test(callee.name))
      return vectorFrom(vectorOf(Number(callee.name[3]), scalarOf(args[0].type)), args, this.out);
    const type = this.checked.typeOf(callee);
    if (args.length === 0) return zero(type);
    if (type.kind === 'scalar') return convert(args[0], type.scalar);
    return type.kind === 'vector'
      ? vectorFrom(type, args, this.out)
      : { type, leaves: args.flatMap(({ leaves }) => leaves) };
  }

  /** Lowers a function's body in place of a call. Returns its result; undefined if it has none. */
  protected inline(called: FunctionDeclaration, args: readonly Value[]): Value | undefined {
    const { scope, at } = this;
    const inner = new Scope(this.global);
    called.parameters.forEach((parameter, i) => {
      this.bind(inner, parameter, args[i]);
    });
    this.scope = inner;
    const result = this.body(called, called.result && this.checked.typeOf(called.result));
    this.scope = scope;
    this.at = at;
    return result;
  }

  private body(called: FunctionDeclaration, type: Type | undefined): Value | undefined {
    const last = called.body.at(-1);
    const returns = countReturns(called.body);
    if (returns === 0 || (returns === 1 && last?.kind === 'return')) {
      this.inScope(last?.kind === 'return' ? called.body.slice(0, -1) : called.body);
      if (!type || last?.kind !== 'return' || !last.value) return undefined;
      return this.value(last.value);
    }
    const place = type && this.places.variable(type);
    const frame: Frame = { label: Symbol(), result: place?.kind === 'locals' ? place.locals : [], type };
    this.frames.push(frame);
    const body = this.out.nested(() => this.statements(called.body));
    this.frames.pop();
    this.out.push({ kind: 'block', label: frame.label, body });
    return place && this.out.fixed(this.places.read(place));
  }

  /** Names a value that does not change. */
  protected bind(scope: Scope, declaration: Declaration | Parameter, value: Value): void {
    if (this.inMemory.has(declaration)) {
      const place = this.places.inMemory(value.type);
      this.places.write(place, value);
      scope.declare(declaration.name, { kind: 'place', place });
    } else {
      scope.declare(declaration.name, { kind: 'value', value: this.out.fixed(value), declaration });
    }
  }
}

/** Lowers calls: of functions, which are inlined, of built-in functions, and of types, which construct values. */
import { i32, op, type Local } from '../wasm/nodes.ts';
import type { Label } from '../wasm/statements.ts';
import type {
  StatementBlock,
  Declaration,
  Expression,
  FunctionDeclaration,
  Module,
  Parameter,
  TypeName,
} from '../wgsl/syntax.ts';
import { countReturns } from '../wgsl/walk.ts';
import { builtin } from './builtins.ts';
import { bitcast, elementType, vectorFrom } from './construct.ts';
import { Expressions } from './expressions.ts';
import { Scope } from './scope.ts';
import { templateType } from './type-names.ts';
import { nameOf, vectorOf, type Type } from './types.ts';
import {
  binary,
  coerce,
  commonScalar,
  convert,
  scalarOf,
  u32Value,
  Unsupported,
  zero,
  type Value,
} from './values.ts';

/** What a function's `return` does. */
export interface Frame {
  label: Label;
  result: readonly Local[];
  type: Type | undefined;
}

/** What lowers calls, beside expressions. */
export abstract class Calls extends Expressions {
  protected readonly frames: Frame[] = [];
  protected isAtomic = false;

  /** @param inMemory the arrays that have to lie in memory */
  constructor(
    module: Module,
    protected readonly inMemory: ReadonlySet<Declaration | Parameter>,
  ) {
    super(module);
  }

  /** Lowers a block in a scope of its own. */
  protected abstract statements(block: StatementBlock): void;

  /** Lowers a block in the current scope. */
  protected abstract inScope(block: StatementBlock): void;

  protected call({ callee, args, at }: Expression & { kind: 'call' }): Value {
    const { name } = callee;
    if (name === 'bitcast') {
      const to = scalarOf(this.types.typeOf(templateType(callee)));
      if (args.length !== 1) throw new Unsupported(`"bitcast" takes one value, found ${args.length}`);
      return bitcast(this.value(args[0]), to);
    }
    if (name.startsWith('atomic')) return this.atomic(name, args);
    if (name === 'arrayLength') return this.arrayLength(args[0]);
    const called = this.module.functions.get(name);
    if (!called && this.types.isType(callee)) return this.construct(callee, this.operands(args));
    const values = this.operands(args);
    this.at = at;
    if (called) {
      const result = this.inline(called, values);
      if (!result) throw new Unsupported(`"${name}" returns nothing`);
      return result;
    }
    const result = builtin(name, values, this.out.once);
    if (!result) throw new Unsupported(`unknown function "${name}"`);
    return result;
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
    const place = target.kind === 'unary' && target.operator === '&' ? this.place(target.operand) : undefined;
    if (place?.kind !== 'memory')
      throw new Unsupported(`${name} of something that is not a variable in memory`);
    const fixed = this.places.fixed(place);
    const [value] = this.operands(rest).map((arg) => this.out.fixed(coerce(arg, place.type)));
    const before = this.out.fixed(this.places.read(fixed));
    if (name === 'atomicLoad') return before;
    const after = ((): Value | undefined => {
      switch (name) {
        case 'atomicStore':
        case 'atomicExchange':
          return value;
        case 'atomicMin':
        case 'atomicMax':
          return builtin(name === 'atomicMin' ? 'min' : 'max', [before, value], this.out.once);
        case 'atomicAdd':
          return binary('+', before, value, this.out.once);
        case 'atomicSub':
          return binary('-', before, value, this.out.once);
        case 'atomicAnd':
          return binary('&', before, value, this.out.once);
        case 'atomicOr':
          return binary('|', before, value, this.out.once);
        case 'atomicXor':
          return binary('^', before, value, this.out.once);
        default:
          return undefined;
      }
    })();
    if (!after) throw new Unsupported(`"${name}"`);
    this.places.write(fixed, after);
    return before;
  }

  private arrayLength(arg: Expression): Value {
    const place = arg.kind === 'unary' && arg.operator === '&' ? this.place(arg.operand) : undefined;
    if (place?.kind !== 'memory' || !place.last) throw new Unsupported('arrayLength of this');
    return u32Value(op('i32.add', place.last, i32(1)));
  }

  private construct(callee: TypeName, args: readonly Value[]): Value {
    const inferred = callee.template.length === 0;
    const alias = this.module.aliases.get(callee.name);
    if (alias) return this.construct(alias, args);
    if (inferred && args.length === 0 && /^(array|vec[234])$/.test(callee.name))
      throw new Unsupported(`"${callee.name}" without a type`);
    if (callee.name === 'array' && inferred) {
      const kind = elementType(args.map(({ type }) => type));
      const leaves = args.flatMap((arg) => coerce(arg, kind).leaves);
      return { type: { kind: 'array', element: kind, length: args.length }, leaves };
    }
    if (/^vec[234]$/.test(callee.name) && inferred) {
      const kind = args.length === 1 ? scalarOf(args[0].type) : commonScalar(args.map(({ type }) => type));
      return vectorFrom(vectorOf(Number(callee.name[3]), kind), args, this.out);
    }
    const type = this.types.typeOf(callee);
    if (args.length === 0) return zero(type);
    const wanted =
      type.kind === 'scalar'
        ? 1
        : type.kind === 'array'
          ? type.length
          : type.kind === 'struct' && type.members.length;
    if (type.kind !== 'vector' && args.length !== wanted)
      throw new Unsupported(`${nameOf(type)} of ${args.length} values`);
    switch (type.kind) {
      case 'scalar':
        if (args[0].type.kind !== 'scalar')
          throw new Unsupported(`${nameOf(type)} of ${nameOf(args[0].type)}`);
        return convert(args[0], type.scalar);
      case 'vector':
        return vectorFrom(type, args, this.out);
      case 'array':
        return { type, leaves: args.flatMap((arg) => coerce(arg, type.element).leaves) };
      case 'struct':
        return { type, leaves: type.members.flatMap((member, i) => coerce(args[i], member.type).leaves) };
    }
  }

  /** Lowers a function's body in place of a call. Returns its result; undefined if it has none. */
  protected inline(called: FunctionDeclaration, args: readonly Value[]): Value | undefined {
    if (args.length !== called.parameters.length)
      throw new Unsupported(
        `"${called.name}" takes ${called.parameters.length} values, found ${args.length}`,
      );
    const { scope, at } = this;
    const inner = new Scope(this.global);
    called.parameters.forEach((parameter, i) => {
      this.bind(inner, parameter, coerce(args[i], this.types.typeOf(parameter.type)));
    });
    this.scope = inner;
    const type = called.result && this.types.typeOf(called.result);
    const result = this.definitions.within(called.name, () => this.body(called, type));
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
      return coerce(this.value(last.value), type);
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

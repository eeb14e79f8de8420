/**
 * Lowers expressions: to values, or to the places that they name. The classes of expressions, calls, statements and kernels
 * need one another, so each extends the one before and declares what it needs of those after it.
 */
import { constantOf, FLAG, f32, i32, op, type WasmNode } from '../wasm/nodes.ts';
import type { Statement } from '../wasm/statements.ts';
import { SourceError } from '../wgsl/source-error.ts';
import type { Declaration, Expression, Module, Parameter, TypeName } from '../wgsl/syntax.ts';
import { partsOfExpression } from '../wgsl/walk.ts';
import { Definitions } from './definitions.ts';
import { Effects } from './effects.ts';
import { KernelOutput } from './output.ts';
import { Places } from './places.ts';
import { Scope, type ScopeEntry, type ValuePlace } from './scope.ts';
import { TypeNames } from './type-names.ts';
import { countOf, leafCount, nameOf, scalar, vectorOf } from './types.ts';
import {
  abstract,
  binary,
  coerce,
  components,
  componentsNamed,
  concreteValue,
  flagValue,
  fromComponents,
  scalarOf,
  unary,
  Unsupported,
  type Value,
} from './values.ts';

/** An array whose indices are only known when the kernel runs has to lie in memory. */
export class NeedsMemory extends Error {
  constructor(readonly declaration: Declaration | Parameter) {
    super('an array has to lie in memory');
  }
}

/** What lowers expressions. */
export abstract class Expressions {
  protected readonly out = new KernelOutput();
  protected readonly places = new Places(this.out);
  protected readonly definitions = new Definitions();
  protected readonly effects: Effects;
  protected readonly types: TypeNames;
  protected readonly global = new Scope();
  protected scope = this.global;
  /** Statements that run once, before all invocations. */
  protected readonly prologue: Statement[] = [];
  /** The place in the source that is being lowered, for messages. */
  protected at = 0;
  private readonly constants = new Map<string, Value>();

  constructor(protected readonly module: Module) {
    this.effects = new Effects(module);
    this.types = new TypeNames(module, this.definitions, (expression) => this.known(expression));
  }

  /** The value of a call. */
  protected abstract call(call: Expression & { kind: 'call' }): Value;

  /** What a name stands for; undefined if it is no variable or value. */
  protected abstract find(name: string): ScopeEntry | undefined;

  /** The value of an expression. */
  protected value(expression: Expression): Value {
    this.at = expression.at;
    switch (expression.kind) {
      case 'number': {
        const { type, value } = expression;
        if (type === 'int' || type === 'float') return abstract(type, value);
        return { type: scalar(type), leaves: [type === 'f32' ? f32(value) : i32(value)] };
      }
      case 'flag':
        return flagValue(i32(Number(expression.value)));
      case 'name':
      case 'member':
      case 'index': {
        const found = this.located(expression);
        return 'leaves' in found ? found : this.places.read(found);
      }
      case 'unary':
        return unary(expression.operator, this.value(expression.operand));
      case 'binary': {
        const { operator } = expression;
        if ((operator === '&&' || operator === '||') && this.effects.mayWrite(expression.right))
          return this.shortCircuit(operator, expression.left, expression.right);
        const [left, right] = this.operands([expression.left, expression.right]);
        this.at = expression.at;
        return binary(operator, left, right, this.out.once);
      }
      case 'call':
        return this.call(expression);
    }
  }

  /** Values, in order. One that was read from memory is kept before a call that writes to memory. */
  protected operands(expressions: readonly Expression[]): Value[] {
    const values: Value[] = [];
    for (const expression of expressions) {
      if (this.effects.mayWrite(expression))
        values.forEach((value, i) => (values[i] = this.out.fixed(value)));
      values.push(this.value(expression));
    }
    return values;
  }

  /** A value of type bool. @throws SourceError if it is another */
  protected condition(expression: Expression): Value {
    const value = this.value(expression);
    if (nameOf(value.type) === 'bool') return value;
    throw new SourceError(expression.at, `expected a condition, found ${nameOf(value.type)}`);
  }

  /** The value as a declared type, if there is one. */
  protected typed(value: Value, type: TypeName | undefined): Value {
    return type ? coerce(value, this.types.typeOf(type)) : value;
  }

  /** The number of a constant expression. @throws SourceError if it is none */
  protected known(expression: Expression): number {
    const { leaves } = this.value(expression);
    const value = leaves.length === 1 ? constantOf(leaves[0]) : undefined;
    if (value === undefined) throw new SourceError(expression.at, 'expected a constant');
    return value;
  }

  /** A constant of the module. */
  protected constant(name: string): Value | undefined {
    const known = this.constants.get(name);
    if (known) return known;
    const declaration = this.module.constants.get(name);
    if (!declaration?.value) return undefined;
    const { scope, at } = this;
    this.scope = this.global;
    const source = declaration.value;
    // The prologue computes it for everything that uses it.
    const value = this.out.into(this.prologue, () =>
      this.definitions.within(name, () => this.out.fixed(this.typed(this.value(source), declaration.type))),
    );
    this.scope = scope;
    this.at = at;
    this.constants.set(name, value);
    return value;
  }

  /** The place that an expression names; undefined if it names no variable. */
  protected place(expression: Expression): ValuePlace | undefined {
    const found = this.located(expression);
    return 'leaves' in found ? undefined : found;
  }

  /** The place of a variable or of a part of one; of any other expression, the value. */
  private located(expression: Expression): ValuePlace | Value {
    switch (expression.kind) {
      case 'name': {
        const symbol = this.find(expression.name);
        if (symbol) return symbol.kind === 'place' ? symbol.place : symbol.value;
        const constant = this.constant(expression.name);
        if (constant) return constant;
        throw new Unsupported(`unknown name "${expression.name}"`);
      }
      case 'member': {
        const of = this.located(expression.of);
        if ('leaves' in of) return this.member(of, expression.member);
        return (
          this.places.memberOf(of, expression.member) ?? this.member(this.places.read(of), expression.member)
        );
      }
      case 'index': {
        let of = this.located(expression.of);
        if (this.effects.mayWrite(expression.index))
          of = 'leaves' in of ? this.out.fixed(of) : this.places.fixed(of);
        const index = this.indexInto(of, expression.index);
        if ('leaves' in of) return this.element(expression.of, of, index);
        const place = this.places.elementOf(of, index);
        if (place) return place;
        throw this.needsMemory(expression.of);
      }
      default:
        return this.value(expression);
    }
  }

  private member(value: Value, name: string): Value {
    const { type, leaves } = value;
    if (type.kind === 'struct') {
      const i = type.members.findIndex((member) => member.name === name);
      if (i < 0) throw new Unsupported(`${type.name} has no member "${name}"`);
      const before = type.members.slice(0, i).reduce((sum, one) => sum + leafCount(one.type), 0);
      const member = type.members[i].type;
      return { type: member, leaves: leaves.slice(before, before + leafCount(member)) };
    }
    if (type.kind !== 'vector') throw new Unsupported(`".${name}" of ${nameOf(type)}`);
    const at = componentsNamed(name, type);
    const parts = components(at.length > 1 ? this.out.fixed(value) : value);
    if (at.length === 1) return { type: scalar(type.scalar), leaves: [parts[at[0]]] };
    return fromComponents(
      vectorOf(at.length, type.scalar),
      at.map((i) => parts[i]),
    );
  }

  private element(source: Expression, value: Value, index: WasmNode): Value {
    const { type } = value;
    const known = constantOf(index);
    if (type.kind === 'vector') {
      if (known !== undefined) return { type: scalar(type.scalar), leaves: [components(value)[known]] };
      const given = this.out.fixed(concreteValue(value));
      return { type: scalar(scalarOf(given.type)), leaves: [this.out.picked(components(given), index)] };
    }
    if (type.kind !== 'array') throw new Unsupported(`an index into ${nameOf(type)}`);
    if (known === undefined) throw this.needsMemory(source);
    const each = leafCount(type.element);
    return { type: type.element, leaves: value.leaves.slice(known * each, (known + 1) * each) };
  }

  /** An index. One that is known to be past the end is the last one, or an error if WGSL knows it, too. */
  private indexInto(of: ValuePlace | Value, expression: Expression): WasmNode {
    const value = this.value(expression);
    const { type, leaves } = concreteValue(value);
    if (type.kind !== 'scalar' || (type.scalar !== 'i32' && type.scalar !== 'u32'))
      throw new SourceError(expression.at, `expected an index, found ${nameOf(value.type)}`);
    const [index] = leaves;
    const known = constantOf(index);
    const count = 'type' in of ? countOf(of.type) : undefined;
    if (known === undefined || count === undefined || known < count || !('type' in of)) return index;
    if (this.isConstant(expression)) throw new Unsupported(`index ${known} into ${nameOf(of.type)}`);
    return i32(count - 1);
  }

  /** Whether it is a constant expression of WGSL. */
  private isConstant(expression: Expression): boolean {
    if (expression.kind === 'name') {
      const symbol = this.find(expression.name);
      if (!symbol) return true;
      return (
        symbol.declaration !== undefined &&
        'kind' in symbol.declaration &&
        symbol.declaration.kind === 'const'
      );
    }
    if (expression.kind === 'call' && this.module.functions.has(expression.callee.name)) return false;
    return partsOfExpression(expression).every((part) => this.isConstant(part));
  }

  private needsMemory(expression: Expression): Error {
    let root = expression;
    while (root.kind === 'index' || root.kind === 'member') root = root.of;
    const symbol = root.kind === 'name' ? this.find(root.name) : undefined;
    return symbol?.declaration
      ? new NeedsMemory(symbol.declaration)
      : new SourceError(expression.at, 'an index that is not known, into something that is not a variable');
  }

  /** `&&` and `||` whose right side has effects, so it only runs where it decides. */
  private shortCircuit(operator: '&&' | '||', left: Expression, right: Expression): Value {
    const [first] = this.out.fixed(this.condition(left)).leaves;
    const place = this.places.variable(scalar('bool'), FLAG);
    this.places.write(place, flagValue(first));
    const second = this.out.nested(() => this.places.write(place, this.condition(right)));
    const condition = operator === '&&' ? first : op('i32.eqz', first);
    this.out.push({ kind: 'if', condition, yes: second, no: [] });
    return this.out.fixed(this.places.read(place));
  }
}

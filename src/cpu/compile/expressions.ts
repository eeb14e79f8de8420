/**
 * Lowers expressions: to values, or to the places that they name. The classes of expressions, calls, statements and kernels
 * need one another, so each extends the one before and declares what it needs of those after it.
 */
import { constantOf, FLAG, i32, op, type WasmNode } from '../wasm/nodes.ts';
import type { Checked } from '../check/check.ts';
import { SourceError } from '../wgsl/source-error.ts';
import type { Declaration, Expression, Module, Parameter } from '../wgsl/syntax.ts';
import { Effects } from './effects.ts';
import { KernelOutput } from './output.ts';
import { Places } from './places.ts';
import { Scope, type ScopeEntry, type ValuePlace } from './scope.ts';
import { componentsNamed, countOf, leafCount, nameOf, scalar, vectorOf } from '../wgsl/types.ts';
import { binary, constantValue, components, flagValue, fromComponents, unary, type Value } from './values.ts';

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
  protected readonly effects: Effects;
  protected readonly global = new Scope();
  protected scope = this.global;
  protected readonly module: Module;
  /** The place in the source that is being lowered, for messages. */
  protected at = 0;

  constructor(protected readonly checked: Checked) {
    this.module = checked.module;
    this.effects = new Effects(this.module);
  }

  /** The value of a call. */
  protected abstract call(call: Expression & { kind: 'call' }): Value;

  /** What a name stands for; undefined if it is no variable or value. */
  protected abstract find(name: string): ScopeEntry | undefined;

  /** The value of an expression. */
  protected value(expression: Expression): Value {
    this.at = expression.at;
    const known = this.checked.constants.get(expression);
    if (known) return constantValue(known.type, known.constant);
    switch (expression.kind) {
      case 'number':
        return constantValue(scalar(expression.type), expression.value);
      case 'flag':
        return constantValue(scalar('bool'), expression.value);
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
        if (!symbol) return this.value(expression);
        return symbol.kind === 'place' ? symbol.place : symbol.value;
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
      const before = type.members.slice(0, i).reduce((sum, one) => sum + leafCount(one.type), 0);
      const member = type.members[i].type;
      return { type: member, leaves: leaves.slice(before, before + leafCount(member)) };
    }
    if (type.kind !== 'vector') throw new Error(`".${name}" of ${nameOf(type)}`);
    const at = componentsNamed(name, type.size);
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
      const given = this.out.fixed(value);
      return { type: scalar(type.scalar), leaves: [this.out.picked(components(given), index)] };
    }
    if (type.kind !== 'array') throw new Error(`an index into ${nameOf(type)}`);
    if (known === undefined) throw this.needsMemory(source);
    const each = leafCount(type.element);
    return { type: type.element, leaves: value.leaves.slice(known * each, (known + 1) * each) };
  }

  /** An index. One that is known to be past the end is the last one. */
  private indexInto(of: ValuePlace | Value, expression: Expression): WasmNode {
    const [index] = this.value(expression).leaves;
    const known = constantOf(index);
    const count = 'type' in of ? countOf(of.type) : undefined;
    return known === undefined || count === undefined || known < count ? index : i32(count - 1);
  }

  private needsMemory(expression: Expression): Error {
    let root = expression;
    while (root.kind === 'index' || root.kind === 'member') root = root.of;
    const symbol = root.kind === 'name' ? this.find(root.name) : undefined;
    return symbol?.declaration
      ? new NeedsMemory(symbol.declaration)
      : new SourceError(
          expression.at,
          'an index that is only known when the kernel runs, into what is not a variable, is not supported',
        );
  }

  /** `&&` and `||` whose right side has effects, so it only runs where it decides. */
  private shortCircuit(operator: '&&' | '||', left: Expression, right: Expression): Value {
    const [first] = this.out.fixed(this.value(left)).leaves;
    const place = this.places.variable(scalar('bool'), FLAG);
    this.places.write(place, flagValue(first));
    const second = this.out.nested(() => this.places.write(place, this.value(right)));
    const condition = operator === '&&' ? first : op('i32.eqz', first);
    this.out.push({ kind: 'if', condition, yes: second, no: [] });
    return this.out.fixed(this.places.read(place));
  }
}

/** Checks expressions: finds their types, and the values of those that are constant. */
import {
  componentsNamed,
  concreteType,
  countOf,
  isNumeric,
  nameOf,
  scalar,
  sizeOf,
  vectorOf,
  withScalar,
  type Numeric,
  type Scalar,
  type Type,
} from '../wgsl/types.ts';
import {
  binaryConstant,
  implicitly,
  isList,
  mapped,
  NotComputable,
  partsOf,
  unaryConstant,
  type ConstantValue,
  type ConstantScalar,
} from '../wgsl/constants.ts';
import { SourceError } from '../wgsl/source-error.ts';
import type { Declaration, Expression } from '../wgsl/syntax.ts';
import { isConstructible, CheckedNames, type Typed } from './names.ts';

const isInteger = (of: Scalar): boolean => of === 'int' || of === 'i32' || of === 'u32';

/** Whether a scalar becomes another one by itself. */
export const converts = (from: Scalar, to: Scalar): boolean =>
  from === to || (from === 'int' && to !== 'bool') || (from === 'float' && to === 'f32');

/** The scalar that all of these become by themselves, if there is one. */
export function commonScalar(all: readonly Scalar[]): Scalar | undefined {
  const common = all.reduce((a, b) => (converts(a, b) ? b : a));
  return all.every((one) => converts(one, common)) ? common : undefined;
}

export abstract class CheckedExpressions extends CheckedNames {
  /** Where it is on the right of `&&` or `||` and is never computed. */
  private isSkipped = false;

  /** The value of a call; undefined for a function that returns none. */
  protected abstract call(call: Expression & { kind: 'call' }): Typed | undefined;

  protected value(expression: Expression): Typed {
    const typed = this.typed(expression);
    if (!typed.memory) return typed;
    if (!isConstructible(typed.type))
      throw new SourceError(expression.at, `${nameOf(typed.type)} cannot be read as a whole`);
    return { type: typed.type };
  }

  /** Of an expression that may be a variable. */
  protected typed(expression: Expression): Typed {
    const typed = this.found(expression);
    // What compiles the module reads literals itself.
    if (typed.constant !== undefined && expression.kind !== 'number') this.note(expression, typed);
    return typed;
  }

  private note(expression: Expression, { type, constant, isInexact }: Typed): void {
    if (constant === undefined) return;
    if (isInexact || this.isSkipped) this.constants.delete(expression);
    else this.constants.set(expression, { type, constant });
  }

  private found(expression: Expression): Typed {
    const { at } = expression;
    switch (expression.kind) {
      case 'number':
        return { type: scalar(expression.type), constant: expression.value };
      case 'flag':
        return { type: scalar('bool'), constant: expression.value };
      case 'name':
        return this.named(expression.name, at);
      case 'member':
        return this.member(expression);
      case 'index':
        return this.element(expression);
      case 'unary':
        return this.unary(expression);
      case 'binary':
        return this.binary(expression);
      case 'call': {
        const made = this.call(expression);
        if (made) return made;
        throw new SourceError(at, `"${expression.callee.name}" returns nothing`);
      }
    }
  }

  /** Computes a constant. What is never computed is a constant, too. */
  protected computed(at: number, make: () => ConstantValue): ConstantValue {
    if (this.isSkipped) return 0;
    try {
      return make();
    } catch (error) {
      throw error instanceof NotComputable ? new SourceError(at, error.message) : error;
    }
  }

  /** An expression's value as a type that it has or becomes by itself. */
  protected valueAs(expression: Expression, to: Type): Typed {
    return this.as(expression, this.value(expression), to);
  }

  protected as(expression: Expression, typed: Typed, to: Type): Typed {
    const { at } = expression;
    if (typed.type === to) return typed;
    if (!convertsTo(typed.type, to))
      throw new SourceError(at, `expected ${nameOf(to)}, found ${nameOf(typed.type)}`);
    if (typed.constant === undefined || nameOf(typed.type) === nameOf(to)) return typed;
    const { constant } = typed;
    const made: Typed = {
      ...typed,
      type: to,
      constant: this.computed(at, () => mapped(constant, implicitly(scalarIn(to)))),
    };
    this.note(expression, made);
    return made;
  }

  /** A value that is kept, so its numbers have a type. */
  protected concrete(expression: Expression, typed = this.value(expression)): Typed {
    return this.as(expression, typed, concreteType(typed.type));
  }

  /** The type and value of a declaration. */
  protected initial({ kind, name, type: typeName, value, at }: Declaration): Typed {
    const type = typeName && this.typeOf(typeName);
    if (type) {
      if (!isConstructible(type)) throw new SourceError(typeName.at, `"${name}" cannot be ${nameOf(type)}`);
      if (kind !== 'const') this.requireFew(type, typeName.at);
    }
    if (!value) {
      if (kind !== 'var') throw new SourceError(at, `"${name}" without a value`);
      if (!type) throw new SourceError(at, `"${name}" without a type`);
      return { type };
    }
    const given = this.value(value);
    if (kind === 'const' && given.constant === undefined)
      throw new SourceError(value.at, `"${name}" is a constant, so its value must be one`);
    const made = type ? this.as(value, given, type) : kind === 'const' ? given : this.concrete(value, given);
    return kind === 'const' ? made : { type: made.type };
  }

  private member({ of, member, at }: Expression & { kind: 'member' }): Typed {
    const { type, constant, isInexact, memory } = this.typed(of);
    if (type.kind === 'struct') {
      const i = type.members.findIndex((one) => one.name === member);
      if (i < 0) throw new SourceError(at, `${type.name} has no member "${member}"`);
      return {
        type: type.members[i].type,
        ...(memory ? { memory } : {}),
        ...(constant === undefined
          ? {}
          : { constant: partsOf(constant)[i] ?? 0, isInexact: isInexact === true }),
      };
    }
    if (type.kind !== 'vector') throw new SourceError(at, `${nameOf(type)} has no members`);
    const places = componentsNamed(member, type.size);
    if (places.length === 0) throw new SourceError(at, `${nameOf(type)} has no member "${member}"`);
    const parts = constant === undefined ? undefined : places.map((i) => partsOf(constant)[i] ?? 0);
    return {
      type: places.length === 1 ? scalar(type.scalar) : vectorOf(places.length, type.scalar),
      ...(memory ? { memory: { ...memory, isSwizzle: memory.isSwizzle === true || places.length > 1 } } : {}),
      ...(parts ? { constant: places.length === 1 ? parts[0] : parts, isInexact: isInexact === true } : {}),
    };
  }

  private element({ of, index, at }: Expression & { kind: 'index' }): Typed {
    const { type, constant, isInexact, memory } = this.typed(of);
    if (type.kind !== 'array' && type.kind !== 'vector')
      throw new SourceError(at, `an index into ${nameOf(type)}`);
    const given = this.value(index);
    if (given.type.kind !== 'scalar' || !isInteger(given.type.scalar))
      throw new SourceError(index.at, `expected an index, found ${nameOf(given.type)}`);
    this.concrete(index, given);
    const count = countOf(type) ?? Infinity;
    const known = given.constant as bigint | undefined;
    if (known !== undefined && !this.isSkipped && (known < 0n || known >= count))
      throw new SourceError(index.at, `index ${known} into ${nameOf(type)}`);
    const element = type.kind === 'array' ? type.element : scalar(type.scalar);
    if (constant !== undefined && known !== undefined)
      return {
        type: element,
        constant: partsOf(constant)[Number(known)] ?? 0,
        isInexact: isInexact === true,
      };
    // What is only known when the kernel runs has no abstract type.
    if (constant !== undefined) {
      const kept = this.concrete(of, { type, constant, isInexact: isInexact === true }).type;
      return { type: kept.kind === 'array' ? kept.element : scalar((kept as Numeric).scalar) };
    }
    return { type: element, ...(memory ? { memory } : {}) };
  }

  private unary({ operator, operand, at }: Expression & { kind: 'unary' }): Typed {
    if (operator === '&') throw new SourceError(at, 'pointers are not supported');
    const { type, constant, isInexact } = this.value(operand);
    const of = isNumeric(type) ? type.scalar : undefined;
    const fits = {
      '!': of === 'bool',
      '~': of !== undefined && isInteger(of),
      '-': of !== undefined && of !== 'bool' && of !== 'u32',
    }[operator];
    if (of === undefined || !fits) throw new SourceError(at, `"${operator}" of ${nameOf(type)}`);
    if (constant === undefined) return { type };
    const made = this.computed(at, () => mapped(constant, (one) => unaryConstant(operator, of, one)));
    return { type, constant: made, isInexact: isInexact === true };
  }

  private binary(expression: Expression & { kind: 'binary' }): Typed {
    const { operator, left, right, at } = expression;
    const a = this.value(left);
    if (operator === '&&' || operator === '||') return this.logic(expression, a);
    return this.operation(operator, left, a, right, this.value(right), at);
  }

  private logic(expression: Expression & { kind: 'binary' }, a: Typed): Typed {
    const { operator, left, right } = expression;
    const bool = scalar('bool');
    this.as(left, a, bool);
    const isDecided = a.constant === (operator === '||');
    const { isSkipped } = this;
    this.isSkipped ||= isDecided;
    const b = this.valueAs(right, bool);
    this.isSkipped = isSkipped;
    if (a.constant === undefined) return { type: bool };
    if (b.constant !== undefined) return { type: bool, constant: isDecided ? a.constant : b.constant };
    // It is no constant expression of WGSL, and yet the kernel need not compute it.
    if (isDecided) this.constants.set(expression, { type: bool, constant: a.constant });
    return { type: bool };
  }

  /** An operator's result, also that of `+=` and the like. */
  protected operation(
    operator: string,
    left: Expression,
    a: Typed,
    right: Expression,
    b: Typed,
    at: number,
  ): Typed {
    const type = this.operandType(operator, a.type, b.type);
    const isShift = operator === '<<' || operator === '>>';
    if (!type || (isShift && sizeOf(a.type as Numeric) !== sizeOf(b.type as Numeric)))
      throw new SourceError(
        at,
        isShift || !isNumeric(a.type) || a.type.scalar === (b.type as Numeric).scalar
          ? `"${operator}" of ${nameOf(a.type)}${nameOf(a.type) === nameOf(b.type) ? '' : ` and ${nameOf(b.type)}`}`
          : `operands are ${nameOf(a.type)} and ${nameOf(b.type)}`,
      );
    const of = type.scalar;
    const x = this.as(
      left,
      a,
      withScalar(
        a.type as Numeric,
        isShift && b.constant === undefined ? (concreteType(type) as Numeric).scalar : of,
      ),
    );
    const y = this.as(right, b, withScalar(b.type as Numeric, isShift ? 'u32' : of));
    const [first, second] = [x.constant, y.constant];
    if (second !== undefined && !this.isSkipped) {
      const some = (test: (one: ConstantScalar) => boolean) =>
        partsOf(second).some((one) => test(one as ConstantScalar));
      if ((operator === '/' || operator === '%') && isInteger(of) && some((one) => one === 0n))
        throw new SourceError(at, `"${operator}" by 0`);
      const bits = (x.type as Numeric).scalar === 'int' ? 64 : 32;
      if (isShift && some((one) => (one as bigint) >= bits))
        throw new SourceError(at, `a shift by ${bits} bits or more`);
    }
    const isComparison = /^([=!]=|[<>]=?)$/.test(operator);
    const result = isComparison ? withScalar(type, 'bool') : isShift ? x.type : type;
    if (operator === '%' && of === 'f32') throw new SourceError(at, '"%" of f32 is not supported');
    if (first === undefined || second === undefined) return { type: result };
    const constant = this.computed(at, () =>
      combined(first, second, (p, q) => binaryConstant(operator, of, p, q)),
    );
    return {
      type: result,
      constant,
      isInexact: !isComparison && (x.isInexact === true || y.isInexact === true),
    };
  }

  /** The type of an operator's result, or of what a comparison compares; undefined if it does not fit the operands. */
  private operandType(operator: string, a: Type, b: Type): Numeric | undefined {
    if (!isNumeric(a) || !isNumeric(b)) return undefined;
    if (operator === '<<' || operator === '>>')
      return isInteger(a.scalar) && converts(b.scalar, 'u32') ? a : undefined;
    const of = commonScalar([a.scalar, b.scalar]);
    if (of === undefined) return undefined;
    const isArithmetic = /^[-+*/%]$/.test(operator);
    const isSame = sizeOf(a) === sizeOf(b) && a.kind === b.kind;
    if (!isSame && !(isArithmetic && a.kind !== b.kind)) return undefined;
    const fits = /^[&|]$/.test(operator)
      ? isInteger(of) || of === 'bool'
      : operator === '^'
        ? isInteger(of)
        : /^[=!]=$/.test(operator) || of !== 'bool';
    return fits ? withScalar(a.kind === 'vector' ? a : b, of) : undefined;
  }
}

/** Whether a type is another, or becomes it by itself. */
export function convertsTo(from: Type, to: Type): boolean {
  if (from === to) return true;
  if (from.kind === 'array' && to.kind === 'array')
    return from.length === to.length && convertsTo(from.element, to.element);
  if (isNumeric(from) && isNumeric(to))
    return from.kind === to.kind && sizeOf(from) === sizeOf(to) && converts(from.scalar, to.scalar);
  return nameOf(from) === nameOf(to);
}

/** The scalar that a value of numbers is made of. */
const scalarIn = (type: Type): Scalar => {
  let inner = type;
  while (inner.kind === 'array') inner = inner.element;
  return (inner as Numeric).scalar;
};

/** Two constants, component by component; a scalar stands for all components. */
export function combined(
  a: ConstantValue,
  b: ConstantValue,
  make: (a: ConstantScalar, b: ConstantScalar) => ConstantScalar,
): ConstantValue {
  if (isList(a)) return a.map((one, i) => combined(one, isList(b) ? b[i] : b, make));
  if (isList(b)) return b.map((one) => combined(a, one, make));
  return make(a, b);
}

/** Checks calls: of functions, of built-in functions, and of types, which construct values. */
import {
  concreteType,
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
  bitsAs,
  explicitly,
  FUNCTIONS,
  halfNumber,
  INEXACT,
  isList,
  mapped,
  NotComputable,
  partsOf,
  settled,
  type ConstantValue,
  type ConstantScalar,
} from '../wgsl/constants.ts';
import { SourceError } from '../wgsl/source-error.ts';
import type { Expression, FunctionDeclaration, TypeName } from '../wgsl/syntax.ts';
import { combined, commonScalar, convertsTo, CheckedExpressions } from './expressions.ts';
import { isConstructible, isUnsized, zeroConstant, type Typed } from './names.ts';

type Call = Expression & { kind: 'call' };

/** Built-in functions that wgrad's kernels do not use. */
const UNSUPPORTED = new RegExp(
  `^(${[
    'a?(sin|cos|tan)h?|atan2|degrees|radians|cross|determinant|distance|length|normalize|reflect|refract|faceForward',
    'modf|frexp|ldexp|quantizeToF16|step|smoothstep|transpose|extractBits|insertBits|reverseBits|firstLeadingBit',
    'firstTrailingBit|dot4[UI]8Packed|(un)?pack\\w+|texture\\w+|subgroup\\w+|quad\\w+|dpd[xy]\\w*|fwidth\\w*',
    'workgroupUniformLoad|atomicCompareExchangeWeak|mat[234]x[234][fh]?|vec[234]h|f16|ptr',
  ].join('|')})$`,
);

/** How many values they take, if not one. */
const COUNTS: Readonly<Record<string, number>> = { min: 2, max: 2, pow: 2, clamp: 3, fma: 3, mix: 3 };
const OF_ANY = /^(abs|min|max|clamp|sign)$/;
const OF_BITS = /^count/;
const ATOMIC = /^atomic(Load|Store|Add|Sub|Max|Min|And|Or|Xor|Exchange)$/;
const BARRIER = /^(workgroup|storage)Barrier$/;
const CONSTRUCTED = /^(vec[234][fiu]?|array|f32|i32|u32|bool|atomic)$/;

export abstract class CheckedCalls extends CheckedExpressions {
  protected hasBarriers = false;

  /** Checks a function that is called, before what calls it. */
  protected abstract function(called: FunctionDeclaration, at: number): void;

  protected call(call: Call): Typed | undefined {
    const { callee, args, at } = call;
    const { name } = callee;
    const { functions, structs, aliases, constants, variables } = this.module;
    if (this.local(name) || constants.has(name) || variables.has(name))
      throw new SourceError(at, `"${name}" is not a function`);
    const called = functions.get(name);
    if (called) return this.ownFunction(called, call);
    if (structs.has(name) || aliases.has(name) || CONSTRUCTED.test(name))
      return this.construct(callee, args, at);
    if (BARRIER.test(name)) {
      this.count(call, 0);
      this.hasBarriers = true;
      return undefined;
    }
    if (ATOMIC.test(name)) return this.atomic(call);
    switch (name) {
      case 'bitcast':
        return this.bitcast(call);
      case 'select':
        return this.select(call);
      case 'dot':
        return this.dot(call);
      case 'all':
      case 'any':
        return this.allOrAny(call);
      case 'arrayLength':
        return this.arrayLength(call);
      case 'unpack2x16float':
        return this.halves(call);
    }
    if (Object.hasOwn(FUNCTIONS, name)) return this.each(call);
    throw new SourceError(
      at,
      UNSUPPORTED.test(name) ? `the function "${name}" is not supported` : `unknown function "${name}"`,
    );
  }

  /** Whether a call may be a statement, although it has a result. */
  protected mayBeDropped({ callee: { name } }: Call): boolean {
    const called = this.module.functions.get(name);
    if (called) return !called.attributes.some((one) => one.name === 'must_use');
    return ATOMIC.test(name);
  }

  private count({ callee: { name }, args, at }: Call, count: number): void {
    if (args.length !== count)
      throw new SourceError(
        at,
        `"${name}" takes ${count} value${count === 1 ? '' : 's'}, found ${args.length}`,
      );
  }

  private ownFunction(called: FunctionDeclaration, call: Call): Typed | undefined {
    if (this.isOutside)
      throw new SourceError(call.at, `"${called.name}" is called where a constant is expected`);
    if (called.attributes.some(({ name }) => name === 'compute'))
      throw new SourceError(call.at, `"${called.name}" is an entry point, which nothing may call`);
    this.function(called, call.at);
    this.count(call, called.parameters.length);
    called.parameters.forEach((parameter, i) => this.valueAs(call.args[i], this.typeOf(parameter.type)));
    return called.result && { type: this.typeOf(called.result) };
  }

  /** A value of constant parts, if all are constant. */
  private made(
    at: number,
    type: Type,
    parts: readonly Typed[],
    make: (...parts: ConstantValue[]) => ConstantValue,
    isInexact = false,
  ): Typed {
    const constants = parts.flatMap(({ constant }) => (constant === undefined ? [] : [constant]));
    if (constants.length < parts.length) return { type };
    const of = isNumeric(type) ? type.scalar : 'float';
    const isFloat = of === 'float' || of === 'f32';
    return {
      type,
      constant: this.computed(at, () => make(...constants)),
      isInexact: isFloat && (isInexact || parts.some((part) => part.isInexact)),
    };
  }

  private construct(callee: TypeName, args: readonly Expression[], at: number): Typed {
    const alias = this.module.aliases.get(callee.name);
    if (alias) {
      this.typeOf(callee);
      return this.construct(alias, args, at);
    }
    const isInferred = callee.template.length === 0 && /^(array|vec[234])$/.test(callee.name);
    if (isInferred && !this.module.structs.has(callee.name))
      return callee.name === 'array'
        ? this.inferredArray(args, at)
        : this.inferredVector(callee.name, args, at);
    const type = this.typeOf(callee);
    if (isUnsized(type) || !isConstructible(type))
      throw new SourceError(at, `${nameOf(type)} cannot be made`);
    this.requireFew(type, at);
    if (args.length === 0) return { type, constant: zeroConstant(type) };
    if (type.kind === 'vector')
      return this.vector(
        type,
        args,
        args.map((arg) => this.value(arg)),
        at,
      );
    if (type.kind === 'scalar') return this.converted(type, args, at);
    const wanted = type.kind === 'array' ? (type.length ?? 0) : type.members.length;
    if (args.length !== wanted) throw new SourceError(at, `${nameOf(type)} of ${args.length} values`);
    const parts = args.map((arg, i) =>
      this.valueAs(arg, type.kind === 'array' ? type.element : type.members[i].type),
    );
    return this.made(at, type, parts, (...all) => all);
  }

  private converted(type: Numeric, args: readonly Expression[], at: number): Typed {
    const given = args.map((arg) => this.value(arg));
    const [{ type: from }] = given;
    if (args.length > 1) throw new SourceError(at, `${nameOf(type)} of ${args.length} values`);
    if (!isNumeric(from) || from.kind !== type.kind)
      throw new SourceError(at, `${nameOf(type)} of ${nameOf(from)}`);
    return this.made(at, type, given, (one) => mapped(one, explicitly(from.scalar, type.scalar)));
  }

  private inferredArray(args: readonly Expression[], at: number): Typed {
    if (args.length === 0) throw new SourceError(at, '"array" without a type');
    const given = args.map((arg) => this.value(arg));
    const element = commonType(given.map(({ type }) => type));
    if (!element) {
      const found = [...new Set(given.map(({ type }) => nameOf(type)))];
      throw new SourceError(at, `an array of ${found.join(' and ')}`);
    }
    const isConstant = given.every(({ constant }) => constant !== undefined);
    const kept = isConstant ? element : concreteType(element);
    const parts = args.map((arg, i) => this.as(arg, given[i], kept));
    return this.made(at, { kind: 'array', element: kept, length: args.length }, parts, (...all) => all);
  }

  private inferredVector(name: string, args: readonly Expression[], at: number): Typed {
    const size = Number(name[3]);
    const given = args.map((arg) => this.value(arg));
    if (args.length === 0) {
      const type = vectorOf(size, 'int');
      return { type, constant: zeroConstant(type) };
    }
    const scalars = given.map(({ type }) => {
      if (!isNumeric(type)) throw new SourceError(at, `${name} of ${nameOf(type)}`);
      return type.scalar;
    });
    const common = commonScalar(scalars);
    if (!common)
      throw new SourceError(at, `operands are ${given.map(({ type }) => nameOf(type)).join(' and ')}`);
    const isConstant = given.every(({ constant }) => constant !== undefined);
    const type = vectorOf(size, common);
    return this.vector(
      (isConstant ? type : concreteType(type)) as Numeric & { kind: 'vector' },
      args,
      given,
      at,
    );
  }

  private vector(
    type: Type & { kind: 'vector' },
    args: readonly Expression[],
    given: readonly Typed[],
    at: number,
  ): Typed {
    const [only] = given;
    if (args.length === 1 && only.type.kind === 'vector') {
      if (only.type.size !== type.size) throw new SourceError(at, `${nameOf(type)} of ${nameOf(only.type)}`);
      return this.converted(type, args, at);
    }
    let size = 0;
    const parts = args.map((arg, i) => {
      const { type: from } = given[i];
      if (!isNumeric(from)) throw new SourceError(arg.at, `${nameOf(type)} of ${nameOf(from)}`);
      size += sizeOf(from);
      return this.as(arg, given[i], withScalar(from, type.scalar));
    });
    if (args.length > 1 && size !== type.size)
      throw new SourceError(at, `${nameOf(type)} of ${size} numbers`);
    return this.made(at, type, parts, (...all) => {
      const flat = all.flatMap((one) => partsOf(one));
      return args.length === 1 ? Array.from({ length: type.size }, () => flat[0]) : flat;
    });
  }

  private bitcast(call: Call): Typed {
    const { callee, args, at } = call;
    this.count(call, 1);
    const [name] = callee.template;
    if (!name || callee.template.length > 1) throw new SourceError(at, '"bitcast" without a type');
    const to = this.typeOf(name as TypeName);
    const given = this.concrete(args[0]);
    const { type: from } = given;
    if (!isNumeric(to) || !isNumeric(from) || to.scalar === 'bool' || from.scalar === 'bool')
      throw new SourceError(at, `"bitcast" of ${nameOf(from)} as ${nameOf(to)}`);
    if (sizeOf(to) !== sizeOf(from) || to.kind !== from.kind)
      throw new SourceError(at, `"bitcast" of ${nameOf(from)} as ${nameOf(to)}`);
    return this.made(at, to, [given], (one) => mapped(one, (part) => bitsAs(part, from.scalar, to.scalar)));
  }

  private select(call: Call): Typed {
    const { args, at } = call;
    this.count(call, 3);
    const [no, yes, condition] = args.map((arg) => this.value(arg));
    if (!isNumeric(condition.type) || condition.type.scalar !== 'bool')
      throw new SourceError(at, '"select" of something that is not a condition');
    const common = commonType([no.type, yes.type]);
    if (!common || !isNumeric(common))
      throw new SourceError(at, `operands are ${nameOf(no.type)} and ${nameOf(yes.type)}`);
    if (
      condition.type.kind === 'vector' &&
      !(common.kind === 'vector' && common.size === condition.type.size)
    )
      throw new SourceError(at, `"select" of ${nameOf(common)} by ${nameOf(condition.type)}`);
    const isConstant = [no, yes, condition].every(({ constant }) => constant !== undefined);
    const type = isConstant ? common : concreteType(common);
    const parts = [this.as(args[0], no, type), this.as(args[1], yes, type), condition];
    return this.made(at, type, parts, (a, b, flags) =>
      isList(flags) ? flags.map((flag, i) => partsOf(flag ? b : a)[i]) : flags ? b : a,
    );
  }

  private dot(call: Call): Typed {
    const { args, at } = call;
    this.count(call, 2);
    const given = args.map((arg) => this.value(arg));
    const type = commonType(given.map((one) => one.type));
    if (type?.kind !== 'vector' || type.scalar === 'bool')
      throw new SourceError(at, '"dot" takes two vectors of numbers, of one size');
    const of = type.scalar;
    const parts = args.map((arg, i) => this.as(arg, given[i], type));
    return this.made(at, scalar(of), parts, (a, b) =>
      partsOf(combined(a, b, (x, y) => binaryConstant('*', of, x, y))).reduce((sum, one) =>
        binaryConstant('+', of, sum as ConstantScalar, one as ConstantScalar),
      ),
    );
  }

  private allOrAny(call: Call): Typed {
    const { callee, args, at } = call;
    this.count(call, 1);
    const given = this.value(args[0]);
    if (!isNumeric(given.type) || given.type.scalar !== 'bool')
      throw new SourceError(at, `"${callee.name}" of something that is not a condition`);
    return this.made(at, scalar('bool'), [given], (flags) =>
      callee.name === 'all' ? partsOf(flags).every(Boolean) : partsOf(flags).some(Boolean),
    );
  }

  private halves(call: Call): Typed {
    this.count(call, 1);
    const word = this.valueAs(call.args[0], scalar('u32'));
    return this.made(call.at, vectorOf(2, 'f32'), [word], (bits) =>
      [0n, 16n].map((by) => halfNumber(Number(((bits as bigint) >> by) & 0xffffn))),
    );
  }

  /** What `&` stands before. */
  private addressed({ callee: { name }, args, at }: Call): Typed {
    const [target] = args;
    if (target.kind === 'unary' && target.operator === '&') {
      const found = this.typed(target.operand);
      if (found.memory) return found;
    }
    throw new SourceError(at, `${name} of something that is not a variable in memory`);
  }

  private atomic(call: Call): Typed | undefined {
    const {
      callee: { name },
      args,
      at,
    } = call;
    this.count(call, name === 'atomicLoad' ? 1 : 2);
    const { type } = this.addressed(call);
    if (type.kind !== 'scalar' || !type.isAtomic)
      throw new SourceError(at, `${name} of something that is not a variable in memory of an atomic type`);
    const of = scalar(type.scalar);
    if (args.length > 1) this.valueAs(args[1], of);
    return name === 'atomicStore' ? undefined : { type: of };
  }

  private arrayLength(call: Call): Typed {
    this.count(call, 1);
    const { type } = this.addressed(call);
    if (type.kind !== 'array' || type.length !== undefined)
      throw new SourceError(call.at, 'arrayLength of something that is not an array as long as its buffer');
    return { type: scalar('u32') };
  }

  /** A function of each component. */
  private each(call: Call): Typed {
    const {
      callee: { name },
      args,
      at,
    } = call;
    this.count(call, COUNTS[name] ?? 1);
    const given = args.map((arg) => this.value(arg));
    const kinds = given.map(({ type }) => {
      if (!isNumeric(type) || type.scalar === 'bool')
        throw new SourceError(at, `"${name}" of ${nameOf(type)}`);
      return type;
    });
    const common = commonScalar(kinds.map((kind) => kind.scalar));
    const isShared = (kind: Numeric, i: number) => name === 'mix' && i === 2 && kind.kind === 'scalar';
    if (!common || kinds.some((kind, i) => sizeOf(kind) !== sizeOf(kinds[0]) && !isShared(kind, i)))
      throw new SourceError(at, `operands are ${kinds.map(nameOf).join(' and ')}`);
    const of: Scalar = OF_ANY.test(name)
      ? common
      : OF_BITS.test(name)
        ? common === 'int'
          ? 'i32'
          : common
        : common === 'int'
          ? 'float'
          : common;
    const isFloat = of === 'f32' || of === 'float';
    if (OF_BITS.test(name) ? isFloat : !OF_ANY.test(name) && !isFloat)
      throw new SourceError(at, `a function of ${isFloat ? 'integers' : 'floats'}, given ${of}`);
    if (name === 'sign' && !isFloat)
      throw new SourceError(at, `"sign" of ${of}${of === 'u32' ? '' : ' is not supported'}`);
    const parts = args.map((arg, i) => this.as(arg, given[i], withScalar(kinds[i], of)));
    if (name === 'clamp') this.requireOrder(parts[1], parts[2], at);
    const type = withScalar(kinds[0], of);
    const compute = FUNCTIONS[name];
    return this.made(
      at,
      type,
      parts,
      (...all) => {
        const one = (i: number | undefined) =>
          settled(
            compute(
              all.map((part) => (isList(part) ? part[i ?? 0] : part) as ConstantScalar),
              of,
            ),
            of,
          );
        return type.kind === 'vector' ? Array.from({ length: type.size }, (_, i) => one(i)) : one(undefined);
      },
      INEXACT.has(name),
    );
  }

  private requireOrder(low: Typed, high: Typed, at: number): void {
    if (low.constant === undefined || high.constant === undefined) return;
    const [a, b] = [low.constant, high.constant];
    this.computed(at, () =>
      combined(a, b, (x, y) => {
        if (x > y) throw new NotComputable(`"clamp" between ${String(x)} and ${String(y)}`);
        return x;
      }),
    );
  }
}

/** The type that all of these become by themselves, if there is one. */
function commonType(types: readonly Type[]): Type | undefined {
  const common = types.reduce((a, b) => (convertsTo(a, b) ? b : a));
  return types.every((one) => convertsTo(one, common)) ? common : undefined;
}

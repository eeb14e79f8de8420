/** What the names of a module stand for: types, constants and variables, each checked when it is first used. */
import {
  bytesOf,
  alignOf,
  nameOf,
  scalar,
  structOf,
  vectorOf,
  type Scalar,
  type Type,
} from '../wgsl/types.ts';
import type { ConstantValue } from '../wgsl/constants.ts';
import { SourceError } from '../wgsl/source-error.ts';
import type {
  Attribute,
  Declaration,
  Expression,
  GlobalVariable,
  Module,
  Parameter,
  TypeName,
} from '../wgsl/syntax.ts';

/** What is known of an expression before a kernel runs. */
export interface Typed {
  type: Type;
  /** The value, if it is a constant expression. */
  constant?: ConstantValue;
  /** Whether the constant's last bits are left to the kernel. */
  isInexact?: boolean;
  /** Where it is, if it is a variable or a part of one. */
  memory?: MemoryView;
}

export interface MemoryView {
  space: GlobalVariable['space'] | 'function';
  isWritable: boolean;
  /** Whether it is several components of a vector, which cannot be assigned here. */
  isSwizzle?: boolean;
}

/** A name in a function. */
export interface NamedValue extends Typed {
  what: 'a variable' | 'a "let"' | 'a "const"' | 'a parameter';
}

/** CheckedNames of a block, in front of those outside of it. */
class Block {
  readonly names = new Map<string, NamedValue>();
  constructor(readonly outer: Block | undefined) {}
}

const SUPPORTED_BUILTINS: Readonly<Record<string, Type>> = {
  workgroup_id: vectorOf(3, 'u32'),
  num_workgroups: vectorOf(3, 'u32'),
  local_invocation_id: vectorOf(3, 'u32'),
  global_invocation_id: vectorOf(3, 'u32'),
  local_invocation_index: scalar('u32'),
};

/** Types of WGSL that wgrad does not use. */
const UNSUPPORTED_TYPES = /^(f16|vec[234]h|mat[234]x[234][fh]?|ptr|sampler(_comparison)?|texture_\w+)$/;

/** The most elements of an array that is not in a buffer. */
const MOST_ELEMENTS = 65535;

export abstract class CheckedNames {
  /** The values of constant expressions. The outermost of several have the type that they are used as. */
  readonly constants = new Map<Expression, Typed & { constant: ConstantValue }>();
  private readonly types = new Map<TypeName, Type>();
  private readonly structs = new Map<string, Type>();
  private readonly globals = new Map<string, Typed>();
  /** What is being resolved, each inside the one before. */
  private readonly open: string[] = [];
  private block: Block | undefined;
  /** The variables of the module that are used so far. */
  protected uses = new Set<GlobalVariable>();

  constructor(readonly module: Module) {}

  /** Of an expression; a variable is read. */
  protected abstract value(expression: Expression): Typed;
  /** An expression as a type. */
  protected abstract valueAs(expression: Expression, to: Type): Typed;
  /** What a declaration declares. */
  protected abstract initial(declaration: Declaration): Typed;

  /** Checks what is inside of a block. */
  protected inBlock(make: () => void): void {
    this.block = new Block(this.block);
    make();
    this.block = this.block.outer;
  }

  /** Checks what is outside of all functions. @throws SourceError if it is being checked already */
  protected outside<T>(name: string, at: number, make: () => T): T {
    if (this.open.includes(name)) throw new SourceError(at, `"${name}" is defined by itself`);
    const { block } = this;
    this.block = undefined;
    this.open.push(name);
    const made = make();
    this.open.pop();
    this.block = block;
    return made;
  }

  protected get isOutside(): boolean {
    return this.block === undefined;
  }

  protected declare(name: string, entry: NamedValue, at: number): void {
    if (!this.block || this.block.names.has(name)) throw new SourceError(at, `"${name}" is declared twice`);
    this.block.names.set(name, entry);
  }

  protected local(name: string): NamedValue | undefined {
    for (let block = this.block; block; block = block.outer) {
      const found = block.names.get(name);
      if (found) return found;
    }
    return undefined;
  }

  /** What a name stands for that is no function or type. */
  protected named(name: string, at: number): Typed {
    const local = this.local(name);
    if (local) return local;
    const constant = this.module.constants.get(name);
    const variable = this.module.variables.get(name);
    if (!constant && !variable) {
      const isOther =
        this.module.functions.has(name) || this.module.structs.has(name) || this.module.aliases.has(name);
      throw new SourceError(at, isOther ? `"${name}" is not a value` : `unknown name "${name}"`);
    }
    if (variable && this.isOutside)
      throw new SourceError(at, `"${name}" is a variable, where a constant is expected`);
    if (variable) this.uses.add(variable);
    return this.global(name, at);
  }

  /** What a constant or a variable of the module is. */
  protected global(name: string, at: number): Typed {
    const known = this.globals.get(name);
    if (known) return known;
    const constant = this.module.constants.get(name);
    const variable = this.module.variables.get(name);
    const made = this.outside(name, at, () =>
      constant ? this.initial(constant) : this.variable(variable as GlobalVariable),
    );
    this.globals.set(name, made);
    return made;
  }

  /** A variable of the module. */
  private variable({ name, space, type: typeName, attributes, at, writable }: GlobalVariable): Typed {
    const type = this.typeOf(typeName);
    const isResource = space === 'storage' || space === 'uniform';
    this.only(attributes, isResource ? ['group', 'binding'] : []);
    for (const word of isResource ? ['group', 'binding'] : []) {
      const found = attributes.find((one) => one.name === word);
      if (!found) throw new SourceError(at, `"${name}" needs @group and @binding`);
      if (this.attributeNumber(found) < 0)
        throw new SourceError(found.at, `expected a number in @${word} that is not negative`);
    }
    if (space === 'private')
      throw new SourceError(at, 'variables in the address space "private" are not supported');
    if (space !== 'storage' && isUnsized(type))
      throw new SourceError(typeName.at, `an array in the address space "${space}" needs a length`);
    if (isResource && hasScalar(type, (one) => one === 'bool'))
      throw new SourceError(typeName.at, `a buffer holds no bool, found ${nameOf(type)}`);
    if (hasAtomic(type) && (space === 'uniform' || !writable))
      throw new SourceError(typeName.at, `an atomic must be in memory that can be written`);
    if (space === 'workgroup') this.requireFew(type, typeName.at);
    return { type, memory: { space, isWritable: writable } };
  }

  /** @throws SourceError for an array of more elements than WGSL allows outside of buffers */
  protected requireFew(type: Type, at: number): void {
    if (type.kind === 'struct') for (const member of type.members) this.requireFew(member.type, at);
    if (type.kind !== 'array') return;
    if ((type.length ?? 0) > MOST_ELEMENTS)
      throw new SourceError(
        at,
        `an array outside of a buffer has at most ${MOST_ELEMENTS} elements, found ${nameOf(type)}`,
      );
    this.requireFew(type.element, at);
  }

  /** @throws SourceError for an unknown name, and for what is no type */
  readonly typeOf = (typeName: TypeName): Type => {
    const known = this.types.get(typeName);
    if (known) return known;
    const type = this.newType(typeName);
    this.types.set(typeName, type);
    return type;
  };

  private newType(typeName: TypeName): Type {
    const { name, template, at } = typeName;
    const { aliases, structs, functions, constants, variables } = this.module;
    if (this.local(name) || functions.has(name) || constants.has(name) || variables.has(name))
      throw new SourceError(at, `"${name}" is not a type`);
    const alias = aliases.get(name);
    if (alias) return this.outside(name, at, () => this.typeOf(alias));
    if (structs.has(name)) return this.struct(name, at);
    const takes = /^(vec[234]|atomic)$/.test(name) ? [1] : name === 'array' ? [1, 2] : [0];
    if (UNSUPPORTED_TYPES.test(name)) throw new SourceError(at, `the type "${name}" is not supported`);
    if (template.length === 0 && !takes.includes(0)) throw new SourceError(at, `"${name}" without a type`);
    if (!takes.includes(template.length))
      throw new SourceError(at, `"${name}" takes no ${template.length} types`);
    const short = /^vec([234])([fiu])$/.exec(name);
    if (short) return vectorOf(Number(short[1]), { f: 'f32', i: 'i32', u: 'u32' }[short[2]] as Scalar);
    switch (name) {
      case 'f32':
      case 'i32':
      case 'u32':
      case 'bool':
        return scalar(name);
      case 'array':
        return this.arrayType(typeName);
    }
    if (takes.includes(0)) throw new SourceError(at, `unknown type "${name}"`);
    const of = this.typeOf(template[0] as TypeName);
    if (of.kind === 'scalar' && !of.isAtomic) {
      if (name !== 'atomic') return vectorOf(Number(name[3]), of.scalar);
      if (of.scalar === 'i32' || of.scalar === 'u32') return { ...of, isAtomic: true };
    }
    throw new SourceError(at, `"${name}" of ${nameOf(of)}`);
  }

  private arrayType({ template: [of, count] }: TypeName): Type {
    const element = this.typeOf(of as TypeName);
    if (isUnsized(element)) throw new SourceError(of.at, 'an array whose elements have no size');
    if (count === undefined) return { kind: 'array', element, length: undefined };
    const length = this.wholeNumber(count as Expression);
    if (length < 1) throw new SourceError(count.at, `expected a length above 0, found ${length}`);
    return { kind: 'array', element, length };
  }

  private struct(name: string, at: number): Type {
    const known = this.structs.get(name);
    if (known) return known;
    const declared = this.module.structs.get(name);
    if (!declared) throw new SourceError(at, `unknown type "${name}"`);
    const type = this.outside(name, at, () => {
      const names = new Set<string>();
      const members = declared.members.map((member, i) => {
        if (names.has(member.name)) throw new SourceError(member.at, `"${member.name}" is declared twice`);
        names.add(member.name);
        return this.structMember(member, i === declared.members.length - 1);
      });
      if (members.length === 0) throw new SourceError(declared.at, `the struct "${name}" has no members`);
      return structOf(name, members);
    });
    this.structs.set(name, type);
    return type;
  }

  private structMember({ name, type: typeName, attributes, at }: Parameter, isLast: boolean) {
    const type = this.typeOf(typeName);
    if (isUnsized(type) && (!isLast || type.kind === 'struct'))
      throw new SourceError(at, `"${name}" has no size, so it can only be the last member of one struct`);
    this.only(attributes, ['builtin', 'align', 'size']);
    this.builtinOf(attributes, type);
    const [align, size] = ['align', 'size'].map((word) => {
      const found = attributes.find((one) => one.name === word);
      return found && { value: this.attributeNumber(found), at: found.at };
    });
    if (
      align &&
      (align.value < 1 || !Number.isInteger(Math.log2(align.value)) || align.value % alignOf(type) !== 0)
    )
      throw new SourceError(
        align.at,
        `expected a power of 2 that is a multiple of ${alignOf(type)}, found ${align.value}`,
      );
    if (size && (size.value < bytesOf(type) || isUnsized(type)))
      throw new SourceError(size.at, `expected at least ${bytesOf(type)} bytes, found ${size.value}`);
    return { name, type, align: align?.value, size: size?.value };
  }

  /** The built-in value that an attribute names, if there is one. */
  protected builtinOf(attributes: readonly Attribute[], type: Type): string | undefined {
    const found = attributes.find((one) => one.name === 'builtin');
    if (!found) return undefined;
    const [name] = found.args;
    if (found.args.length !== 1 || name.kind !== 'name')
      throw new SourceError(found.at, 'expected a name in @builtin');
    if (!Object.hasOwn(SUPPORTED_BUILTINS, name.name))
      throw new SourceError(found.at, `the built-in value "${name.name}" is not supported`);
    const expected = SUPPORTED_BUILTINS[name.name];
    if (nameOf(type) !== nameOf(expected))
      throw new SourceError(
        found.at,
        `expected ${nameOf(expected)} for "${name.name}", found ${nameOf(type)}`,
      );
    return name.name;
  }

  /** @throws SourceError for other attributes than these, or one that stands twice */
  protected only(attributes: readonly Attribute[], names: readonly string[]): void {
    attributes.forEach(({ name, at }, i) => {
      if (!names.includes(name)) throw new SourceError(at, `@${name} may not stand here`);
      if (attributes.findIndex((one) => one.name === name) < i)
        throw new SourceError(at, `@${name} stands here twice`);
    });
  }

  /** The number of an attribute, if it is there. */
  readonly attribute = (attributes: readonly Attribute[], name: string): number | undefined => {
    const found = attributes.find((one) => one.name === name);
    return found && this.attributeNumber(found);
  };

  private attributeNumber({ name, args, at }: Attribute): number {
    if (args.length !== 1) throw new SourceError(at, `expected one number in @${name}, found ${args.length}`);
    return this.wholeNumber(args[0]);
  }

  /** The number of a constant expression. */
  protected wholeNumber(expression: Expression): number {
    const { type, constant } = this.value(expression);
    if (typeof constant !== 'bigint')
      throw new SourceError(
        expression.at,
        constant === undefined ? 'expected a constant' : `expected a whole number, found ${nameOf(type)}`,
      );
    if (nameOf(type) === 'int') this.valueAs(expression, scalar('i32'));
    return Number(constant);
  }
}

/** Whether it is an array as long as its buffer, or ends with one. */
export function isUnsized(type: Type): boolean {
  if (type.kind === 'struct') return type.members.some((member) => isUnsized(member.type));
  return type.kind === 'array' && (type.length === undefined || isUnsized(type.element));
}

export function hasAtomic(type: Type): boolean {
  if (type.kind === 'struct') return type.members.some((member) => hasAtomic(member.type));
  if (type.kind === 'array') return hasAtomic(type.element);
  return type.kind === 'scalar' && type.isAtomic === true;
}

function hasScalar(type: Type, test: (of: Scalar) => boolean): boolean {
  if (type.kind === 'struct') return type.members.some((member) => hasScalar(member.type, test));
  return type.kind === 'array' ? hasScalar(type.element, test) : test(type.scalar);
}

/** Whether a value of it can be made, passed and assigned. */
export const isConstructible = (type: Type): boolean => !isUnsized(type) && !hasAtomic(type);

/** The value of a type that has only zeros. */
export function zeroConstant(type: Type): ConstantValue {
  switch (type.kind) {
    case 'scalar':
      return type.scalar === 'bool' ? false : type.scalar === 'f32' || type.scalar === 'float' ? 0 : 0n;
    case 'vector':
      return Array.from({ length: type.size }, () => zeroConstant(scalar(type.scalar)));
    case 'array':
      return Array.from({ length: type.length ?? 0 }, () => zeroConstant(type.element));
    case 'struct':
      return type.members.map((member) => zeroConstant(member.type));
  }
}

/**
 * Lowers a kernel from WGSL's syntax tree to statements of WebAssembly for one invocation. All calls are inlined, so
 * that what a caller knows, its functions know. Vectors of four floats become v128; all else is taken apart into numbers,
 * and arrays of which only known elements are used become variables.
 */
import { SourceError } from '../wgsl/source-error.ts';
import type {
  Attribute,
  Block,
  Declaration,
  Expression,
  FunctionDeclaration,
  Module,
  Parameter,
  Statement as Source,
  TypeName,
} from '../wgsl/syntax.ts';
import {
  ANY,
  constantOf,
  FLAG,
  f32,
  get,
  i32,
  lane,
  load,
  op,
  replaceLane,
  select,
  type Local,
  type Node,
  type Range,
} from '../wasm/nodes.ts';
import type { Label, Statement } from '../wasm/statements.ts';
import {
  countReturns,
  countStatements,
  expressionsOf,
  partsOfExpression,
  rootOf,
  someStatement,
} from '../wgsl/walk.ts';
import { builtin } from './builtins.ts';
import { counterOf, type Counted, type Loop } from './counter.ts';
import { Scope, type Named, type Place } from './scope.ts';
import {
  bytesOf,
  isFloat,
  isQuad,
  leafCount,
  leavesOf,
  nameOf,
  scalar,
  strideOf,
  structOf,
  vectorOf,
  type Scalar,
  type Type,
  type Vector,
} from './types.ts';
import {
  abstract,
  binary,
  coerce,
  commonScalar,
  components,
  concrete,
  convert,
  concreteValue,
  flagValue,
  fromComponents,
  scalarOf,
  splat,
  u32Value,
  Unsupported,
  zero,
  type Value,
} from './values.ts';

/** An array that is indexed by what is not known until the kernel runs has to lie in memory. */
class NeedsMemory extends Error {
  constructor(readonly declaration: Declaration | Parameter) {
    super('an array has to lie in memory');
  }
}

/** What a function's `return` does. */
interface Frame {
  label: Label;
  result: readonly Local[];
  type: Type | undefined;
}

/** A buffer as a kernel finds it. */
export interface BoundBuffer {
  group: number;
  binding: number;
  address: Local;
  bytes: Local;
}

export interface Lowered {
  workgroup: readonly [x: number, y: number, z: number];
  buffers: readonly BoundBuffer[];
  /** Sets variables that depend on no invocation. */
  prologue: Statement[];
  /** What one invocation does. */
  body: Statement[];
  builtins: Builtins;
  /** Bytes of the variables that a workgroup shares. */
  workgroupBytes: number;
  /** Bytes of an invocation's own variables in memory. */
  frameBytes: number;
  /** Whether it has atomic operations, which are not atomic here. */
  isAtomic: boolean;
}

/** Variables that say which invocation it is; `frame` and `shared` are addresses. */
export interface Builtins {
  group: readonly Local[];
  groups: readonly Local[];
  local: readonly Local[];
  index: Local;
  frame: Local;
  shared: Local;
}

/** @throws SourceError for what is wrong or not supported */
export function lower(module: Module): Lowered {
  const inMemory = new Set<Declaration | Parameter>();
  for (;;) {
    try {
      return new Lowering(module, inMemory).kernel();
    } catch (error) {
      if (!(error instanceof NeedsMemory)) throw error;
      inMemory.add(error.declaration);
    }
  }
}

const variable = (type: Local['type'], range: Range = ANY): Local => ({ type, range });

/** A constant's number is used as it is, and so is a variable that is set once. */
const isCheap = (node: Node, mutable: ReadonlySet<Local>): boolean =>
  node.kind === 'const' || node.kind === 'vector' || (node.kind === 'get' && !mutable.has(node.local));

class Lowering {
  private readonly global = new Scope();
  private scope = this.global;
  private output: Statement[] = [];
  private readonly prologue: Statement[] = [];
  private readonly mutable = new Set<Local>();
  private readonly types = new Map<string, Type>();
  private readonly constants = new Map<string, Value>();
  private readonly buffers = new Map<string, BoundBuffer & { last: Node | undefined; type: Type }>();
  private readonly frames: Frame[] = [];
  private readonly loops: { exit: Label; next: Label }[] = [];
  /** What variables are known to hold, where no branch leads around it. */
  private readonly held = new Map<Local, Node>();
  private line = 1;
  private frameBytes = 0;
  private workgroupBytes = 0;
  private isAtomic = false;
  private builtins!: Builtins;

  constructor(
    private readonly module: Module,
    private readonly inMemory: ReadonlySet<Declaration | Parameter>,
  ) {}

  kernel(): Lowered {
    try {
      return this.lowered();
    } catch (error) {
      if (error instanceof Unsupported) throw new SourceError(this.line, error.message);
      throw error;
    }
  }

  private lowered(): Lowered {
    const main = this.module.functions.get('main');
    if (!main) throw new SourceError(1, 'expected a function "main"');
    const size = main.attributes.find(({ name }) => name === 'workgroup_size');
    if (!size) throw new SourceError(main.line, 'expected @workgroup_size');
    const [x, y, z] = [0, 1, 2].map((i) => (size.args[i] ? this.known(size.args[i]) : 1));
    const last = [x, y, z].map((count): Range => ({ min: 0, max: count - 1 }));
    const groups = { min: 1, max: 65535 };
    this.builtins = {
      group: [0, 1, 2].map(() => variable('i32', { min: 0, max: 65534 })),
      groups: [0, 1, 2].map(() => variable('i32', groups)),
      local: last.map((range) => variable('i32', range)),
      index: variable('i32', { min: 0, max: x * y * z - 1 }),
      frame: variable('i32'),
      shared: variable('i32'),
    };
    this.globals();
    const frame: Frame = { label: Symbol(), result: [], type: undefined };
    this.frames.push(frame);
    const body = this.nested(() => {
      this.scope = new Scope(this.global);
      for (const parameter of main.parameters) {
        this.scope.declare(parameter.name, { kind: 'value', value: this.entryValue(parameter, [x, y, z]) });
      }
      this.statements(main.body);
    });
    return {
      workgroup: [x, y, z],
      buffers: [...this.buffers.values()],
      prologue: this.prologue,
      body: [{ kind: 'block', label: frame.label, body }],
      builtins: this.builtins,
      workgroupBytes: this.workgroupBytes,
      frameBytes: this.frameBytes,
      isAtomic: this.isAtomic,
    };
  }

  /** A parameter of the entry point: a built-in value, or a struct of them. */
  private entryValue(parameter: Parameter, size: readonly number[]): Value {
    const name = parameter.attributes.find((attribute) => attribute.name === 'builtin')?.args[0];
    if (name?.kind === 'name') return this.builtinValue(name.name, size);
    const struct = this.module.structs.get(parameter.type.name);
    if (!struct) throw new SourceError(parameter.line, `expected @builtin at "${parameter.name}"`);
    const leaves = struct.members.flatMap((member) => this.entryValue(member, size).leaves);
    return { type: this.typeOf(parameter.type), leaves };
  }

  private builtinValue(name: string, size: readonly number[]): Value {
    const { group, groups, local, index } = this.builtins;
    const of = (locals: readonly Local[]): Value => ({ type: vectorOf(3, 'u32'), leaves: locals.map(get) });
    switch (name) {
      case 'workgroup_id':
        return of(group);
      case 'num_workgroups':
        return of(groups);
      case 'local_invocation_id':
        return of(local);
      case 'local_invocation_index':
        return u32Value(get(index));
      case 'global_invocation_id':
        return {
          type: vectorOf(3, 'u32'),
          leaves: group.map((one, i) =>
            this.once(op('i32.add', op('i32.mul', get(one), i32(size[i])), get(local[i]))),
          ),
        };
      default:
        throw new Unsupported(`the built-in value "${name}"`);
    }
  }

  /** Declares the buffers. */
  private globals(): void {
    for (const {
      name,
      space,
      type: typeName,
      attributes,
      writable,
      line,
    } of this.module.variables.values()) {
      this.line = line;
      const type = this.typeOf(typeName);
      if (space === 'private') throw new Unsupported('variables in the address space "private"');
      if (space === 'workgroup') continue;
      const address = variable('i32');
      const bytes = variable('i32');
      const last = this.lastIndex(type, bytes);
      this.buffers.set(name, {
        group: this.attribute(attributes, 'group') ?? 0,
        binding: this.attribute(attributes, 'binding') ?? 0,
        address,
        bytes,
        last,
        type,
      });
      const place: Place = {
        kind: 'memory',
        type,
        address: get(address),
        offset: 0,
        writable,
        ...(last ? { last } : {}),
      };
      this.global.declare(name, { kind: 'place', place });
    }
  }

  /** What a name stands for. A variable of the workgroup gets its place when it is first used. */
  private find(name: string): Named | undefined {
    const known = this.scope.find(name);
    const declared = known ? undefined : this.module.variables.get(name);
    if (declared?.space !== 'workgroup') return known;
    const type = this.typeOf(declared.type);
    const offset = Math.ceil(this.workgroupBytes / 16) * 16;
    this.workgroupBytes = offset + bytesOf(type);
    const address = get(this.builtins.shared);
    const place: Place = { kind: 'memory', type, address, offset, writable: true };
    this.global.declare(name, { kind: 'place', place });
    return { kind: 'place', place };
  }

  /** The last index of the array that is as long as its buffer, if there is one in it. */
  private lastIndex(type: Type, bytes: Local): Node | undefined {
    const member = type.kind === 'struct' ? type.members.at(-1) : { type, offset: 0 };
    if (member?.type.kind !== 'array' || member.type.length !== undefined) return undefined;
    const last = variable('i32', { min: 0, max: 2 ** 30 - 1 });
    const room = op('i32.sub', get(bytes), i32(member.offset));
    const value = op('i32.sub', op('i32.div_u', room, i32(strideOf(member.type))), i32(1));
    this.prologue.push({ kind: 'set', local: last, value });
    return get(last);
  }

  // Types and constants

  private typeOf(name: TypeName): Type {
    const plain = name.template.length === 0;
    if (plain) {
      const known = this.types.get(name.name);
      if (known) return known;
    }
    const type = this.naming(name.name, () => this.newType(name));
    if (plain) this.types.set(name.name, type);
    return type;
  }

  private newType(typeName: TypeName): Type {
    const { name, template, line } = typeName;
    const short = /^vec([234])([fiu])$/.exec(name);
    if (short) return vectorOf(Number(short[1]), { f: 'f32', i: 'i32', u: 'u32' }[short[2]] as Scalar);
    switch (name) {
      case 'f32':
      case 'i32':
      case 'u32':
      case 'bool':
        return scalar(name);
      case 'vec2':
      case 'vec3':
      case 'vec4': {
        const of = this.typeOf(templateType(typeName));
        return vectorOf(Number(name[3]), scalarOf(of));
      }
      case 'atomic':
        return this.typeOf(templateType(typeName));
      case 'array': {
        const element = this.typeOf(templateType(typeName));
        const length = template[1] === undefined ? undefined : this.known(template[1] as Expression);
        return { kind: 'array', element, length };
      }
    }
    const alias = this.module.aliases.get(name);
    if (alias) return this.typeOf(alias);
    const struct = this.module.structs.get(name);
    if (!struct) throw new SourceError(line, `unknown type "${name}"`);
    return structOf(
      name,
      struct.members.map((member) => {
        const [align, size] = ['align', 'size'].map((word) => this.attribute(member.attributes, word));
        return { name: member.name, type: this.typeOf(member.type), align, size };
      }),
    );
  }

  private isType({ name }: TypeName): boolean {
    return (
      /^(vec[234][fiu]?|[fiu]32|bool|array)$/.test(name) ||
      this.module.aliases.has(name) ||
      this.module.structs.has(name)
    );
  }

  /** Names that are being worked out, of types, constants and functions. */
  private readonly open: string[] = [];

  private naming<T>(name: string, make: () => T): T {
    const isTemplate = TEMPLATES.test(name);
    if (!isTemplate && this.open.includes(name)) throw new Unsupported(`"${name}" is defined by itself`);
    this.open.push(name);
    const made = make();
    this.open.pop();
    return made;
  }

  /** A constant of the module. */
  private constant(name: string): Value | undefined {
    const known = this.constants.get(name);
    if (known) return known;
    const declaration = this.module.constants.get(name);
    if (!declaration?.value) return undefined;
    const { scope, output, line } = this;
    this.scope = this.global;
    // What it is computed by is there for all that use it.
    this.output = this.prologue;
    const source = declaration.value;
    const value = this.naming(name, () => this.fixed(this.typed(this.value(source), declaration.type)));
    this.scope = scope;
    this.output = output;
    this.line = line;
    this.constants.set(name, value);
    return value;
  }

  /** A number that is known now. */
  private known(expression: Expression): number {
    const { leaves } = this.value(expression);
    const value = leaves.length === 1 ? constantOf(leaves[0]) : undefined;
    if (value === undefined) throw new SourceError(expression.line, 'expected a constant');
    return value;
  }

  /** The number of an attribute, if it is there. */
  private attribute(attributes: readonly Attribute[], name: string): number | undefined {
    const found = attributes.find((one) => one.name === name);
    if (!found) return undefined;
    if (found.args.length !== 1) throw new SourceError(found.line, `expected a number in @${name}`);
    return this.known(found.args[0]);
  }

  private typed(value: Value, type: TypeName | undefined): Value {
    return type ? coerce(value, this.typeOf(type)) : value;
  }

  // Variables

  private readonly once = (node: Node): Node => {
    if (isCheap(node, this.mutable)) return node;
    const local = variable(node.type, node.range);
    this.output.push({ kind: 'set', local, value: node });
    return get(local);
  };

  private fixed(value: Value): Value {
    return { type: value.type, leaves: value.leaves.map(this.once) };
  }

  /** Statements that may be left out, or done several times: what variables hold is not known inside or behind them. */
  private nested(make: () => void): Statement[] {
    const outer = this.output;
    const body: Statement[] = [];
    this.output = body;
    this.held.clear();
    make();
    this.held.clear();
    this.output = outer;
    return body;
  }

  /** Memory of an invocation's own. */
  private ownMemory(type: Type): Place {
    const offset = this.frameBytes;
    this.frameBytes = Math.ceil((offset + bytesOf(type)) / 16) * 16;
    return { kind: 'memory', type, address: get(this.builtins.frame), offset, writable: true };
  }

  private newVariable(type: Type, range?: Range): Place {
    const locals = leavesOf(type).map((leaf) => variable(leaf.type));
    for (const local of locals) this.mutable.add(local);
    return { kind: 'locals', type, locals, ...(range ? { range } : {}) };
  }

  private read(place: Place): Value {
    switch (place.kind) {
      case 'locals': {
        const { range } = place;
        const leaves = place.locals.map((local) => (range ? { ...get(local), range } : this.valueOf(local)));
        return { type: place.type, leaves };
      }
      case 'lane': {
        const four = this.valueOf(place.of);
        const known = constantOf(place.index);
        const leaf =
          known === undefined
            ? this.picked(
                [0, 1, 2, 3].map((i) => lane(four, i)),
                place.index,
              )
            : lane(four, known);
        return { type: scalar('f32'), leaves: [leaf] };
      }
      case 'choice':
        return { type: place.type, leaves: [this.picked(place.locals.map(this.valueOf), place.index)] };
      case 'memory': {
        const { type, offset, writable } = place;
        const leaves = leavesOf(type);
        const address = leaves.length > 1 ? this.once(place.address) : place.address;
        return {
          type,
          leaves: leaves.map((leaf) => {
            const word = load(leaf.type, address, offset + leaf.offset, writable);
            return type.kind === 'scalar' && type.scalar === 'bool'
              ? { ...word, range: { min: 0, max: 1 } }
              : word;
          }),
        };
      }
    }
  }

  private readonly valueOf = (local: Local): Node => this.held.get(local) ?? get(local);

  private set(local: Local, value: Node): void {
    this.output.push({ kind: 'set', local, value });
    const source = value.kind === 'lane' && value.args.length === 1 ? value.args[0] : value;
    if (isCheap(source, this.mutable)) this.held.set(local, value);
    else this.held.delete(local);
  }

  /** The one with the index, which may be any number. */
  private picked(options: readonly Node[], index: Node): Node {
    const at = this.once(index);
    return options
      .slice(0, -1)
      .reduceRight(
        (rest, option, i) => select(option, rest, op('i32.eq', at, i32(i))),
        options[options.length - 1],
      );
  }

  private write(place: Place, given: Value): void {
    const type = place.kind === 'lane' ? scalar('f32') : place.type;
    let value = coerce(given, type);
    switch (place.kind) {
      case 'locals':
        // All parts are computed before the first is changed.
        if (place.locals.length > 1) value = this.fixed(value);
        place.locals.forEach((local, i) => this.set(local, value.leaves[i]));
        break;
      case 'lane': {
        const [part] = value.leaves.map(this.once);
        const index = constantOf(place.index);
        if (index !== undefined) {
          this.set(place.of, replaceLane(this.valueOf(place.of), index, part));
          break;
        }
        const at = this.once(place.index);
        this.held.delete(place.of);
        for (let i = 0; i < 4; i++) {
          this.onlyIf(op('i32.eq', at, i32(i)), {
            kind: 'set',
            local: place.of,
            value: replaceLane(get(place.of), i, part),
          });
        }
        break;
      }
      case 'choice': {
        const [part] = value.leaves.map(this.once);
        const at = this.once(place.index);
        place.locals.forEach((local, i) => {
          this.held.delete(local);
          this.onlyIf(op('i32.eq', at, i32(i)), { kind: 'set', local, value: part });
        });
        break;
      }
      case 'memory': {
        if (!place.writable) throw new Unsupported('a write to what is read-only');
        const leaves = leavesOf(type);
        if (leaves.length > 1) value = this.fixed(value);
        const address = leaves.length > 1 ? this.once(place.address) : place.address;
        leaves.forEach((leaf, i) => {
          this.output.push({
            kind: 'store',
            address,
            offset: place.offset + leaf.offset,
            value: value.leaves[i],
          });
        });
      }
    }
  }

  private onlyIf(condition: Node, statement: Statement): void {
    this.output.push({ kind: 'if', condition, yes: [statement], no: [] });
  }

  // Places

  /** Where what an expression names is; undefined if it names no variable. */
  private place(expression: Expression): Place | undefined {
    const found = this.located(expression);
    return 'leaves' in found ? undefined : found;
  }

  /** Where an expression's value is, if it names a variable or a part of one; otherwise the value. */
  private located(expression: Expression): Place | Value {
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
        return this.memberOf(of, expression.member) ?? this.member(this.read(of), expression.member);
      }
      case 'index': {
        let of = this.located(expression.of);
        if (this.mayWrite(expression.index)) of = 'leaves' in of ? this.fixed(of) : this.fixedPlace(of);
        const index = this.indexValue(expression.index);
        if ('leaves' in of) return this.element(expression.of, of, index);
        const place = this.elementOf(of, index);
        if (place) return place;
        throw this.needsMemory(expression.of);
      }
      default:
        return this.value(expression);
    }
  }

  /** A place that stays where it is, whatever is written to memory. */
  private fixedPlace(place: Place): Place {
    if (place.kind === 'memory') return { ...place, address: this.once(place.address) };
    return 'index' in place ? { ...place, index: this.once(place.index) } : place;
  }

  private needsMemory(expression: Expression): Error {
    let root = expression;
    while (root.kind === 'index' || root.kind === 'member') root = root.of;
    const symbol = root.kind === 'name' ? this.find(root.name) : undefined;
    return symbol?.declaration
      ? new NeedsMemory(symbol.declaration)
      : new SourceError(expression.line, 'an index that is not known, into what is no variable');
  }

  private indexValue(expression: Expression): Node {
    const value = this.value(expression);
    const { type, leaves } = concreteValue(value);
    if (type.kind !== 'scalar' || (type.scalar !== 'i32' && type.scalar !== 'u32'))
      throw new SourceError(expression.line, `expected an index, found ${nameOf(value.type)}`);
    return leaves[0];
  }

  /** A component or a struct's member; undefined for several components. */
  private memberOf(place: Place, name: string): Place | undefined {
    if (place.kind === 'lane' || place.kind === 'choice') return undefined;
    const { type } = place;
    if (type.kind === 'struct') {
      const i = type.members.findIndex((member) => member.name === name);
      if (i < 0) throw new Unsupported(`${type.name} has no member "${name}"`);
      const member = type.members[i];
      if (place.kind === 'memory')
        return { ...place, type: member.type, offset: place.offset + member.offset };
      const before = type.members.slice(0, i).reduce((sum, one) => sum + leafCount(one.type), 0);
      return {
        kind: 'locals',
        type: member.type,
        locals: place.locals.slice(before, before + leafCount(member.type)),
      };
    }
    const at = componentsNamed(name, type);
    return at.length === 1 ? this.elementOf(place, i32(at[0])) : undefined;
  }

  /** An element of an array or a vector; undefined where only memory could hold it. */
  private elementOf(place: Place, index: Node): Place | undefined {
    if (place.kind === 'lane' || place.kind === 'choice') throw new Unsupported('an index into a number');
    const { type } = place;
    if (type.kind !== 'array' && type.kind !== 'vector')
      throw new Unsupported(`an index into ${nameOf(type)}`);
    const element = type.kind === 'array' ? type.element : scalar(type.scalar);
    const count = type.kind === 'array' ? type.length : type.size;
    const known = constantOf(index);
    if (place.kind === 'memory') {
      const stride = type.kind === 'array' ? strideOf(type) : 4;
      const last = count === undefined ? place.last : i32(count - 1);
      if (!last) throw new Unsupported('an array without a length');
      return { ...this.addressOf(place, this.within(index, last), stride), type: element };
    }
    if (known !== undefined) {
      if (known >= (count ?? 0)) throw new Unsupported(`index ${known} into ${nameOf(type)}`);
      if (isQuad(type)) return { kind: 'lane', of: place.locals[0], index };
      const each = leafCount(element);
      return { kind: 'locals', type: element, locals: place.locals.slice(known * each, (known + 1) * each) };
    }
    if (isQuad(type)) return { kind: 'lane', of: place.locals[0], index };
    return type.kind === 'vector'
      ? { kind: 'choice', type: element, locals: place.locals, index }
      : undefined;
  }

  /** WGSL allows any element in place of one that there is not. */
  private within(index: Node, last: Node): Node {
    if (index.range.max <= last.range.min) return index;
    const [at, end] = [this.once(index), this.once(last)];
    return select(at, end, op('i32.le_u', at, end));
  }

  private addressOf(
    place: Place & { kind: 'memory' },
    index: Node,
    stride: number,
  ): Place & { kind: 'memory' } {
    let [at, further] = [index, 0];
    // What is added to an index is added to the offset instead, which costs nothing.
    if (at.kind === 'op' && at.op === 'i32.add' && at.range !== ANY) {
      const constant = constantOf(at.args[1]);
      if (constant !== undefined && constant * stride < 2 ** 28) [at, further] = [at.args[0], constant];
    }
    const known = constantOf(at);
    const offset = place.offset + further * stride;
    const { type, writable } = place;
    if (known !== undefined)
      return { kind: 'memory', type, writable, address: place.address, offset: offset + known * stride };
    const isPower = Number.isInteger(Math.log2(stride));
    const bytes = isPower ? op('i32.shl', at, i32(Math.log2(stride))) : op('i32.mul', at, i32(stride));
    return { kind: 'memory', type, writable, address: op('i32.add', place.address, bytes), offset };
  }

  // Expressions

  private value(expression: Expression): Value {
    this.line = expression.line;
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
        return 'leaves' in found ? found : this.read(found);
      }
      case 'unary':
        return this.unary(expression.operator, this.value(expression.operand));
      case 'binary': {
        const { operator } = expression;
        if ((operator === '&&' || operator === '||') && this.mayWrite(expression.right))
          return this.shortCircuit(operator, expression.left, expression.right);
        const [left, right] = this.operands([expression.left, expression.right]);
        this.line = expression.line;
        return binary(operator, left, right, this.once);
      }
      case 'call':
        return this.call(expression);
    }
  }

  /**
   * Values in order. What was read from memory before a function that writes to it keeps what it was.
   */
  private operands(expressions: readonly Expression[]): Value[] {
    const values: Value[] = [];
    for (const expression of expressions) {
      if (this.mayWrite(expression)) values.forEach((value, i) => (values[i] = this.fixed(value)));
      values.push(this.value(expression));
    }
    return values;
  }

  /** `&&` and `||` of which the right side has effects, so that it runs only where it decides. */
  private shortCircuit(operator: '&&' | '||', left: Expression, right: Expression): Value {
    const [first] = this.fixed(this.condition(left)).leaves;
    const place = this.newVariable(scalar('bool'), FLAG);
    this.write(place, flagValue(first));
    const second = this.nested(() => this.write(place, this.condition(right)));
    const condition = operator === '&&' ? first : op('i32.eqz', first);
    this.output.push({ kind: 'if', condition, yes: second, no: [] });
    return this.fixed(this.read(place));
  }

  private condition(expression: Expression): Value {
    const value = this.value(expression);
    if (nameOf(value.type) === 'bool') return value;
    throw new SourceError(expression.line, `expected a condition, found ${nameOf(value.type)}`);
  }

  private readonly writing = new Map<FunctionDeclaration, boolean>();

  /** Whether a call in it may write to memory, or waits for other invocations. */
  private mayWrite(expression: Expression): boolean {
    if (expression.kind === 'call') {
      const { name } = expression.callee;
      if (/Barrier$|^atomic/.test(name)) return true;
      const called = this.module.functions.get(name);
      if (called && this.writes(called)) return true;
    }
    return partsOfExpression(expression).some((part) => this.mayWrite(part));
  }

  private writes(called: FunctionDeclaration): boolean {
    const known = this.writing.get(called);
    if (known !== undefined) return known;
    this.writing.set(called, false);
    const found = someStatement(called.body, (statement) => {
      if (statement.kind === 'assign' && this.module.variables.has(rootOf(statement.target) ?? ''))
        return true;
      return expressionsOf(statement).some((expression) => this.mayWrite(expression));
    });
    this.writing.set(called, found);
    return found;
  }

  private unary(operator: string, value: Value): Value {
    const { type } = value;
    if (operator === '!' && scalarOf(type) === 'bool')
      return { type, leaves: value.leaves.map((leaf) => op('i32.eqz', leaf)) };
    const kind = scalarOf(type);
    if (operator === '-' && kind !== 'bool') {
      if (kind === 'int' || kind === 'float') {
        if (type.kind === 'vector') return this.unary(operator, concreteValue(value));
        return abstract(kind, -(constantOf(value.leaves[0]) ?? 0));
      }
      const negate = (leaf: Node) =>
        kind !== 'f32' ? op('i32.sub', i32(0), leaf) : op(isQuad(type) ? 'f32x4.neg' : 'f32.neg', leaf);
      return { type, leaves: value.leaves.map(negate) };
    }
    if (operator === '~' && kind === 'int' && type.kind === 'scalar')
      return abstract(kind, -1 - (constantOf(value.leaves[0]) ?? 0));
    if (operator === '~' && !isFloat(kind) && kind !== 'bool') {
      const whole = concreteValue(value);
      return { type: whole.type, leaves: whole.leaves.map((leaf) => op('i32.xor', leaf, i32(-1))) };
    }
    throw new Unsupported(`"${operator}" of ${nameOf(type)}`);
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
    const parts = components(at.length > 1 ? this.fixed(value) : value);
    if (at.length === 1) return { type: scalar(type.scalar), leaves: [parts[at[0]]] };
    return fromComponents(
      vectorOf(at.length, type.scalar),
      at.map((i) => parts[i]),
    );
  }

  private element(source: Expression, value: Value, index: Node): Value {
    const { type } = value;
    const known = constantOf(index);
    if (type.kind !== 'vector' && type.kind !== 'array')
      throw new Unsupported(`an index into ${nameOf(type)}`);
    if (known !== undefined && known >= ((type.kind === 'vector' ? type.size : type.length) ?? 0))
      throw new Unsupported(`index ${known} into ${nameOf(type)}`);
    if (type.kind === 'vector') {
      if (known !== undefined) return { type: scalar(type.scalar), leaves: [components(value)[known]] };
      const given = this.fixed(concreteValue(value));
      return { type: scalar(scalarOf(given.type)), leaves: [this.picked(components(given), index)] };
    }
    if (known === undefined) throw this.needsMemory(source);
    const each = leafCount(type.element);
    return { type: type.element, leaves: value.leaves.slice(known * each, (known + 1) * each) };
  }

  // Calls

  private call({ callee, args, line }: Expression & { kind: 'call' }): Value {
    const { name } = callee;
    if (name === 'bitcast') {
      const to = scalarOf(this.typeOf(templateType(callee)));
      if (args.length !== 1) throw new Unsupported(`"bitcast" takes one value, found ${args.length}`);
      return this.bitcast(this.value(args[0]), to);
    }
    if (name.startsWith('atomic')) return this.atomic(name, args);
    if (name === 'arrayLength') return this.arrayLength(args[0]);
    const called = this.module.functions.get(name);
    if (!called && this.isType(callee)) return this.construct(callee, this.operands(args));
    const values = this.operands(args);
    this.line = line;
    if (called) {
      const result = this.inline(called, values);
      if (!result) throw new Unsupported(`"${name}" returns nothing`);
      return result;
    }
    const result = builtin(name, values, this.once);
    if (!result) throw new Unsupported(`unknown function "${name}"`);
    return result;
  }

  private bitcast(value: Value, to: Scalar): Value {
    const from = scalarOf(value.type);
    if (from === 'bool' || to === 'bool') throw new Unsupported('"bitcast" of bool');
    if (from === 'int' || from === 'float') return this.bitcast(convert(value, concrete(from)), to);
    const between = (part: Node) => {
      if (isFloat(from) === isFloat(to)) return part;
      return op(to === 'f32' ? 'f32.reinterpret_i32' : 'i32.reinterpret_f32', part);
    };
    const type = value.type.kind === 'vector' ? vectorOf(value.type.size, to) : scalar(to);
    return fromComponents(type, components(value).map(between));
  }

  /** A workgroup runs on one thread, and a kernel that has atomic operations does as a whole. */
  private atomic(name: string, args: readonly Expression[]): Value {
    this.isAtomic = true;
    const [target, ...rest] = args;
    const place = target.kind === 'unary' && target.operator === '&' ? this.place(target.operand) : undefined;
    if (place?.kind !== 'memory') throw new Unsupported(`${name} of what is no variable in memory`);
    const fixed = this.fixedPlace(place);
    const [value] = this.operands(rest).map((arg) => this.fixed(coerce(arg, place.type)));
    const before = this.fixed(this.read(fixed));
    if (name === 'atomicLoad') return before;
    const after = ((): Value | undefined => {
      switch (name) {
        case 'atomicStore':
        case 'atomicExchange':
          return value;
        case 'atomicMin':
        case 'atomicMax':
          return builtin(name === 'atomicMin' ? 'min' : 'max', [before, value], this.once);
        case 'atomicAdd':
          return binary('+', before, value, this.once);
        case 'atomicSub':
          return binary('-', before, value, this.once);
        case 'atomicAnd':
          return binary('&', before, value, this.once);
        case 'atomicOr':
          return binary('|', before, value, this.once);
        case 'atomicXor':
          return binary('^', before, value, this.once);
        default:
          return undefined;
      }
    })();
    if (!after) throw new Unsupported(`"${name}"`);
    this.write(fixed, after);
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
      return this.vectorFrom(vectorOf(Number(callee.name[3]), kind), args);
    }
    const type = this.typeOf(callee);
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
        return this.vectorFrom(type, args);
      case 'array':
        return { type, leaves: args.flatMap((arg) => coerce(arg, type.element).leaves) };
      case 'struct':
        return { type, leaves: type.members.flatMap((member, i) => coerce(args[i], member.type).leaves) };
    }
  }

  private vectorFrom(type: Vector, args: readonly Value[]): Value {
    if (args.length === 1) {
      const [only] = args;
      if (only.type.kind !== 'scalar') {
        if (only.type.kind === 'vector' && only.type.size === type.size) return convert(only, type.scalar);
        throw new Unsupported(`${nameOf(type)} of ${nameOf(only.type)}`);
      }
      return splat(coerce(only, scalar(type.scalar)).leaves[0], type, this.once);
    }
    const parts = args.flatMap((arg) => {
      const own = arg.type.kind === 'vector' ? this.fixed(arg) : arg;
      const size = own.type.kind === 'vector' ? own.type.size : 0;
      return components(coerce(own, size > 0 ? vectorOf(size, type.scalar) : scalar(type.scalar)));
    });
    if (parts.length !== type.size) throw new Unsupported(`${nameOf(type)} of ${parts.length} numbers`);
    return fromComponents(type, parts);
  }

  /** The result; undefined where there is none. */
  private inline(called: FunctionDeclaration, args: readonly Value[]): Value | undefined {
    if (args.length !== called.parameters.length)
      throw new Unsupported(
        `"${called.name}" takes ${called.parameters.length} values, found ${args.length}`,
      );
    const { scope, line } = this;
    const inner = new Scope(this.global);
    called.parameters.forEach((parameter, i) => {
      this.bind(inner, parameter, coerce(args[i], this.typeOf(parameter.type)));
    });
    this.scope = inner;
    const type = called.result && this.typeOf(called.result);
    const result = this.naming(called.name, () => this.body(called, type));
    this.scope = scope;
    this.line = line;
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
    const place = type && this.newVariable(type);
    const frame: Frame = { label: Symbol(), result: place?.kind === 'locals' ? place.locals : [], type };
    this.frames.push(frame);
    const body = this.nested(() => this.statements(called.body));
    this.frames.pop();
    this.output.push({ kind: 'block', label: frame.label, body });
    return place && this.fixed(this.read(place));
  }

  /** Gives a value a name that does not change. */
  private bind(scope: Scope, declaration: Declaration | Parameter, value: Value): void {
    if (this.inMemory.has(declaration)) {
      const place = this.ownMemory(value.type);
      this.write(place, value);
      scope.declare(declaration.name, { kind: 'place', place });
    } else {
      scope.declare(declaration.name, { kind: 'value', value: this.fixed(value), declaration });
    }
  }

  // Statements

  private statements(block: Block): void {
    const outer = this.scope;
    this.scope = new Scope(outer);
    this.inScope(block);
    this.scope = outer;
  }

  /** Statements whose names stay known. */
  private inScope(block: Block): void {
    for (const statement of block) {
      this.statement(statement);
      // What follows is never reached.
      if (/^(return|break|continue)$/.test(statement.kind)) break;
    }
  }

  private statement(statement: Source): void {
    this.line = statement.line;
    switch (statement.kind) {
      case 'let':
      case 'const': {
        if (!statement.value) throw new Unsupported(`"${statement.name}" without a value`);
        const value = this.typed(this.value(statement.value), statement.type);
        this.bind(this.scope, statement, statement.kind === 'let' ? concreteValue(value) : value);
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
        const [condition] = this.condition(statement.condition).leaves;
        const known = constantOf(condition);
        if (known !== undefined) this.statements(known !== 0 ? statement.yes : statement.no);
        else {
          const yes = this.nested(() => this.statements(statement.yes));
          const no = this.nested(() => this.statements(statement.no));
          this.output.push({ kind: 'if', condition, yes, no });
        }
        break;
      }
      case 'loop':
        this.loop(statement);
        break;
      case 'return': {
        const frame = this.frames[this.frames.length - 1];
        if (statement.value && frame.type) {
          const { leaves } = this.fixed(coerce(this.value(statement.value), frame.type));
          frame.result.forEach((local, i) => this.output.push({ kind: 'set', local, value: leaves[i] }));
        }
        this.output.push({ kind: 'branch', label: frame.label });
        break;
      }
      case 'break':
      case 'continue': {
        const loop = this.loops.at(-1);
        if (!loop) throw new Unsupported(`"${statement.kind}" outside of a loop`);
        this.output.push({ kind: 'branch', label: statement.kind === 'break' ? loop.exit : loop.next });
        break;
      }
      case 'block':
        this.statements(statement.body);
    }
  }

  private declare(declaration: Declaration, range?: Range): void {
    const { name, type: typeName, value: source } = declaration;
    const given = source && concreteValue(this.typed(this.value(source), typeName));
    const type = typeName ? this.typeOf(typeName) : given?.type;
    if (!type) throw new Unsupported(`"${name}" without a type`);
    const place = this.inMemory.has(declaration) ? this.ownMemory(type) : this.newVariable(type, range);
    this.write(place, given ?? zero(type));
    this.scope.declare(name, { kind: 'place', place, declaration });
  }

  private assign(target: Expression, operator: string, source: Expression): void {
    if (target.kind === 'name' && target.name === '_') {
      this.value(source);
      return;
    }
    const found = this.place(target);
    if (!found) throw new Unsupported('an assignment to what is no variable');
    const place = this.fixedPlace(found);
    if (operator === '') this.write(place, this.value(source));
    else {
      const now = this.read(place);
      const before = this.mayWrite(source) ? this.fixed(now) : now;
      this.write(place, binary(operator, before, this.value(source), this.once));
    }
  }

  private callStatement(call: Expression): void {
    if (call.kind !== 'call') throw new Unsupported('a statement that does nothing');
    const { name } = call.callee;
    if (name === 'workgroupBarrier' || name === 'storageBarrier') {
      this.output.push({ kind: 'barrier', line: this.line });
      return;
    }
    const called = this.module.functions.get(name);
    if (called) this.inline(called, this.operands(call.args));
    else this.value(call);
  }

  private loop(loop: Loop): void {
    const { start, condition, step, body } = loop;
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
    const inside = this.nested(() => {
      if (condition) {
        const [holds] = this.condition(condition).leaves;
        this.onlyIf(op('i32.eqz', holds), { kind: 'branch', label: exit });
      }
      this.loops.push({ exit, next });
      const scope = this.scope;
      const symbol = start?.kind === 'var' ? scope.find(start.name) : undefined;
      if (range && start?.kind === 'var' && symbol?.kind === 'place' && symbol.place.kind === 'locals') {
        this.scope = new Scope(scope);
        this.scope.declare(start.name, { kind: 'place', place: { ...symbol.place, range } });
      }
      const inner = this.nested(() => this.statements(body));
      this.scope = scope;
      this.loops.pop();
      this.output.push({ kind: 'block', label: next, body: inner });
      this.statements(step);
      this.output.push({ kind: 'branch', label: again });
    });
    this.scope = outer;
    this.output.push({ kind: 'block', label: exit, body: [{ kind: 'loop', label: again, body: inside }] });
  }

  /** The numbers that the counter of a short loop takes, if they are known now. */
  private roundsOf(counter: Counted, body: Block): { name: string; values: Value[] } | undefined {
    if (countStatements(body) > UNROLLED_STATEMENTS) return undefined;
    const parts = [counter.values.first, counter.values.end, counter.values.by];
    const [first, end, by] = parts.map(({ leaves: [leaf] }) => constantOf(leaf));
    if (first === undefined || end === undefined || !by || end - first > UNROLLED_TIMES * by)
      return undefined;
    if (end + by > ANY.max) return undefined;
    const values: Value[] = [];
    for (let i = first; i < end; i += by) values.push(u32Value(i32(i)));
    return { name: counter.name, values };
  }

  /** The body, once for each number. */
  private unroll(name: string, values: readonly Value[], body: Block): void {
    const outer = this.scope;
    const exit = Symbol('exit');
    const round = (value: Value) => {
      this.scope = new Scope(outer);
      this.scope.declare(name, { kind: 'value', value });
      this.statements(body);
    };
    if (!someStatement(body, ({ kind }) => kind === 'break' || kind === 'continue')) values.forEach(round);
    else {
      const rounds = this.nested(() => {
        for (const value of values) {
          const next = Symbol('next');
          this.loops.push({ exit, next });
          const inside = this.nested(() => round(value));
          this.loops.pop();
          this.output.push({ kind: 'block', label: next, body: inside });
        }
      });
      this.output.push({ kind: 'block', label: exit, body: rounds });
    }
    this.scope = outer;
  }

  /** The numbers that the counter has in the loop's body. */
  private rangeOf({ values: { first, end, by } }: Counted): Range | undefined {
    const [low, high, step] = [first, end, by].map((value) => convert(value, 'u32').leaves[0].range);
    // A counter that wraps starts again at 0.
    const min = high.max - 1 + step.max > ANY.max ? 0 : low.min;
    return high.max > 0 ? { min, max: high.max - 1 } : undefined;
  }

  /** An expression's value, to see what is known of it: the statements that it takes are thrown away. */
  private aside(expression: Expression): Value {
    const { output } = this;
    this.output = [];
    const value = this.value(expression);
    this.output = output;
    return value;
  }

  /** A loop's counter as its body finds it. What variables hold before the loop, its body may change. */
  private counter(loop: Loop): Counted | undefined {
    const counter = counterOf(loop);
    if (!counter || [counter.first, counter.end, counter.by].some((part) => this.mayWrite(part)))
      return undefined;
    const first = this.aside(counter.first);
    const held = [...this.held];
    this.held.clear();
    const [end, by] = [counter.end, counter.by].map((part) => this.aside(part));
    for (const [local, node] of held) this.held.set(local, node);
    const isCount = scalarOf(end.type) === 'u32' || scalarOf(first.type) === 'u32';
    return isCount ? { ...counter, values: { first, end, by } } : undefined;
  }
}

/** Loops of at most so many rounds, and statements, are written out. */
const [UNROLLED_TIMES, UNROLLED_STATEMENTS] = [4, 12];

/** What may be in a type of the same name. */
const TEMPLATES = /^(array|vec[234]|atomic)$/;

/** The type that a template names: f32 of `vec2<f32>`. */
function templateType({ name, template, line }: TypeName): TypeName {
  const [type] = template;
  if (type && 'template' in type) return type;
  throw new SourceError(line, `"${name}" without a type`);
}

/** Of an array of values of these types. */
function elementType(types: readonly Type[]): Type {
  const [first] = types;
  if (first.kind !== 'scalar' && first.kind !== 'vector') return first;
  const kind = concrete(commonScalar(types));
  return first.kind === 'vector' ? vectorOf(first.size, kind) : scalar(kind);
}

function componentsNamed(name: string, type: Type): number[] {
  const names = /^[xyzw]+$/.test(name) ? 'xyzw' : /^[rgba]+$/.test(name) ? 'rgba' : undefined;
  if (!names || name.length > 4) throw new Unsupported(`no member "${name}"`);
  const at = [...name].map((letter) => names.indexOf(letter));
  if (type.kind !== 'vector' || at.some((i) => i >= type.size))
    throw new Unsupported(`${nameOf(type)} has no member "${name}"`);
  return at;
}

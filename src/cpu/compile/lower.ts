/**
 * Lowers a kernel from WGSL's syntax tree to statements of WebAssembly for one invocation. All calls are inlined, so
 * that what a caller knows, its functions know. Vectors of four floats become v128; all else is taken apart into numbers,
 * and arrays of which only known elements are used become variables. This file has what surrounds the entry point's
 * statements: built-in values, buffers and the variables of a workgroup.
 */
import { get, i32, op, type Local, type WasmNode, type Range } from '../wasm/nodes.ts';
import type { Statement } from '../wasm/statements.ts';
import type { Checked } from '../check/check.ts';
import type { Declaration, Parameter } from '../wgsl/syntax.ts';
import type { Frame } from './calls.ts';
import { NeedsMemory } from './expressions.ts';
import { variable } from './output.ts';
import { Races } from './races.ts';
import { Rounds } from './rounds.ts';
import { Scope, type ScopeEntry, type ValuePlace } from './scope.ts';
import { Statements } from './statements.ts';
import { bytesOf, strideOf, vectorOf, type Type } from '../wgsl/types.ts';
import { u32Value, type Value } from './values.ts';

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
  /** If it is watched. */
  watch: { races: Races; report: Local } | undefined;
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

/**
 * @param watched for races in the memory of workgroups, and for loops that do not end
 * @throws SourceError for what is not supported
 */
export function lower(checked: Checked, watched: boolean): Lowered {
  const inMemory = new Set<Declaration | Parameter>();
  for (;;) {
    try {
      return new Kernel(checked, inMemory, watched).kernel();
    } catch (error) {
      if (!(error instanceof NeedsMemory)) throw error;
      inMemory.add(error.declaration);
    }
  }
}

class Kernel extends Statements {
  /** Statements that run once, before all invocations. */
  private readonly prologue: Statement[] = [];
  private readonly buffers = new Map<string, BoundBuffer & { last: WasmNode | undefined; type: Type }>();
  private workgroupBytes = 0;
  private builtins!: Builtins;

  constructor(
    checked: Checked,
    inMemory: ReadonlySet<Declaration | Parameter>,
    private readonly watched: boolean,
  ) {
    super(checked, inMemory);
  }

  kernel(): Lowered {
    const { main, workgroup } = this.checked;
    const [x, y, z] = workgroup;
    const last = workgroup.map((count): Range => ({ min: 0, max: count - 1 }));
    const groups = { min: 1, max: 65535 };
    this.builtins = {
      group: [0, 1, 2].map(() => variable('i32', { min: 0, max: 65534 })),
      groups: [0, 1, 2].map(() => variable('i32', groups)),
      local: last.map((range) => variable('i32', range)),
      index: variable('i32', { min: 0, max: x * y * z - 1 }),
      frame: this.places.frame,
      shared: variable('i32'),
    };
    const watch = this.watched ? this.watch() : undefined;
    this.globals();
    const frame: Frame = { label: Symbol(), result: [], type: undefined };
    this.frames.push(frame);
    const body = this.out.nested(() => {
      this.scope = new Scope(this.global);
      for (const parameter of main.parameters) {
        this.scope.declare(parameter.name, { kind: 'value', value: this.entryValue(parameter, workgroup) });
      }
      this.statements(main.body);
    });
    return {
      workgroup,
      buffers: [...this.buffers.values()],
      prologue: this.prologue,
      body: [{ kind: 'block', label: frame.label, body }],
      builtins: this.builtins,
      workgroupBytes: this.workgroupBytes,
      frameBytes: this.places.frameBytes,
      isAtomic: this.isAtomic,
      watch,
    };
  }

  private watch(): Lowered['watch'] {
    const report = variable('i32');
    const races = new Races(this.out, this.builtins, report, () => this.at);
    this.places.races = races;
    this.rounds = new Rounds(this.out, report, () => this.at);
    return { races, report };
  }

  /** A parameter of the entry point: a built-in value, or a struct of them. */
  private entryValue(parameter: Parameter, size: readonly number[]): Value {
    const name = parameter.attributes.find((attribute) => attribute.name === 'builtin')?.args[0];
    if (name?.kind === 'name') return this.builtinValue(name.name, size);
    const members = this.module.structs.get(parameter.type.name)?.members ?? [];
    const leaves = members.flatMap((member) => this.entryValue(member, size).leaves);
    return { type: this.checked.typeOf(parameter.type), leaves };
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
      default:
        return {
          type: vectorOf(3, 'u32'),
          leaves: group.map((one, i) =>
            this.out.once(op('i32.add', op('i32.mul', get(one), i32(size[i])), get(local[i]))),
          ),
        };
    }
  }

  /** Declares the buffers. */
  private globals(): void {
    for (const { name, space, type: typeName, attributes, writable, at } of this.module.variables.values()) {
      this.at = at;
      const type = this.checked.typeOf(typeName);
      if (space === 'workgroup') continue;
      const address = variable('i32');
      const bytes = variable('i32');
      const last = this.lastIndex(type, bytes);
      this.buffers.set(name, {
        group: this.checked.attribute(attributes, 'group') ?? 0,
        binding: this.checked.attribute(attributes, 'binding') ?? 0,
        address,
        bytes,
        last,
        type,
      });
      const place: ValuePlace = {
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
  protected find(name: string): ScopeEntry | undefined {
    const known = this.scope.find(name);
    const declared = known ? undefined : this.module.variables.get(name);
    if (declared?.space !== 'workgroup') return known;
    const type = this.checked.typeOf(declared.type);
    const offset = Math.ceil(this.workgroupBytes / 16) * 16;
    this.workgroupBytes = offset + bytesOf(type);
    const address = get(this.builtins.shared);
    const place: ValuePlace = { kind: 'memory', type, address, offset, writable: true, shared: true };
    this.global.declare(name, { kind: 'place', place });
    return { kind: 'place', place };
  }

  /** The last index of the array that is as long as its buffer, if there is one in it. */
  private lastIndex(type: Type, bytes: Local): WasmNode | undefined {
    const member = type.kind === 'struct' ? type.members.at(-1) : { type, offset: 0 };
    if (member?.type.kind !== 'array' || member.type.length !== undefined) return undefined;
    const last = variable('i32', { min: 0, max: 2 ** 30 - 1 });
    const room = op('i32.sub', get(bytes), i32(member.offset));
    const value = op('i32.sub', op('i32.div_u', room, i32(strideOf(member.type))), i32(1));
    this.prologue.push({ kind: 'set', local: last, value });
    return get(last);
  }
}

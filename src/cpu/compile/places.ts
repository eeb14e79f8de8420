/** Reads and writes places: variables, their parts, and memory. */
import {
  ANY,
  constantOf,
  get,
  i32,
  lane,
  load,
  op,
  replaceLane,
  select,
  type WasmNode,
  type Range,
} from '../wasm/nodes.ts';
import { variable, type KernelOutput } from './output.ts';
import type { Races } from './races.ts';
import type { ValuePlace } from './scope.ts';
import {
  bytesOf,
  componentsNamed,
  countOf,
  isQuad,
  leafCount,
  leavesOf,
  scalar,
  strideOf,
  type Type,
} from '../wgsl/types.ts';
import type { Value } from './values.ts';

/** The places of one kernel. */
export class Places {
  /** The address of the memory that an invocation has to itself. */
  readonly frame = variable('i32');
  /** Its size. */
  frameBytes = 0;
  /** Watches the memory of the workgroup. */
  races: Races | undefined;

  constructor(private readonly out: KernelOutput) {}

  /** A new place in the invocation's own memory. */
  inMemory(type: Type): ValuePlace {
    const offset = this.frameBytes;
    this.frameBytes = Math.ceil((offset + bytesOf(type)) / 16) * 16;
    return { kind: 'memory', type, address: get(this.frame), offset, writable: true };
  }

  /** A new place in variables. @param range of the number, if it is one */
  variable(type: Type, range?: Range): ValuePlace {
    const locals = leavesOf(type).map((leaf) => variable(leaf.type));
    this.out.changing(locals);
    return { kind: 'locals', type, locals, ...(range ? { range } : {}) };
  }

  /** The value at a place. */
  read(place: ValuePlace): Value {
    switch (place.kind) {
      case 'locals': {
        const { range } = place;
        const leaves = place.locals.map((local) =>
          range ? { ...get(local), range } : this.out.valueOf(local),
        );
        return { type: place.type, leaves };
      }
      case 'lane': {
        const four = this.out.valueOf(place.of);
        const known = constantOf(place.index);
        const leaf =
          known === undefined
            ? this.out.picked(
                [0, 1, 2, 3].map((i) => lane(four, i)),
                place.index,
              )
            : lane(four, known);
        return { type: scalar('f32'), leaves: [leaf] };
      }
      case 'choice':
        return {
          type: place.type,
          leaves: [this.out.picked(place.locals.map(this.out.valueOf), place.index)],
        };
      case 'memory': {
        const { type, offset, writable } = place;
        const leaves = leavesOf(type);
        const address = leaves.length > 1 ? this.out.once(place.address) : place.address;
        this.watch('read', place);
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

  /** Writes a value. */
  write(place: ValuePlace, given: Value): void {
    let value = given;
    switch (place.kind) {
      case 'locals':
        // All parts are computed before the first is changed.
        if (place.locals.length > 1) value = this.out.fixed(value);
        place.locals.forEach((local, i) => this.out.set(local, value.leaves[i]));
        break;
      case 'lane': {
        const [part] = value.leaves.map(this.out.once);
        const index = constantOf(place.index);
        if (index !== undefined) {
          this.out.set(place.of, replaceLane(this.out.valueOf(place.of), index, part));
          break;
        }
        const at = this.out.once(place.index);
        for (let i = 0; i < 4; i++)
          this.out.setIf(op('i32.eq', at, i32(i)), place.of, replaceLane(get(place.of), i, part));
        break;
      }
      case 'choice': {
        const [part] = value.leaves.map(this.out.once);
        const at = this.out.once(place.index);
        place.locals.forEach((local, i) => this.out.setIf(op('i32.eq', at, i32(i)), local, part));
        break;
      }
      case 'memory': {
        const leaves = leavesOf(place.type);
        if (leaves.length > 1) value = this.out.fixed(value);
        const address = leaves.length > 1 ? this.out.once(place.address) : place.address;
        this.watch('write', place);
        leaves.forEach((leaf, i) => {
          this.out.push({
            kind: 'store',
            address,
            offset: place.offset + leaf.offset,
            value: value.leaves[i],
          });
        });
      }
    }
  }

  private watch(
    kind: 'read' | 'write',
    { shared, address, offset, type }: ValuePlace & { kind: 'memory' },
  ): void {
    if (!this.races || shared !== true) return;
    for (const leaf of leavesOf(type))
      this.races.access(kind, address, offset + leaf.offset, leaf.type === 'v128' ? 4 : 1);
  }

  /** A place that stays where it is, whatever is written to memory. */
  fixed(place: ValuePlace): ValuePlace {
    if (place.kind === 'memory') return { ...place, address: this.out.once(place.address) };
    return 'index' in place ? { ...place, index: this.out.once(place.index) } : place;
  }

  /** A component or a struct's member; undefined for several components. */
  memberOf(place: ValuePlace, name: string): ValuePlace | undefined {
    if (place.kind === 'lane' || place.kind === 'choice') return undefined;
    const { type } = place;
    if (type.kind === 'struct') {
      const i = type.members.findIndex((member) => member.name === name);
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
    const at = type.kind === 'vector' ? componentsNamed(name, type.size) : [];
    return at.length === 1 ? this.elementOf(place, i32(at[0])) : undefined;
  }

  /** An element of an array or a vector; undefined where only memory could hold it. */
  elementOf(place: ValuePlace, index: WasmNode): ValuePlace | undefined {
    if (place.kind === 'lane' || place.kind === 'choice') return undefined;
    const { type } = place;
    if (type.kind !== 'array' && type.kind !== 'vector') return undefined;
    const element = type.kind === 'array' ? type.element : scalar(type.scalar);
    const count = countOf(type);
    const known = constantOf(index);
    if (place.kind === 'memory') {
      const stride = type.kind === 'array' ? strideOf(type) : 4;
      const last = count === undefined ? place.last : i32(count - 1);
      if (!last) return undefined;
      return { ...this.addressOf(place, this.within(index, last), stride), type: element };
    }
    if (known !== undefined) {
      if (isQuad(type)) return { kind: 'lane', of: place.locals[0], index };
      const each = leafCount(element);
      return { kind: 'locals', type: element, locals: place.locals.slice(known * each, (known + 1) * each) };
    }
    if (isQuad(type)) return { kind: 'lane', of: place.locals[0], index };
    return type.kind === 'vector'
      ? { kind: 'choice', type: element, locals: place.locals, index }
      : undefined;
  }

  /** An index inside the array: WGSL allows any element where the index is past the end. */
  private within(index: WasmNode, last: WasmNode): WasmNode {
    if (index.range.max <= last.range.min) return index;
    const [at, end] = [this.out.once(index), this.out.once(last)];
    return select(at, end, op('i32.le_u', at, end));
  }

  private addressOf(
    place: ValuePlace & { kind: 'memory' },
    index: WasmNode,
    stride: number,
  ): ValuePlace & { kind: 'memory' } {
    let [at, further] = [index, 0];
    // What is added to an index is added to the offset instead, which costs nothing.
    if (at.kind === 'op' && at.op === 'i32.add' && at.range !== ANY) {
      const constant = constantOf(at.args[1]);
      if (constant !== undefined && constant * stride < 2 ** 28) [at, further] = [at.args[0], constant];
    }
    const known = constantOf(at);
    const offset = place.offset + further * stride;
    const { type, writable, shared } = place;
    if (known !== undefined)
      return {
        kind: 'memory',
        type,
        writable,
        shared,
        address: place.address,
        offset: offset + known * stride,
      };
    const isPower = Number.isInteger(Math.log2(stride));
    const bytes = isPower ? op('i32.shl', at, i32(Math.log2(stride))) : op('i32.mul', at, i32(stride));
    return { kind: 'memory', type, writable, shared, address: op('i32.add', place.address, bytes), offset };
  }
}

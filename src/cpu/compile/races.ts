/**
 * Finds data races in a workgroup's memory. Invocations run one after the other here, so a missing barrier can go
 * unnoticed. Each word of that memory has two more: who wrote it last, and who read it last. An access is a race if
 * another invocation wrote the word since the last barrier, or, for a write, read it. That does not depend on the
 * order in which invocations run, so one run decides for its data.
 */
import { get, i32, load, op, select, type Local, type WasmNode } from '../wasm/nodes.ts';
import type { Statement } from '../wasm/statements.ts';
import { variable, type KernelOutput } from './output.ts';
import { REPORT } from './report.ts';

/** Bytes beside each word: its writer's stamp, then its reader's. */
const STAMP_BYTES = 8;
/** Stamps count barriers in units of this; below it, they say which invocation it was. */
const SECTION = 512;
/** Instead of an invocation: several readers, and any number of atomic changes. */
const [SEVERAL, ATOMIC] = [SECTION - 1, SECTION - 2];

type Access = 'read' | 'write' | 'change';

export class Races {
  /** The address of the stamps. */
  readonly stamps = variable('i32');
  /** Barriers so far, and one, times SECTION. */
  private readonly section = variable('i32');
  private isAtomic = false;

  /**
   * @param report its address
   * @param at the place that is being lowered
   */
  constructor(
    private readonly out: KernelOutput,
    private readonly builtins: { index: Local; shared: Local },
    private readonly report: Local,
    private readonly at: () => number,
  ) {
    out.changing([this.section]);
  }

  /** Sets the variables for a workgroup. */
  start(): Statement {
    return { kind: 'set', local: this.section, value: i32(SECTION) };
  }

  /** Bytes of the stamps of so many bytes. */
  static bytesFor(bytes: number): number {
    return (bytes / 4) * STAMP_BYTES;
  }

  /** Behind a barrier, no access of before counts. */
  barrier(): void {
    this.out.push({
      kind: 'set',
      local: this.section,
      value: op('i32.add', get(this.section), i32(SECTION)),
    });
  }

  /** Lowers atomic changes: they race with loads and stores, not with one another. */
  atomically<T>(make: () => T): T {
    this.isAtomic = true;
    const made = make();
    this.isAtomic = false;
    return made;
  }

  /** Checks an access to some words before it happens. */
  access(kind: 'read' | 'write', address: WasmNode, offset: number, words: number): void {
    const from = this.out.once(op('i32.sub', address, get(this.builtins.shared)));
    const at = this.out.once(op('i32.add', get(this.stamps), op('i32.shl', from, i32(1))));
    for (let word = 0; word < words; word++)
      this.word(this.isAtomic ? 'change' : kind, at, ((offset + 4 * word) / 4) * STAMP_BYTES);
  }

  private word(kind: Access, at: WasmNode, offset: number): void {
    const { out } = this;
    const section = get(this.section);
    const who = kind === 'change' ? i32(ATOMIC) : get(this.builtins.index);
    const stamp = out.once(op('i32.add', section, who));
    const [writer, reader] = [0, 4].map((more) => out.once(load('i32', at, offset + more, true)));
    /** Whether another one was there since the last barrier. */
    const other = (found: WasmNode) =>
      op('i32.and', op('i32.ge_u', found, section), op('i32.ne', found, stamp));
    const conflict = kind === 'read' ? other(writer) : op('i32.or', other(writer), other(reader));
    const [address, place] = [get(this.report), i32(this.at() + 1)];
    out.onlyIf(conflict, { kind: 'store', address, offset: REPORT.race, value: place });
    const value =
      kind === 'read' ? select(op('i32.add', section, i32(SEVERAL)), stamp, other(reader)) : stamp;
    out.push({ kind: 'store', address: at, offset: offset + (kind === 'read' ? 4 : 0), value });
  }
}

/** Liveness: how each dispatch uses its tensors, and from which dispatch to which a placed tensor is needed. */
import { assert } from '../base/assert.ts';
import type { ShaderInterface } from '../gpu/interface.ts';
import type { Lifetime } from './memory.ts';
import { wholeOf, type DispatchSpec, type Storage } from './dispatch.ts';

export interface Recorded<K extends { interface: ShaderInterface } = { interface: ShaderInterface }> {
  spec: DispatchSpec;
  kernel: K;
}

/** True for tensors that a plan allocates. */
export const isPlaced = ({ home, contents }: Storage): boolean => !home && !contents;

/** The memory that a dispatch reads, and what it writes and may read. */
export function accessOf({ spec, kernel }: Recorded): { read: Storage[]; written: Storage[] } {
  const read: Storage[] = [];
  const written: Storage[] = [];
  for (const [name, { storage }] of Object.entries(spec.tensors)) {
    const binding = kernel.interface.bindings.find((b) => b.group === 0 && b.name === name);
    (binding?.kind === 'read_write' ? written : read).push(wholeOf(storage));
  }
  return { read, written };
}

/** The tensors to place, their live ranges in dispatches, and which of them must not share a buffer. */
export interface Liveness {
  storages: Storage[];
  lifetimes: Lifetime[];
  apart: Set<number>[];
}

/** @param kept stays live until the plan runs again */
export function livenessOf(recorded: readonly Recorded[], kept: ReadonlySet<Storage>): Liveness {
  const index = new Map<Storage, number>();
  const lifetimes: Lifetime[] = [];
  const apart: Set<number>[] = [];
  recorded.forEach((dispatch, time) => {
    const placeOf = (storage: Storage): number => {
      let i = index.get(storage);
      if (i === undefined) {
        i = lifetimes.length;
        index.set(storage, i);
        lifetimes.push({ bytes: storage.bytes, first: time, last: time });
        apart.push(new Set());
      }
      lifetimes[i].last = kept.has(storage) ? recorded.length : time;
      return i;
    };
    const access = accessOf(dispatch);
    const read = access.read.filter(isPlaced).map(placeOf);
    for (const w of access.written.filter(isPlaced).map(placeOf)) {
      for (const r of read) {
        assert(w !== r, `${dispatch.spec.label} reads and writes one tensor through two bindings`);
        apart[w].add(r);
        apart[r].add(w);
      }
    }
  });
  return { storages: [...index.keys()], lifetimes, apart };
}

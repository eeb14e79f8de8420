/**
 * The memory of a device: one WebAssembly memory, in which buffers are allocated. Addresses have 32 bits, so there are
 * 4 GiB at most.
 */
import { alignUp } from '../../base/shape.ts';

/** Bytes. Bindings start at multiples of it, and so do buffers. */
const ALIGNMENT = 256;
const PAGE = 65536;
/** Pages that a memory may grow to; some systems refuse to reserve as many as there can be. */
const MAX_PAGES = [65536, 32768, 16384, 8192, 4096];

interface Gap {
  start: number;
  end: number;
}

/** A part of the memory. */
export interface Room {
  address: number;
  bytes: number;
}

export class Memory {
  readonly raw: WebAssembly.Memory;
  /** The free parts, in order; no two touch. */
  private readonly gaps: Gap[] = [];
  private end: number;
  private view = new Uint8Array(0);

  /** @param shared whether other threads see it; the page must be cross-origin isolated then */
  constructor(readonly shared: boolean) {
    this.raw = reserve(shared);
    this.end = PAGE;
    // Address 0 stands for no memory.
    this.gaps.push({ start: ALIGNMENT, end: PAGE });
  }

  /** The whole memory. Views from before it grew do not see all of it. */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.view.buffer !== this.raw.buffer || this.view.length !== this.raw.buffer.byteLength)
      this.view = new Uint8Array(this.raw.buffer as ArrayBuffer);
    return this.view as Uint8Array<ArrayBuffer>;
  }

  /** Allocates zeroed memory and returns its address; undefined if none is left. */
  take(bytes: number): number | undefined {
    const size = alignUp(Math.max(bytes, 1), ALIGNMENT);
    let at = this.gaps.findIndex(({ start, end }) => end - start >= size);
    if (at < 0) {
      if (!this.grow(size)) return undefined;
      at = this.gaps.length - 1;
    }
    const gap = this.gaps[at];
    const { start } = gap;
    gap.start += size;
    if (gap.start === gap.end) this.gaps.splice(at, 1);
    this.bytes.fill(0, start, start + size);
    return start;
  }

  /** Memory of at least so many bytes with any contents: `known` if that is enough, or else more. */
  room(known: Room, bytes: number): Room {
    if (known.bytes >= bytes) return known;
    if (known.bytes > 0) this.free(known.address, known.bytes);
    const address = this.take(bytes);
    if (address === undefined) throw new Error('wgrad bug: no memory to run a kernel in');
    return { address, bytes };
  }

  /** @param address from `take`; 0, of a buffer for which there was no memory, is ignored */
  free(address: number, bytes: number): void {
    if (address === 0) return;
    const end = address + alignUp(Math.max(bytes, 1), ALIGNMENT);
    const after = this.gaps.findIndex((gap) => gap.start >= end);
    const at = after < 0 ? this.gaps.length : after;
    const before = this.gaps[at - 1];
    const next = this.gaps[at];
    const touchesBefore = before !== undefined && before.end === address;
    const touchesNext = next !== undefined && next.start === end;
    if (touchesBefore && touchesNext) {
      before.end = next.end;
      this.gaps.splice(at, 1);
    } else if (touchesBefore) before.end = end;
    else if (touchesNext) next.start = address;
    else this.gaps.splice(at, 0, { start: address, end });
  }

  /** Grows the memory until its last gap is at least this large. */
  private grow(bytes: number): boolean {
    const last = this.gaps.at(-1);
    const free = last !== undefined && last.end === this.end ? last.end - last.start : 0;
    const pages = Math.ceil((bytes - free) / PAGE);
    try {
      this.raw.grow(pages);
    } catch {
      return false;
    }
    const start = this.end;
    this.end += pages * PAGE;
    if (free > 0 && last) last.end = this.end;
    else this.gaps.push({ start, end: this.end });
    return true;
  }
}

function reserve(shared: boolean): WebAssembly.Memory {
  if (!shared) return new WebAssembly.Memory({ initial: 1 });
  for (const maximum of MAX_PAGES) {
    try {
      return new WebAssembly.Memory({ initial: 1, maximum, shared: true });
    } catch {
      continue;
    }
  }
  throw new Error('wgrad bug: no shared memory');
}

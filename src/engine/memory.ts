/**
 * Memory of a plan's tensors. Each is live from the first dispatch that uses it to the last; tensors whose live ranges
 * do not overlap share memory. A dispatch may not read and write one buffer (WebGPU's usage scopes), so tensors go into
 * a few slabs such that what a dispatch reads and what it writes never share one.
 */

export interface Lifetime {
  bytes: number;
  /** First and last dispatch that use it. */
  first: number;
  last: number;
}

export interface SlabPlace {
  slab: number;
  offset: number;
}

export interface MemoryPlan {
  places: SlabPlace[];
  /** Size of each slab in bytes; existing slabs come first. */
  slabs: number[];
}

/** Existing memory. It does not grow. */
export interface GivenSlab {
  bytes: number;
  /** Parts of it that are not free. */
  held: readonly { offset: number; bytes: number }[];
}

/** Offsets of storage bindings must be multiples of this on every adapter. */
export const ALIGNMENT = 256;

const align = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Bytes of all live tensors at the worst moment: a lower bound for every plan. */
export function peakOf(tensors: readonly Lifetime[]): number {
  const changes: (number | undefined)[] = [];
  for (const { bytes, first, last } of tensors) {
    changes[first] = (changes[first] ?? 0) + align(bytes);
    changes[last + 1] = (changes[last + 1] ?? 0) - align(bytes);
  }
  let [alive, peak] = [0, 0];
  for (const change of changes) {
    alive += change ?? 0;
    peak = Math.max(peak, alive);
  }
  return peak;
}

/** Orders in which tensors are placed: large or long-lived ones first, so that the others fill the gaps. */
const ORDERS: readonly ((tensor: Lifetime) => number)[] = [
  ({ bytes, first, last }) => bytes * Math.sqrt(last - first + 1),
  ({ bytes }) => bytes,
];

/**
 * Tries a few placements and returns the smallest.
 * @param apart for each tensor, those that must not share its slab
 * @param slabLimit no slab grows beyond this many bytes
 * @param given slabs to use first
 */
export function planMemory(
  tensors: readonly Lifetime[],
  apart: ReadonlyArray<ReadonlySet<number>>,
  slabLimit: number,
  given: readonly GivenSlab[] = [],
): MemoryPlan {
  const plans = ORDERS.map((weight) => {
    const order = tensors.map((_, i) => i).sort((a, b) => weight(tensors[b]) - weight(tensors[a]) || a - b);
    return planInOrder(order, tensors, apart, slabLimit, given);
  });
  const bytesOf = ({ slabs }: MemoryPlan) => slabs.reduce((sum, bytes) => sum + bytes, 0);
  return plans.reduce((a, b) => (bytesOf(b) < bytesOf(a) ? b : a));
}

function planInOrder(
  order: readonly number[],
  tensors: readonly Lifetime[],
  apart: ReadonlyArray<ReadonlySet<number>>,
  slabLimit: number,
  given: readonly GivenSlab[],
): MemoryPlan {
  const places: SlabPlace[] = new Array<SlabPlace>(tensors.length);
  const all = [...tensors];
  const slabs = given.map(({ bytes, held }, slab) => ({
    bytes,
    limit: bytes,
    members: held.map((part) => {
      places[all.length] = { slab, offset: part.offset };
      return all.push({ bytes: part.bytes, first: -Infinity, last: Infinity }) - 1;
    }),
  }));
  for (const i of order) {
    const tensor = tensors[i];
    let best: { slab: number; offset: number; growth: number } | undefined;
    slabs.forEach((slab, index) => {
      if (slab.members.some((member) => apart[i].has(member))) return;
      const offset = lowestGap(tensor, slab.members, all, places);
      const growth = Math.max(0, offset + align(tensor.bytes) - slab.bytes);
      if (offset + align(tensor.bytes) > slab.limit) return;
      if (!best || growth < best.growth) best = { slab: index, offset, growth };
    });
    if (!best) {
      slabs.push({ bytes: 0, limit: slabLimit, members: [] });
      best = { slab: slabs.length - 1, offset: 0, growth: 0 };
    }
    const slab = slabs[best.slab];
    slab.members.push(i);
    slab.bytes = Math.max(slab.bytes, best.offset + align(tensor.bytes));
    places[i] = { slab: best.slab, offset: best.offset };
  }
  return { places: places.slice(0, tensors.length), slabs: slabs.map((slab) => slab.bytes) };
}

/** The lowest offset where `tensor` overlaps no member of the slab that is live at the same time. */
function lowestGap(
  tensor: Lifetime,
  members: readonly number[],
  all: readonly Lifetime[],
  places: readonly SlabPlace[],
): number {
  const taken = members
    .filter((m) => all[m].first <= tensor.last && tensor.first <= all[m].last)
    .map((m) => ({ start: places[m].offset, end: places[m].offset + align(all[m].bytes) }))
    .sort((a, b) => a.start - b.start);
  let offset = 0;
  for (const { start, end } of taken) {
    if (offset + align(tensor.bytes) <= start) break;
    offset = Math.max(offset, end);
  }
  return offset;
}

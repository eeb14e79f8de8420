/**
 * Trades time for memory: some activations of the forward pass are not saved for the backward pass, but recomputed
 * there (Chen, Xu, Zhang and Guestrin, "Training Deep Nets with Sublinear Memory Cost", 2016). It is the same dispatches
 * over the same inputs, so that every value is the same to the bit. Dispatches that change memory outside the plan,
 * such as running statistics, never run twice: their other outputs are saved.
 */
import { elements } from '../base/shape.ts';
import type { BufferRange } from '../gpu/ledger.ts';
import { peakOf, type Lifetime } from './memory.ts';
import { bytesOf, type DispatchSpec, type Storage, type Tensor } from './dispatch.ts';
import { accessOf, isPlaced, type Recorded } from './liveness.ts';

/** The dispatches of one layer's forward pass. */
interface Unit {
  first: number;
  end: number;
  /** Its outputs that can be recomputed. */
  tensors: ReadonlySet<Storage>;
  /** FLOP, approximately. */
  flop: number;
}

/** A step's dispatches, analysed for recomputation. */
interface Analysis<R extends Recorded = Recorded> {
  recorded: readonly R[];
  units: readonly Unit[];
  /** The first dispatch after the forward pass. */
  turn: number;
  /** The unit that writes a tensor, if it can be recomputed. */
  writer: ReadonlyMap<Storage, number>;
  access: readonly { read: Storage[]; written: Storage[] }[];
  kept: ReadonlySet<Storage>;
}

/** FLOP per byte of memory traffic of a GPU, approximately: only to rank recomputation by cost. */
const FLOP_PER_BYTE = 5;
/** How many ways of cutting the network into segments are tried. */
const MAX_CUTTINGS = 32;
/** A choice is split into at least this many groups to find those that are not needed. */
const SMALLEST_GROUPS = 16;
/** How often the choice is repeated when the placed tensors need more memory than their live ranges suggest. */
const TRIES = 4;

function analyse<R extends Recorded>(recorded: readonly R[], kept: ReadonlySet<Storage>): Analysis<R> {
  const access = recorded.map(accessOf);
  const spans: { first: number; end: number }[] = [];
  recorded.forEach(({ spec: { part } }, i) => {
    if (part?.pass !== 'forward') return;
    const last = spans[spans.length - 1];
    if (last?.end === i && recorded[i - 1].spec.part === part) last.end++;
    else spans.push({ first: i, end: i + 1 });
  });
  const turn = spans[spans.length - 1]?.end ?? 0;
  const writers = new Map<Storage, Set<number>>();
  access.forEach(({ written }, i) => {
    for (const storage of written) writers.set(storage, (writers.get(storage) ?? new Set()).add(i));
  });
  const spanned = new Set(
    spans.flatMap(({ first, end }) => access.slice(first, end).flatMap((a) => a.written)),
  );
  const lastUse = access.findLastIndex(({ read }) => read.some((one) => isPlaced(one) && spanned.has(one)));
  const changed = access
    .slice(0, lastUse)
    .flatMap(({ written }, i) => written.flatMap(({ home }) => (home ? [{ i, home }] : [])));
  const units = spans.map(({ first, end }): Unit => {
    const tensors = new Set<Storage>();
    for (let i = first; i < end; i++) for (const storage of access[i].written) tensors.add(storage);
    for (const storage of tensors) {
      const own = [...(writers.get(storage) ?? [])];
      const again = own.every(
        (i) =>
          i >= first &&
          i < end &&
          access[i].written.every(isPlaced) &&
          access[i].read.every(
            ({ home }) => !home || !changed.some((c) => c.i >= first && overlap(c.home, home)),
          ),
      );
      if (!again || !isPlaced(storage) || kept.has(storage)) tensors.delete(storage);
    }
    return { first, end, tensors, flop: flopOf(recorded.slice(first, end)) };
  });
  const writer = new Map<Storage, number>();
  units.forEach(({ tensors }, u) => {
    for (const storage of tensors) writer.set(storage, u);
  });
  return { recorded, units, turn, writer, access, kept };
}

/** The shape of the weights gives the number of products in the sum of one output. */
function flopOf(recorded: readonly Recorded[]): number {
  const weights = recorded
    .flatMap(({ spec }) => Object.values(spec.tensors))
    .filter(({ shape, storage }) => storage.home && shape.length > 1);
  const products = Math.max(0, ...weights.map(({ shape }) => elements(shape.slice(1))));
  const { written } = accessOf(recorded[recorded.length - 1]);
  return (2 * products * Math.max(0, ...written.map(({ bytes }) => bytes))) / 4;
}

const overlap = (a: BufferRange, b: BufferRange): boolean =>
  a.buffer === b.buffer && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;

/** The dispatches of a unit that write the tensors in `wanted`, or what these read. */
function dispatchesFor({ access }: Analysis, unit: Unit, wanted: ReadonlySet<Storage>): number[] {
  const needed = new Set(wanted);
  const found: number[] = [];
  for (let i = unit.end - 1; i >= unit.first; i--) {
    if (!access[i].written.some((storage) => needed.has(storage))) continue;
    found.unshift(i);
    for (const storage of access[i].read) if (unit.tensors.has(storage)) needed.add(storage);
  }
  return found;
}

/** A step's dispatches in order, by their index in the step without recomputation. */
interface Schedule {
  order: { i: number; recomputed: boolean }[];
  /** Recomputed tensors: after the forward pass, everything reads the later copy. */
  copied: ReadonlySet<Storage>;
  /** The cost by costOf. */
  cost: number;
}

/**
 * The step with some units recomputed, each right before its first use after the forward pass.
 * @param chosen indices of units
 */
function schedule(analysis: Analysis, chosen: ReadonlySet<number>): Schedule {
  const { recorded, units, turn, writer, access } = analysis;
  const wanted = units.map(() => new Set<Storage>());
  const want = (storage: Storage) => {
    const unit = writer.get(storage);
    if (unit !== undefined && chosen.has(unit)) wanted[unit].add(storage);
  };
  for (const { read } of access.slice(turn)) read.forEach(want);
  const again = units.map((): number[] => []);
  for (let u = units.length - 1; u >= 0; u--) {
    if (wanted[u].size === 0) continue;
    again[u] = dispatchesFor(analysis, units[u], wanted[u]);
    for (const i of again[u]) access[i].read.forEach(want);
  }
  const order: Schedule['order'] = [];
  const copied = new Set<Storage>();
  const done = new Set<number>();
  let cost = 0;
  const ensure = (storage: Storage): void => {
    const u = writer.get(storage);
    if (u === undefined || !wanted[u].has(storage) || done.has(u)) return;
    done.add(u);
    for (const i of again[u]) access[i].read.forEach(ensure);
    for (const i of again[u]) {
      // Anything else that it writes again has the same values.
      for (const made of access[i].written) if (units[u].tensors.has(made)) copied.add(made);
      order.push({ i, recomputed: true });
    }
    cost += costOf(analysis, units[u], again[u]);
  };
  recorded.forEach((_, i) => {
    if (i >= turn) access[i].read.forEach(ensure);
    order.push({ i, recomputed: false });
  });
  return { order, copied, cost };
}

/** The most bytes that are alive at once. */
function peakOfSchedule({ access, turn, kept }: Analysis, { order, copied }: Schedule): number {
  const first = new Map<Storage, Lifetime>();
  const later = new Map<Storage, Lifetime>();
  order.forEach(({ i, recomputed }, time) => {
    const touch = (storage: Storage, copy: boolean) => {
      if (!isPlaced(storage)) return;
      const lives = copy ? later : first;
      const last = kept.has(storage) ? order.length : time;
      const life = lives.get(storage);
      if (life) life.last = last;
      else lives.set(storage, { bytes: storage.bytes, first: time, last });
    };
    const behind = recomputed || i >= turn;
    for (const storage of access[i].read) touch(storage, behind && copied.has(storage));
    for (const storage of access[i].written) touch(storage, behind && copied.has(storage));
  });
  return peakOf([...first.values(), ...later.values()]);
}

/** The dispatches themselves. */
function stepsOf<R extends Recorded>({ recorded, turn }: Analysis<R>, { order, copied }: Schedule): R[] {
  const copies = new Map([...copied].map((made) => [made, { ...made, label: `${made.label} again` }]));
  const renamed = (tensors: DispatchSpec['tensors']) =>
    Object.fromEntries(
      Object.entries(tensors).map(([name, tensor]): [string, Tensor] => {
        const storage = copies.get(tensor.storage);
        return [name, storage ? { ...tensor, storage } : tensor];
      }),
    );
  return order.map(({ i, recomputed }) => {
    const dispatch = recorded[i];
    if (!recomputed && i < turn) return dispatch;
    const { spec } = dispatch;
    const { label, part } = spec;
    const marked = recomputed && {
      recomputed,
      label: `${label} again`,
      part: { ...part, pass: 'backward' as const },
    };
    return { ...dispatch, spec: { ...spec, ...marked, tensors: renamed(spec.tensors) } };
  });
}

/** The time of some of a unit's dispatches, in bytes moved. */
const costOf = ({ recorded }: Analysis, { flop }: Unit, dispatches: readonly number[]): number =>
  dispatches.reduce((sum, i) => sum + bytesOf(recorded[i].spec.tensors), flop / FLOP_PER_BYTE);

/**
 * A step that recomputes just enough for its tensors to fit. If they cannot fit, it uses as few bytes as possible.
 * @param kept tensors that live until the plan runs again
 * @param limit bytes; 0 for as few as possible
 * @param place returns the bytes that a step's tensors take
 */
export function recompute<R extends Recorded>(
  recorded: readonly R[],
  kept: ReadonlySet<Storage>,
  limit: number,
  place: (steps: readonly R[]) => number,
): readonly R[] {
  let best: { steps: readonly R[]; bytes: number } = { steps: recorded, bytes: place(recorded) };
  if (best.bytes <= limit) return recorded;
  const analysis = analyse(recorded, kept);
  const judge = (chosen: ReadonlySet<number>): RecomputeWay => {
    const plan = schedule(analysis, chosen);
    return { chosen, plan, peak: peakOfSchedule(analysis, plan) };
  };
  const ways = candidates(analysis).map(judge);
  const least = Math.min(...ways.map(({ peak }) => peak));
  let wanted = Math.max(limit, least);
  for (let i = 0; i < TRIES && wanted >= least; i++) {
    const fitting = ways.filter(({ peak }) => peak <= wanted);
    const cheapest = fitting.reduce((a, b) => (b.plan.cost < a.plan.cost ? b : a));
    const steps = stepsOf(analysis, relaxed(analysis, cheapest, wanted, judge).plan);
    const bytes = place(steps);
    if (bytes < best.bytes) best = { steps, bytes };
    if (bytes <= limit) break;
    wanted -= bytes - Math.max(limit, least);
  }
  return best.steps;
}

/** A choice of units, and its result. */
interface RecomputeWay {
  chosen: ReadonlySet<number>;
  plan: Schedule;
  /** Bytes. */
  peak: number;
}

/** `way`, but saving what is expensive to recompute, as far as that fits. */
function relaxed(
  analysis: Analysis,
  way: RecomputeWay,
  limit: number,
  judge: (chosen: ReadonlySet<number>) => RecomputeWay,
): RecomputeWay {
  const { units } = analysis;
  const price = (u: number) => {
    const { first, end, tensors } = units[u];
    const dispatches = Array.from({ length: end - first }, (_, i) => first + i);
    return costOf(analysis, units[u], dispatches) / Math.max(1, bytesIn(tensors));
  };
  let found = way;
  const all = [...way.chosen].sort((a, b) => price(b) - price(a));
  for (let size = Math.ceil(all.length / 2); ; size = Math.ceil(size / 2)) {
    for (let i = 0; i < all.length; i += size) {
      const group = all.slice(i, i + size).filter((u) => found.chosen.has(u));
      if (group.length === 0) continue;
      const trial = judge(new Set([...found.chosen].filter((u) => !group.includes(u))));
      if (trial.peak <= limit && trial.plan.cost <= found.plan.cost) found = trial;
    }
    if (size <= Math.ceil(all.length / SMALLEST_GROUPS)) return found;
  }
}

/**
 * Choices to try: the network is cut into segments of about equal memory, at places where everything later depends on
 * one tensor. That tensor is saved; of the rest, either everything is recomputed, or what is cheap.
 */
function candidates(analysis: Analysis): Set<number>[] {
  const { units, access, turn } = analysis;
  const late = new Set(access.slice(turn).flatMap(({ read }) => read));
  const cuts = cutsOf(analysis);
  const before: number[] = [];
  units.reduce((sum, { tensors }, u) => (before[u] = sum + bytesIn(tensors, late)), 0);
  const whole = before[before.length - 1] ?? 0;
  const cheap = (u: number) => units[u].flop === 0;
  const cuttings = new Map<string, number[]>();
  const most = cuts.length + 1;
  for (let i = 0; i < MAX_CUTTINGS; i++) {
    // All counts if there are few, otherwise denser among small ones.
    const segments = most <= MAX_CUTTINGS ? i + 1 : Math.round(most ** ((i + 1) / MAX_CUTTINGS));
    if (segments > most) break;
    const places = Array.from({ length: segments - 1 }, (_, k) => {
      const goal = (whole * (k + 1)) / segments;
      return cuts.reduce((a, b) => (Math.abs(before[b] - goal) < Math.abs(before[a] - goal) ? b : a));
    });
    const cutting = segments === most ? cuts : [...new Set(places)];
    cuttings.set(cutting.join(), cutting);
  }
  return [...cuttings.values()].flatMap((cutting) => {
    const last = cutting[cutting.length - 1] ?? -1;
    const free = units.map((_, u) => u).filter((u) => !cutting.includes(u));
    const early = free.filter((u) => u < last);
    return [early.filter(cheap), free.filter(cheap), early, free.filter((u) => u < last || cheap(u))].map(
      (chosen) => new Set(chosen),
    );
  });
}

/** The units after which the forward pass reads only their own output, and nothing from before but what is saved anyway. */
function cutsOf({ units, access, turn, writer }: Analysis): number[] {
  const spans = new Map<Storage, { first: number; last: number }>();
  access.slice(0, turn).forEach(({ read, written }, i) => {
    for (const storage of [...read, ...written].filter(isPlaced)) {
      const span = spans.get(storage);
      if (span) span.last = i;
      else spans.set(storage, { first: i, last: i });
    }
  });
  const all = [...spans].filter(([storage]) => writer.has(storage));
  return units.flatMap(({ end, tensors }, u) => {
    const crossing = all.filter(([, { first, last }]) => first < end && last >= end);
    return crossing.length > 0 && crossing.every(([storage]) => tensors.has(storage)) ? [u] : [];
  });
}

const bytesIn = (tensors: ReadonlySet<Storage>, among: ReadonlySet<Storage> = tensors): number =>
  [...tensors].reduce((sum, storage) => (among.has(storage) ? sum + storage.bytes : sum), 0);

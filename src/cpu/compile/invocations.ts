/**
 * Runs all invocations of a workgroup on one thread, one after the other. A kernel with barriers is cut into regions: all
 * invocations run the part before a barrier, then all run the part after it, as in Jääskeläinen and others, "pocl: A
 * Performance-Portable OpenCL Implementation" (2015). What is uniform (WGSL demands it of branches around barriers) is done
 * once; variables that an invocation needs after a barrier are kept in memory.
 */
import { SourceError } from '../wgsl/source-error.ts';
import { argsOf, FLAG, get, i32, load, op, type Local, type WasmNode } from '../wasm/nodes.ts';
import { bodiesOf, type Label, nodesOf, readsOf, type Statement } from '../wasm/statements.ts';
import type { Builtins } from './lower.ts';

/** Statements that every invocation runs, one invocation after the other. */
interface Region {
  kind: 'region';
  body: Statement[];
  /** Branches to these labels lead to its end. */
  exits: ReadonlySet<Label>;
}

type Cut =
  | Exclude<Statement, { kind: 'if' | 'block' | 'loop' }>
  | { kind: 'if'; condition: WasmNode; yes: Cut[]; no: Cut[] }
  | { kind: 'block'; label: Label; body: Cut[] }
  | { kind: 'loop'; label: Label; body: Cut[] }
  | Region;

export interface Invocations {
  body: Statement[];
  /** Bytes of an invocation's own memory, including the variables that are kept. */
  frameBytes: number;
}

export interface InvocationsOptions {
  builtins: Builtins;
  workgroup: readonly [x: number, y: number, z: number];
  frameBytes: number;
  /** The address of the first invocation's memory; the others' follows. */
  frames: Local;
}

/** @param body of one invocation */
export function runInvocations(body: readonly Statement[], options: InvocationsOptions): Invocations {
  const { frameBytes, frames, builtins } = options;
  const threads = options.workgroup.reduce((a, b) => a * b);
  if (threads === 1 || !body.some(hasBarrier)) {
    // One runs after the other, so they share one memory.
    const frame: Statement = { kind: 'set', local: builtins.frame, value: get(frames) };
    const whole = { kind: 'region', body: withoutBarriers(body), exits: new Set<Label>() } as const;
    return { body: [frame, ...each(whole, options, [], [])], frameBytes };
  }
  try {
    return runRegions(body, options, 'own');
  } catch (error) {
    // A branch around a barrier may depend on a variable that each invocation was given a copy of.
    if (error instanceof SourceError) return runRegions(body, options, 'common');
    throw error;
  }
}

/**
 * @param shared how to treat variables that are uniform, but set in regions and used between them: each invocation has its
 * own copy, which is fast, or they are set between regions only
 */
function runRegions(
  body: readonly Statement[],
  options: InvocationsOptions,
  shared: 'own' | 'common',
): Invocations {
  const { builtins } = options;
  let different = new Set<Local>([builtins.index, builtins.frame, ...builtins.local]);
  const common = new Set<Local>();
  const flags = new Map<Label, Local>();
  for (;;) {
    const flagged = withFlags(body, flags);
    different = differentLocals(flagged, different);
    const cutter = new Cutter(different, common, flags);
    const { cut } = cutter.cut(flagged);
    if (cutter.missing.size > 0) {
      for (const label of cutter.missing) flags.set(label, { type: 'i32', range: FLAG });
      continue;
    }
    const { places, demoted, bytes } = keep(cut, different, options);
    if (demoted.size === 0) return { body: join(cut, options, places, bytes), frameBytes: bytes };
    for (const local of demoted) (shared === 'own' ? different : common).add(local);
  }
}

/** Adds flags that tell whether an invocation took a branch to a label. */
function withFlags(body: readonly Statement[], flags: ReadonlyMap<Label, Local>): Statement[] {
  if (flags.size === 0) return [...body];
  return body.flatMap((statement): Statement[] => {
    if (statement.kind === 'if')
      return [{ ...statement, yes: withFlags(statement.yes, flags), no: withFlags(statement.no, flags) }];
    const flag = 'label' in statement ? flags.get(statement.label) : undefined;
    const set = (value: number): Statement[] =>
      flag ? [{ kind: 'set', local: flag, value: i32(value) }] : [];
    if (statement.kind === 'branch') return [...set(1), statement];
    if ('body' in statement)
      return [{ ...statement, body: [...set(0), ...withFlags(statement.body, flags)] }];
    return [statement];
  });
}

const hasBarrier = (statement: Statement): boolean =>
  statement.kind === 'barrier' || bodiesOf(statement).some((body) => body.some(hasBarrier));

const withoutBarriers = (body: readonly Statement[]): Statement[] =>
  body.flatMap((statement): Statement[] => {
    if (statement.kind === 'barrier') return [];
    if (statement.kind === 'if')
      return [{ ...statement, yes: withoutBarriers(statement.yes), no: withoutBarriers(statement.no) }];
    return ['body' in statement ? { ...statement, body: withoutBarriers(statement.body) } : statement];
  });

/** Whether a value may differ between invocations. */
function differs(node: WasmNode, different: ReadonlySet<Local>): boolean {
  if (node.kind === 'get') return different.has(node.local);
  if (node.kind === 'load' && node.writable) return true;
  return argsOf(node).some((arg) => differs(arg, different));
}

/** The variables that may differ between invocations: they are set to different values, or by some invocations only. */
function differentLocals(body: readonly Statement[], known: ReadonlySet<Local>): Set<Local> {
  const different = new Set(known);
  /** Returns the labels of branches that only some invocations take. */
  const walk = (statements: readonly Statement[], divided: boolean): Set<Label> => {
    const left = new Set<Label>();
    for (const statement of statements) {
      const apart = divided || left.size > 0;
      switch (statement.kind) {
        case 'set':
          if (apart || differs(statement.value, different)) different.add(statement.local);
          break;
        case 'branch':
          if (apart) left.add(statement.label);
          break;
        case 'if': {
          const inside = apart || differs(statement.condition, different);
          for (const part of bodiesOf(statement)) for (const label of walk(part, inside)) left.add(label);
          break;
        }
        case 'block':
          for (const label of walk(statement.body, apart)) if (label !== statement.label) left.add(label);
          break;
        case 'loop': {
          let found = walk(statement.body, apart);
          // Invocations that left do not run the next round.
          if (found.size > 0) found = walk(statement.body, true);
          for (const label of found) if (label !== statement.label) left.add(label);
        }
      }
    }
    return left;
  };
  for (let before = -1; before !== different.size;) {
    before = different.size;
    walk(body, false);
  }
  return different;
}

/** Cuts a kernel into regions, and statements between them that run once. */
class Cutter {
  /** Labels that need a flag: invocations that left a region for them must skip what follows it. */
  readonly missing = new Set<Label>();
  /** The loops that are cut, by label. */
  private readonly loops = new Map<Label, Statement>();

  constructor(
    private readonly different: ReadonlySet<Local>,
    /** Variables that only statements between regions may set. */
    private readonly common: ReadonlySet<Local>,
    private readonly flags: ReadonlyMap<Label, Local>,
  ) {}

  /** Also returns the labels for which some invocations left before the end. */
  cut(body: readonly Statement[]): { cut: Cut[]; left: Set<Label> } {
    const output: Cut[] = [];
    const left = new Set<Label>();
    let region: Statement[] = [];
    let exits = new Set<Label>();
    const flush = () => {
      for (const label of exits) {
        const loop = this.loops.get(label);
        if (loop) throw notReached(loop);
      }
      if (region.length > 0) output.push({ kind: 'region', body: region, exits });
      for (const label of exits) left.add(label);
      region = [];
      exits = new Set();
    };
    for (const statement of body) {
      if (left.size > 0 && exits.size === 0) {
        // Invocations that left skip what follows.
        for (const label of left) {
          const flag = this.flags.get(label);
          if (!flag) this.missing.add(label);
          else region.push({ kind: 'if', condition: get(flag), yes: [{ kind: 'branch', label }], no: [] });
        }
        exits = new Set(left);
      }
      if (exits.size > 0) {
        // Some invocations have left, so the others must not wait for them.
        if (hasBarrier(statement)) throw notReached(statement);
        region.push(statement);
        for (const label of escapes(statement)) exits.add(label);
        continue;
      }
      const leaving = escapes(statement);
      if (statement.kind === 'barrier') flush();
      else if (
        hasBarrier(statement) ||
        (leaving.size > 0 && !this.divides(statement)) ||
        (statement.kind !== 'set' && setsAny(statement, this.common))
      ) {
        flush();
        const inner = this.inside(statement);
        output.push(inner.cut);
        for (const label of inner.left) left.add(label);
      } else if (leaving.size > 0) {
        region.push(statement);
        exits = leaving;
      } else if (
        statement.kind === 'set' &&
        !this.different.has(statement.local) &&
        !differs(statement.value, this.different)
      ) {
        if (region.some((one) => mentions(one, statement.local))) flush();
        // It is uniform, and the region does not use it.
        output.push(statement);
      } else region.push(statement);
    }
    flush();
    return { cut: output, left };
  }

  private inside(statement: Statement): { cut: Cut; left: Set<Label> } {
    switch (statement.kind) {
      case 'if': {
        if (differs(statement.condition, this.different)) throw notReached(statement);
        const [yes, no] = [this.cut(statement.yes), this.cut(statement.no)];
        return { cut: { ...statement, yes: yes.cut, no: no.cut }, left: new Set([...yes.left, ...no.left]) };
      }
      case 'block':
      case 'loop': {
        if (statement.kind === 'loop') this.loops.set(statement.label, statement);
        const { cut, left } = this.cut(statement.body);
        left.delete(statement.label);
        return { cut: { ...statement, body: cut }, left };
      }
      default:
        return { cut: statement, left: new Set() };
    }
  }

  /** Whether a branch out of the statement may be taken by some invocations only. */
  private divides(statement: Statement): boolean {
    if (statement.kind === 'branch') return false;
    if (statement.kind === 'if' && differs(statement.condition, this.different))
      return escapes(statement).size > 0;
    return bodiesOf(statement).some((body) => body.some((one) => escapes(one).size > 0 && this.divides(one)));
  }
}

/** All invocations reach it, or it would have been refused before, but it takes more to see that than is looked at here. */
const notReached = (statement: Statement): SourceError =>
  new SourceError(
    barrierIn(statement) ?? 0,
    'a barrier under a condition on what differs between invocations elsewhere is not supported',
  );

/** The place of the first barrier in a statement. */
function barrierIn(statement: Statement): number | undefined {
  if (statement.kind === 'barrier') return statement.at;
  for (const inner of bodiesOf(statement).flat()) {
    const at = barrierIn(inner);
    if (at !== undefined) return at;
  }
  return undefined;
}

const setsAny = (statement: Statement, locals: ReadonlySet<Local>): boolean =>
  (statement.kind === 'set' && locals.has(statement.local)) ||
  (locals.size > 0 && bodiesOf(statement).some((body) => body.some((one) => setsAny(one, locals))));

/** The labels outside a statement to which branches in it lead. */
function escapes(statement: Statement): Set<Label> {
  const found = new Set<Label>();
  const visit = (one: Statement) => {
    if (one.kind === 'branch') found.add(one.label);
    for (const body of bodiesOf(one)) body.forEach(visit);
  };
  const own = (one: Statement) => {
    if (one.kind === 'block' || one.kind === 'loop') found.delete(one.label);
    for (const body of bodiesOf(one)) body.forEach(own);
  };
  visit(statement);
  own(statement);
  return found;
}

function mentions(statement: Statement, local: Local): boolean {
  if (statement.kind === 'set' && statement.local === local) return true;
  let found = false;
  for (const node of nodesOf(statement)) readsOf(node, (one) => (found ||= one === local));
  return found || bodiesOf(statement).some((body) => body.some((one) => mentions(one, local)));
}

/** The variables that a region reads and sets. */
interface Uses {
  read: Set<Local>;
  set: Set<Local>;
  /** Those in `set` that are not set on every path. */
  maybe: Set<Local>;
}

function usesOf(body: readonly Statement[]): Uses {
  const uses: Uses = { read: new Set(), set: new Set(), maybe: new Set() };
  const visit = (statements: readonly Statement[], always: boolean) => {
    for (const statement of statements) {
      for (const node of nodesOf(statement)) readsOf(node, (local) => uses.read.add(local));
      if (statement.kind === 'set') {
        uses.set.add(statement.local);
        if (!always) uses.maybe.add(statement.local);
      }
      for (const inner of bodiesOf(statement)) visit(inner, false);
    }
  };
  visit(body, true);
  return uses;
}

function regionsOf(cut: readonly Cut[]): Region[] {
  return cut.flatMap((one) => {
    if (one.kind === 'region') return [one];
    if (one.kind === 'if') return [...regionsOf(one.yes), ...regionsOf(one.no)];
    return 'body' in one ? regionsOf(one.body) : [];
  });
}

/**
 * Gives variables that several regions use a place in each invocation's memory. `demoted` are the uniform ones among them,
 * which a region would set once per invocation.
 */
function keep(
  cut: readonly Cut[],
  different: ReadonlySet<Local>,
  { builtins, frameBytes }: InvocationsOptions,
): { places: Map<Local, number>; demoted: Set<Local>; bytes: number } {
  const own = new Set<Local>([builtins.index, builtins.frame, ...builtins.local]);
  const where = new Map<Local, Set<Region | undefined>>();
  const note = (local: Local, region: Region | undefined) => {
    if (own.has(local)) return;
    const known = where.get(local);
    if (known) known.add(region);
    else where.set(local, new Set([region]));
  };
  const changed = new Set<Local>();
  for (const region of regionsOf(cut)) {
    const { read, set } = usesOf(region.body);
    for (const local of [...read, ...set]) note(local, region);
    for (const local of set) changed.add(local);
  }
  const outside = (list: readonly Cut[]) => {
    for (const one of list) {
      if (one.kind === 'region') continue;
      if (one.kind === 'set') note(one.local, undefined);
      const nodes = one.kind === 'if' ? [one.condition] : 'body' in one ? [] : nodesOf(one);
      for (const node of nodes) readsOf(node, (local) => note(local, undefined));
      if (one.kind === 'if') [one.yes, one.no].forEach(outside);
      else if ('body' in one) outside(one.body);
    }
  };
  outside(cut);
  const places = new Map<Local, number>();
  const demoted = new Set<Local>();
  let bytes = frameBytes;
  for (const [local, regions] of where) {
    if (regions.size < 2 || !changed.has(local)) continue;
    if (!different.has(local)) demoted.add(local);
    const size = local.type === 'v128' ? 16 : 4;
    const offset = Math.ceil(bytes / size) * size;
    places.set(local, offset);
    bytes = offset + size;
  }
  return { places, demoted, bytes: Math.ceil(bytes / 16) * 16 };
}

/** Replaces regions by loops over all invocations. */
function join(
  cut: readonly Cut[],
  options: InvocationsOptions,
  places: ReadonlyMap<Local, number>,
  frameBytes: number,
): Statement[] {
  const { builtins, frames } = options;
  return cut.flatMap((one): Statement[] => {
    if (one.kind === 'if')
      return [
        {
          ...one,
          yes: join(one.yes, options, places, frameBytes),
          no: join(one.no, options, places, frameBytes),
        },
      ];
    if (one.kind === 'block' || one.kind === 'loop')
      return [{ ...one, body: join(one.body, options, places, frameBytes) }];
    if (one.kind !== 'region') return [one];
    const { read, set, maybe } = usesOf(one.body);
    const kept = [...places].filter(([local]) => read.has(local) || set.has(local));
    const before = kept
      .filter(([local]) => read.has(local) || maybe.has(local) || one.exits.size > 0)
      .map(([local, offset]): Statement => {
        const value = load(local.type, get(builtins.frame), offset, true);
        return { kind: 'set', local, value: { ...value, range: local.range } };
      });
    const after = kept
      .filter(([local]) => set.has(local))
      .map(([local, offset]): Statement => ({
        kind: 'store',
        address: get(builtins.frame),
        offset,
        value: { ...get(local) },
      }));
    const address = op('i32.add', get(frames), op('i32.mul', get(builtins.index), i32(frameBytes)));
    const frame: Statement = { kind: 'set', local: builtins.frame, value: address };
    return each(one, options, [frame, ...before], after);
  });
}

/** A region as a loop over all invocations. */
function each(
  { body, exits }: Region,
  { builtins: { index, local }, workgroup: [x, y, z] }: InvocationsOptions,
  before: readonly Statement[],
  after: readonly Statement[],
): Statement[] {
  const threads = x * y * z;
  const at = get(index);
  const places = [
    op('i32.rem_u', at, i32(x)),
    op('i32.rem_u', op('i32.div_u', at, i32(x)), i32(y)),
    op('i32.div_u', at, i32(x * y)),
  ];
  const wrapped = [...exits].reduce<Statement[]>(
    (inner, label) => [{ kind: 'block', label, body: inner }],
    [...body],
  );
  const sets = places.map((value, i): Statement => ({ kind: 'set', local: local[i], value }));
  const inside = [...sets, ...before, ...wrapped, ...after];
  if (threads === 1) return inside;
  const again = Symbol();
  return [
    { kind: 'set', local: index, value: i32(0) },
    {
      kind: 'loop',
      label: again,
      body: [
        ...inside,
        { kind: 'set', local: index, value: op('i32.add', at, i32(1)) },
        {
          kind: 'if',
          condition: op('i32.lt_u', { ...get(index), range: { min: 0, max: threads } }, i32(threads)),
          yes: [{ kind: 'branch', label: again }],
          no: [],
        },
      ],
    },
  ];
}

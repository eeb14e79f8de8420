/**
 * A rule on the list of dispatches: small dispatches of one kernel, which write memory from outside the plan (gradients of
 * parameters, running statistics) that nothing reads for a while, become one dispatch. Every dispatch costs a GPU some
 * microseconds, however little it does. See shaders/common/tasks.wgsl for how a kernel finds its task.
 */
import { assert } from '../base/assert.ts';
import { alignUp } from '../base/shape.ts';
import type { BufferRange, GpuBuffer } from '../gpu/ledger.ts';
import { grid, tensorBytes, type DispatchSpec, type Storage, type Task, type Tensor } from './dispatch.ts';
import { ALIGNMENT } from './memory.ts';
import { accessOf, isPlaced, type Recorded } from './liveness.ts';
import type { PlanBuilder } from './plan.ts';

/**
 * The most bytes that tasks of one dispatch read. They are kept in memory until it runs, and a large GPU's cache should still
 * have them then.
 */
const MOST_BYTES = 8 * 2 ** 20;

/** What tasks share. */
interface Job {
  label: string;
  /** A kernel that imports common/tasks. */
  kernel: DispatchSpec['kernel'];
  spread?: number;
}

const groupsIn = (tasks: readonly Task[]): number => tasks.reduce((sum, { groups }) => sum + groups, 0);

/** Adds tasks to `plan`: as one dispatch, or together with others of the same kernel. */
export function planTasks(plan: PlanBuilder, { label, kernel, spread }: Job, tasks: readonly Task[]): void {
  const named = tasks.flatMap(({ input, output }, i) => [
    [`input ${i}`, input],
    [`output ${i}`, output],
  ]);
  plan.dispatch({
    label,
    kernel,
    tensors: Object.fromEntries(named),
    tasks,
    workgroups: grid(groupsIn(tasks), 1),
    ...(spread === undefined ? {} : { spread }),
  });
}

/** Dispatches with tasks, of one kernel, whose outputs are in one buffer from outside the plan. */
interface Batch<R> {
  key: string;
  buffer: GpuBuffer;
  members: R[];
}

const tasksOf = (members: readonly Recorded[]): Task[] => members.flatMap(({ spec }) => spec.tasks ?? []);

/** Bytes of what tasks read. */
const inputBytes = (tasks: readonly Task[]): number =>
  [...new Set(tasks.map(({ input }) => input.storage))].reduce((sum, { bytes }) => sum + bytes, 0);

const homesOf = (tensors: readonly Tensor[]): BufferRange[] =>
  tensors.flatMap((tensor) => {
    const { home } = tensor.storage;
    return home ? [{ ...home, bytes: tensorBytes(tensor) }] : [];
  });

/** The range that covers them all. */
function cover(ranges: readonly BufferRange[]): BufferRange {
  const offset = Math.min(...ranges.map((range) => range.offset));
  const end = Math.max(...ranges.map((range) => range.offset + range.bytes));
  return { buffer: ranges[0].buffer, offset, bytes: end - offset };
}

const overlap = (a: BufferRange, b: BufferRange): boolean =>
  a.buffer === b.buffer && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;

/**
 * The dispatches with those that have tasks put together, and as kernels bind them.
 * @param kept tensors that are read after the plan has run
 * @param binding the most bytes of a binding
 * @param short whether memory is short: then no sums wait, only what is no part of the passes
 */
export function withTasks<R extends Recorded>(
  recorded: readonly R[],
  kept: ReadonlySet<Storage>,
  binding: number,
  short = false,
): readonly R[] {
  const found: R[] = [];
  const moved = new Map<Storage, Storage>();
  let batches: Batch<R>[] = [];
  const flush = (batch: Batch<R>) => {
    batches = batches.filter((other) => other !== batch);
    found.push(together(batch.members, moved));
  };
  for (const one of recorded) {
    for (const batch of batches) if (touches(one, batch)) flush(batch);
    const { tasks } = one.spec;
    if (!tasks) {
      found.push(one);
      continue;
    }
    const waits = !short || one.spec.part?.pass === 'update';
    const batch = waits ? batchOf(one, tasks, kept) : undefined;
    if (!batch) {
      for (const some of apart(tasks))
        found.push(together([{ ...one, spec: { ...one.spec, tasks: some } }], moved));
      continue;
    }
    const open = batches.find(({ key, buffer }) => key === batch.key && buffer === batch.buffer);
    if (open && fits([...open.members, one], binding)) open.members.push(one);
    else {
      if (open) flush(open);
      batches.push(batch);
    }
  }
  for (const batch of batches) flush(batch);
  if (moved.size === 0) return found;
  return found.map((one) => ({ ...one, spec: { ...one.spec, tensors: renamed(one.spec.tensors, moved) } }));
}

/**
 * Whether a dispatch uses what a batch writes, or writes what it reads. Nothing waits beyond the passes: what a task reads
 * could not be recomputed once the parameters have changed.
 */
function touches(one: Recorded, { members }: Batch<Recorded>): boolean {
  if (one.spec.part?.pass === 'update' && !one.spec.tasks) return true;
  const tasks = tasksOf(members);
  const outputs = homesOf(tasks.map(({ output }) => output));
  const inputs = new Set(tasks.map(({ input }) => input.storage));
  const written = one.spec.tasks?.map(({ output }) => output.storage) ?? accessOf(one).written;
  return (
    written.some((storage) => inputs.has(storage)) ||
    homesOf(Object.values(one.spec.tensors)).some((home) => outputs.some((output) => overlap(home, output)))
  );
}

/** A batch of one dispatch; undefined if it cannot wait for others. */
function batchOf<R extends Recorded>(
  one: R,
  tasks: readonly Task[],
  kept: ReadonlySet<Storage>,
): Batch<R> | undefined {
  const buffers = new Set(tasks.map(({ output }) => output.storage.home?.buffer));
  const [buffer] = buffers;
  const waits = tasks.every(({ input: { storage } }) => isPlaced(storage) && !kept.has(storage));
  if (buffers.size !== 1 || !buffer || !waits || inputBytes(tasks) > MOST_BYTES) return undefined;
  return { key: JSON.stringify(one.spec.kernel), buffer, members: [one] };
}

function fits(members: readonly Recorded[], binding: number): boolean {
  const tasks = tasksOf(members);
  const outputs = cover(homesOf(tasks.map(({ output }) => output)));
  return inputBytes(tasks) <= Math.min(MOST_BYTES, binding) && outputs.bytes <= binding;
}

/** Tasks that cannot be put together, by their output's memory: one binding for each. */
function apart(tasks: readonly Task[]): Task[][] {
  const by = new Map<GpuBuffer | Storage, Task[]>();
  for (const task of tasks) {
    const { storage } = task.output;
    const key = storage.home?.buffer ?? storage;
    by.set(key, [...(by.get(key) ?? []), task]);
  }
  return [...by.values()];
}

/** One dispatch for those of `members`. @param moved receives their inputs' new places, in memory that they share */
function together<R extends Recorded>(members: readonly R[], moved: Map<Storage, Storage>): R {
  const [first] = members;
  const tasks = tasksOf(members);
  const { tasks: _, label: own, part, ...spec } = first.spec;
  const label = members.length > 1 ? `${own} and ${members.length - 1} more` : own;
  const { tensor: inputs, placeOf } = sharedInputs(label, tasks, moved);
  const homes = homesOf(tasks.map(({ output }) => output));
  const home = homes.length > 0 ? cover(homes) : undefined;
  const outputs: Tensor = home
    ? { label, shape: [home.bytes / 4], type: 'f32', storage: { label, bytes: home.bytes, home } }
    : tasks[0].output;
  const workgroups = grid(groupsIn(tasks), 1);
  const table = tableOf(tasks, workgroups[0] * workgroups[1], ({ input, from = 0, output }) => [
    placeOf(input.storage) / 4 + from,
    ((output.storage.home?.offset ?? 0) - (home?.offset ?? 0)) / 4,
  ]);
  const contents = { label: `${label} tasks`, bytes: table.byteLength, contents: table };
  const layers = new Set(members.map((one) => one.spec.part?.layer));
  return {
    ...first,
    spec: {
      ...spec,
      label,
      tensors: {
        tasks: { label: contents.label, shape: [table.length], type: 'f32', storage: contents },
        inputs,
        outputs,
      },
      workgroups,
      bytes: tasks.reduce((sum, { input, output }) => sum + tensorBytes(input) + tensorBytes(output), 0),
      ...(part ? { part: layers.size > 1 ? { pass: part.pass } : part } : {}),
    },
  };
}

/** One tensor of all inputs, and where in it each lies, in bytes. */
function sharedInputs(
  label: string,
  tasks: readonly Task[],
  moved: Map<Storage, Storage>,
): { tensor: Tensor; placeOf: (storage: Storage) => number } {
  const storages = [...new Set(tasks.map(({ input }) => input.storage))];
  if (storages.length === 1) return { tensor: tasks[0].input, placeOf: () => 0 };
  const places = new Map<Storage, number>();
  let end = 0;
  for (const storage of storages) {
    places.set(storage, end);
    end += alignUp(storage.bytes, ALIGNMENT);
  }
  const storage: Storage = { label: `${label} inputs`, bytes: end };
  for (const [own, offset] of places) {
    assert(isPlaced(own) && !moved.has(own), `${label}: ${own.label} has its place already`);
    moved.set(own, { ...own, within: { storage, offset } });
  }
  const tensor: Tensor = { label: storage.label, shape: [end / 4], type: 'f32', storage };
  return { tensor, placeOf: (own) => places.get(own) ?? 0 };
}

/** The row of every workgroup's task, then the rows: the task's first workgroup, its input, its output, its numbers. */
function tableOf(
  tasks: readonly Task[],
  groups: number,
  placesOf: (task: Task) => readonly [input: number, output: number],
): Uint32Array<ArrayBuffer> {
  const rows: number[] = [];
  const table: number[] = [];
  for (const task of tasks) {
    const row = groups + rows.length;
    rows.push(table.length, ...placesOf(task), ...task.numbers);
    for (let i = 0; i < task.groups; i++) table.push(row);
  }
  // In a grid that is folded, the last ones have nothing to do.
  while (table.length < groups) table.push(table[table.length - 1]);
  return Uint32Array.from([...table, ...rows]);
}

const renamed = (tensors: DispatchSpec['tensors'], moved: ReadonlyMap<Storage, Storage>) =>
  Object.fromEntries(
    Object.entries(tensors).map(([name, tensor]): [string, Tensor] => {
      const storage = moved.get(tensor.storage);
      return [name, storage ? { ...tensor, storage } : tensor];
    }),
  );

/** How a task's numbers hold a float. */
export const bitsOf = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0];

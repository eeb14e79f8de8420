/**
 * A network's parameters on the GPU: all values in one buffer, all gradients in another, each optimiser state in one of
 * its own, so that an optimiser step is one dispatch. Beside them lie the network's buffers (running statistics), which
 * no optimiser sees. All but the gradients are persistent state, in one list: the contents of a snapshot.
 */
import { owning, type Owned } from '../base/owned.ts';
import { assert } from '../base/assert.ts';
import { Failure } from '../base/result.ts';
import { alignUp, elements, requireShape, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import { wholeBuffer, type GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import type { Layout as TensorLayout } from './dispatch.ts';
import { initialize, type WeightsInit } from './init.ts';
import type { BufferEntry, EntryLayout, ParameterEntry, ParameterLayout, TensorLookup } from './network.ts';
import type { Optimizer } from './optimizers/optimizer.ts';
import {
  grid,
  placed,
  placedIn,
  tensorBytes,
  type NumberType,
  type PlanBuilder,
  type Tensor,
} from './plan.ts';

/** Parameters and buffers by PyTorch's state_dict names and in its layouts. */
export type StateDict = ReadonlyMap<string, { shape: Shape; data: Float32Array }>;

/** The state that a step changes and the next one reads, flat, by its name in `ParameterStore.persistentState`. */
export type ParameterSnapshot = Readonly<Record<string, Float32Array<ArrayBuffer>>>;

const VALUES = 'parameters';
const BUFFERS = 'buffers';
const SCALING = 'loss_scaling';
const AVERAGE = { [VALUES]: 'average_parameters', [BUFFERS]: 'average_buffers' } as const;

export interface StoreOptions {
  /** Whether there are averages of parameters and buffers. If so, inference uses them and they are saved. */
  averages?: boolean;
  /** The initial loss scale. Absent: the loss is not scaled. */
  lossScale?: number;
  /** Weights that are multiplied with activations are copied to this type and layout at every step. Absent: there is no copy. */
  copy?: CopyForm;
}

interface CopyForm {
  type: NumberType;
  layout: TensorLayout;
}

interface StoreParts {
  device: Device;
  layout: ParameterLayout;
  persistentState: Readonly<Record<string, GpuBuffer>>;
  /** Undefined for inference. */
  gradients: GpuBuffer | undefined;
  /** Names of the optimiser's states. */
  states: readonly string[];
  lossScale: number | undefined;
  copy: (CopyForm & { buffer: GpuBuffer }) | undefined;
  owned: Owned;
}

export class ParameterStore {
  readonly layout: ParameterLayout;
  /**
   * Persistent state: "parameters", "buffers" if the network has any, the optimiser's states, and if enabled the averages of
   * the first two, and the loss scale with the steps since it changed.
   */
  readonly persistentState: Readonly<Record<string, GpuBuffer>>;

  private constructor(private readonly parts: StoreParts) {
    this.layout = parts.layout;
    this.persistentState = parts.persistentState;
  }

  /** @param optimizer absent for inference, without gradients */
  static async create(
    device: Device,
    layout: ParameterLayout,
    optimizer: Optimizer | undefined,
    { averages = false, lossScale, copy: form }: StoreOptions = {},
  ): Promise<ParameterStore> {
    return owning(async (owned) => {
      const storage = async (label: string, bytes: number) =>
        owned.own(await device.ledger.storage(label, bytes));
      const persistentState: Record<string, GpuBuffer> = {};
      const add = async (name: string, length: number) => {
        assert(!(name in persistentState), `two entries of the persistent state are called ${name}`);
        if (length > 0) persistentState[name] = await storage(name, length * 4);
      };
      await add(VALUES, layout.length);
      await add(BUFFERS, layout.buffers.length);
      const states = optimizer?.states ?? [];
      for (const name of states) await add(name, layout.length);
      if (averages) {
        await add(AVERAGE[VALUES], layout.length);
        await add(AVERAGE[BUFFERS], layout.buffers.length);
      }
      if (lossScale !== undefined) await add(SCALING, 2);
      const gradients = optimizer && (await storage('gradients', layout.length * 4));
      const copy = form && {
        ...form,
        buffer: await storage('copied weights', layout.length * sizeOf(form.type)),
      };
      return new ParameterStore({
        device,
        layout,
        persistentState,
        gradients,
        states,
        lossScale,
        copy,
        owned,
      });
    });
  }

  /** One parameter's gradient, by its state_dict name. */
  readonly gradient: TensorLookup = (name) => part(this.layout, this.parts.gradients, name);

  /** The tensors that a step trains, by their state_dict names. */
  get trained(): { parameters: TensorLookup; buffers: TensorLookup } {
    return this.tensors((name) => this.persistentState[name]);
  }

  /** The tensors used for inference: the averages, if there are any. By their state_dict names. */
  get forInference(): { parameters: TensorLookup; buffers: TensorLookup } {
    return this.tensors((name) => this.persistentState[AVERAGE[name]] ?? this.persistentState[name]);
  }

  /** Pairs of values and their average, flat, and what lies in them. */
  get averaged(): { values: Tensor; average: Tensor; entries: readonly (ParameterEntry | BufferEntry)[] }[] {
    const { layout, persistentState } = this;
    return ([VALUES, BUFFERS] as const).flatMap((name) => {
      const average = persistentState[AVERAGE[name]];
      const shape = [this.lengthOf(name)];
      const { entries } = name === VALUES ? layout : layout.buffers;
      return average
        ? { values: placedIn(persistentState[name], shape), average: placedIn(average, shape), entries }
        : [];
    });
  }

  /** The copied weights, by their state_dict names; undefined if there are none. */
  get copied(): TensorLookup | undefined {
    const { copy, layout } = this.parts;
    return copy && ((name) => ({ ...part(layout, copy.buffer, name, copy.type), layout: copy.layout }));
  }

  /** Adds a dispatch to `plan` that updates the copied weights, if there are any. */
  copy(plan: PlanBuilder): void {
    const { copy } = this.parts;
    if (!copy) return;
    const { entries, length } = this.layout;
    const table = copyBlocks(entries, copy.layout);
    const blocks = table.length / COPY_WORDS;
    if (blocks === 0) return;
    const count = entries.reduce((sum, entry) => sum + (entry.narrow ? entry.length : 0), 0);
    plan.dispatch({
      label: 'copy weights',
      kernel: { shader: 'parameters/copy_weights', constants: { Number: copy.type } },
      tensors: {
        parameters: placedIn(this.persistentState[VALUES], [length]),
        blocks: plan.constant('blocks of weights', table),
        copied: placedIn(copy.buffer, [length], copy.type),
      },
      uniforms: { blocks },
      workgroups: grid(blocks, 1),
      bytes: count * (4 + sizeOf(copy.type)),
      part: { pass: 'forward' },
    });
  }

  /** The loss scale and the steps since it changed; undefined if the loss is not scaled. */
  get scaling(): Tensor | undefined {
    return this.parts.lossScale === undefined ? undefined : placedIn(this.persistentState[SCALING], [2]);
  }

  /** All parameters, flat, as the optimiser binds them. */
  get flat(): { parameters: Tensor; gradients: Tensor; states: Record<string, Tensor> } {
    assert(this.parts.gradients !== undefined, 'a network for inference has no gradients');
    const shape = [this.layout.length];
    return {
      parameters: placedIn(this.persistentState[VALUES], shape),
      gradients: placedIn(this.parts.gradients, shape),
      states: Object.fromEntries(
        this.parts.states.map((name) => [name, placedIn(this.persistentState[name], shape)]),
      ),
    };
  }

  /**
   * Random initial values from `seed`, initial buffers, optimiser states zero.
   * @param given the first values of some parameters, by name, in place of random ones
   */
  initialize(seed: number, init?: WeightsInit, given?: ReadonlyMap<string, Float32Array>): void {
    const values = new Float32Array(this.layout.length);
    for (const entry of this.layout.entries) {
      const name = entry.name.slice(entry.layer.length + 1);
      values.set(initialize(seed, entry.name, { ...entry, name }, init), entry.offset);
      values.set(given?.get(entry.name) ?? [], entry.offset);
    }
    this.reset({ [VALUES]: values });
  }

  /**
   * Sets parameters and buffers from a state_dict, and optimiser states to zero.
   * @throws Failure('bad-input') if one is missing, unknown or of another shape; then nothing has changed
   */
  load(dict: StateDict): void {
    this.reset(flatten(this.layout, dict));
  }

  /**
   * Sets the state from `from`. Missing averages start as copies of their source, missing buffers with initial values,
   * everything else as before the first step.
   * @throws Failure('bad-input') if something is of another length; then nothing has changed
   */
  reset(from: ParameterSnapshot): void {
    const buffers = from[BUFFERS] ?? freshBuffers(this.layout);
    const start: ParameterSnapshot = {
      [BUFFERS]: buffers,
      [AVERAGE[VALUES]]: from[VALUES],
      [AVERAGE[BUFFERS]]: buffers,
      [SCALING]: Float32Array.of(this.parts.lossScale ?? 1, 0),
      ...from,
    };
    this.restore(
      Object.fromEntries(
        Object.keys(this.persistentState).map((name) => [
          name,
          start[name] ?? new Float32Array(this.lengthOf(name)),
        ]),
      ),
    );
  }

  /**
   * Sets all persistent state.
   * @throws Failure('bad-input') if something is missing, unknown or of another length; then nothing has changed
   */
  restore(snapshot: ParameterSnapshot): void {
    const names = Object.keys(this.persistentState);
    const unknown = Object.keys(snapshot).find((name) => !names.includes(name));
    if (unknown !== undefined) {
      const known = names.map((name) => `"${name}"`).join(', ');
      throw new Failure('bad-input', `the persistent state of this run is ${known}; found "${unknown}"`);
    }
    for (const name of names) {
      const length = this.lengthOf(name);
      const found = snapshot[name]?.length ?? 0;
      if (found !== length)
        throw new Failure('bad-input', `"${name}": expected ${length} values, found ${found}`);
    }
    const { queue } = this.parts.device;
    for (const name of names) queue.writeBuffer(this.persistentState[name].raw, 0, snapshot[name]);
    if (this.parts.gradients)
      queue.writeBuffer(this.parts.gradients.raw, 0, new Float32Array(this.layout.length));
  }

  async snapshot(readback: Readback): Promise<ParameterSnapshot> {
    return (await this.startSnapshot(readback)).snapshot;
  }

  /** Submits copies of all persistent state: what is submitted after this resolves does not change the snapshot, which comes later. */
  startSnapshot(readback: Readback): Promise<{ snapshot: Promise<ParameterSnapshot> }> {
    return this.startReading(readback, Object.keys(this.persistentState));
  }

  /** See `stateDictOf`. */
  async stateDict(readback: Readback): Promise<StateDict> {
    const names = [VALUES, BUFFERS, AVERAGE[VALUES], AVERAGE[BUFFERS]];
    const { snapshot } = await this.startReading(readback, names);
    return stateDictOf(this.layout, await snapshot);
  }

  destroy(): void {
    this.parts.owned.destroy();
  }

  /** Length of an entry of the persistent state, in values. */
  private lengthOf(name: string): number {
    if (name === SCALING) return 2;
    return name === BUFFERS || name === AVERAGE[BUFFERS] ? this.layout.buffers.length : this.layout.length;
  }

  /** Those of `names` that are persistent state here. */
  private async startReading(
    readback: Readback,
    names: readonly string[],
  ): Promise<{ snapshot: Promise<ParameterSnapshot> }> {
    const found = names.filter((name) => this.persistentState[name]);
    const ranges = found.map((name) => ({
      ...wholeBuffer(this.persistentState[name]),
      bytes: 4 * this.lengthOf(name),
    }));
    const { bytes } = await readback.start(ranges);
    const snapshot = bytes.then((read) =>
      Object.fromEntries(read.map((one, i) => [found[i], new Float32Array(one)])),
    );
    // Its failure is handled when it is awaited.
    snapshot.catch(() => undefined);
    return { snapshot };
  }

  private tensors(home: (name: keyof typeof AVERAGE) => GpuBuffer | undefined) {
    const { layout } = this;
    const parameters: TensorLookup = (name) => part(layout, home(VALUES), name);
    const buffers: TensorLookup = (name) => part(layout.buffers, home(BUFFERS), name);
    return { parameters, buffers };
  }
}

type EntryPlace = Pick<ParameterLayout['entries'][number], 'name' | 'shape' | 'offset' | 'length'>;

/** Parameters and buffers for inference: the averages, if there are any. In PyTorch's order. */
export function stateDictOf(layout: ParameterLayout, snapshot: ParameterSnapshot): StateDict {
  const values = snapshot[AVERAGE[VALUES]] ?? snapshot[VALUES];
  const buffers = snapshot[AVERAGE[BUFFERS]] ?? snapshot[BUFFERS];
  const found = new Map<string, { shape: Shape; data: Float32Array }>();
  const put = ({ entries }: EntryLayout<EntryPlace>, from: Float32Array) => {
    for (const { name, shape, offset, length } of entries)
      found.set(name, { shape, data: from.slice(offset, offset + length) });
  };
  put(layout, values);
  if (buffers) put(layout.buffers, buffers);
  put(
    { ...layout.buffers, entries: layout.buffers.entries.filter(({ counts }) => counts) },
    snapshot[BUFFERS],
  );
  return new Map(layout.names.map((name) => [name, found.get(name) as { shape: Shape; data: Float32Array }]));
}

/**
 * A state_dict in the layout of parameters and buffers on the GPU.
 * @throws Failure('bad-input') if one is missing, unknown or of another shape
 */
export function flatten(layout: ParameterLayout, dict: StateDict): ParameterSnapshot {
  const unknown = [...dict.keys()].filter((name) => !layout.names.includes(name));
  if (unknown.length > 0) {
    const some = unknown.slice(0, 3).map((name) => `"${name}"`);
    const more = unknown.length > some.length ? ` and ${unknown.length - some.length} more of the file` : '';
    throw new Failure('bad-input', `the model has no parameter ${some.join(', ')}${more}`);
  }
  const given = (what: string, entries: readonly EntryPlace[]) =>
    entries.map((entry) => {
      const tensor = dict.get(entry.name);
      if (!tensor) throw new Failure('bad-input', `${what} "${entry.name}" is missing`);
      requireShape(`${what} "${entry.name}"`, tensor.shape, entry.shape);
      return { tensor, offset: entry.offset };
    });
  const known = layout.buffers.entries.filter(({ optional, name }) => !optional || dict.has(name));
  // All are checked before memory is taken for any.
  const [parameters, others] = [given('parameter', layout.entries), given('buffer', known)];
  const values = new Float32Array(layout.length);
  const buffers = freshBuffers(layout);
  for (const { tensor, offset } of parameters) values.set(tensor.data, offset);
  for (const { tensor, offset } of others) buffers.set(tensor.data, offset);
  return { [VALUES]: values, [BUFFERS]: buffers };
}

/** Initial buffers. */
function freshBuffers({ buffers: { length, entries } }: ParameterLayout): Float32Array<ArrayBuffer> {
  const buffers = new Float32Array(length);
  for (const { offset, length: count, initial } of entries) buffers.fill(initial, offset, offset + count);
  return buffers;
}

/** Bytes per value. */
const sizeOf = (type: NumberType) => tensorBytes({ shape: [1], type });

/** Words in the table of shaders/parameters/copy_weights.wgsl for each workgroup, and filters and channels that it copies. */
const [COPY_WORDS, COPIED] = [5, 256];

function copyBlocks(entries: ParameterLayout['entries'], layout: TensorLayout): Uint32Array<ArrayBuffer> {
  const words: number[] = [];
  for (const { narrow, shape, offset, length } of entries) {
    if (!narrow) continue;
    const [, channels, ...window] = shape;
    const [across, positions] =
      layout === 'nhwc' && window.length > 0 ? [channels, elements(window)] : [1, 1];
    const count = length / positions;
    for (let first = 0; first < count; first += COPIED)
      words.push(offset, across, positions, first, Math.min(COPIED, count - first));
  }
  return Uint32Array.from(words);
}

function part(
  { entries }: EntryLayout<EntryPlace>,
  buffer: GpuBuffer | undefined,
  name: string,
  type: NumberType = 'f32',
): Tensor {
  const entry = entries.find((one) => one.name === name);
  if (!entry || !buffer) throw new Error(`wgrad bug: no parameter or buffer ${name}`);
  const bytes = sizeOf(type);
  const home = { buffer, offset: entry.offset * bytes, bytes: alignUp(entry.length * bytes, 4) };
  return placed(name, entry.shape, home, type);
}

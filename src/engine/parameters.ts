/**
 * A network's parameters on the GPU: all values in one buffer, all gradients in another, each optimiser state in one of
 * its own, so that an optimiser step is one dispatch. Beside them lie the network's buffers (running statistics), which
 * no optimiser sees.
 */
import { Failure } from '../base/result.ts';
import { requireShape, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import { wholeBuffer, type GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import { initialize } from './init.ts';
import type { Layout, ParameterLayout, TensorLookup } from './network.ts';
import type { Optimizer } from './optimizers/optimizer.ts';
import { placed, placedIn, type Tensor } from './plan.ts';

/** Parameters and buffers by PyTorch's state_dict names and in its layouts. */
export type StateDict = ReadonlyMap<string, { shape: Shape; data: Float32Array }>;

/** Everything that a step changes, as it lies on the GPU: what to keep to go on from here. */
export interface ParameterSnapshot {
  values: Float32Array<ArrayBuffer>;
  buffers: Float32Array<ArrayBuffer>;
  states: Record<string, Float32Array<ArrayBuffer>>;
}

export class ParameterStore {
  private constructor(
    private readonly device: Device,
    readonly layout: ParameterLayout,
    private readonly values: GpuBuffer,
    private readonly gradients: GpuBuffer,
    /** Undefined where the network has none. */
    private readonly buffers: GpuBuffer | undefined,
    private readonly states: Readonly<Record<string, GpuBuffer>>,
  ) {}

  static async create(
    device: Device,
    layout: ParameterLayout,
    optimizer: Optimizer,
  ): Promise<ParameterStore> {
    const bytes = layout.length * 4;
    const values = await device.ledger.storage('parameters', bytes);
    const gradients = await device.ledger.storage('gradients', bytes);
    const { length } = layout.buffers;
    const buffers = length > 0 ? await device.ledger.storage('buffers', length * 4) : undefined;
    const states: Record<string, GpuBuffer> = {};
    for (const name of optimizer.states) states[name] = await device.ledger.storage(name, bytes);
    return new ParameterStore(device, layout, values, gradients, buffers, states);
  }

  /** One parameter's tensor, by its state_dict name. */
  readonly value: TensorLookup = (name) => part(this.layout, this.values, name);
  readonly gradient: TensorLookup = (name) => part(this.layout, this.gradients, name);
  /** One buffer's tensor, by its state_dict name. */
  readonly buffer: TensorLookup = (name) => part(this.layout.buffers, this.buffers, name);

  /** All of them, flat, as the optimiser takes them. */
  get flat(): { parameters: Tensor; gradients: Tensor; states: Record<string, Tensor> } {
    const shape = [this.layout.length];
    return {
      parameters: placedIn(this.values, shape),
      gradients: placedIn(this.gradients, shape),
      states: Object.fromEntries(
        Object.entries(this.states).map(([name, buffer]) => [name, placedIn(buffer, shape)]),
      ),
    };
  }

  /** Fresh values drawn from `seed`, buffers as they start, optimiser states zero. */
  initialize(seed: number): void {
    const values = new Float32Array(this.layout.length);
    for (const entry of this.layout.entries) {
      const name = entry.name.slice(entry.layer.length + 1);
      values.set(initialize(seed, entry.name, { ...entry, name }), entry.offset);
    }
    this.restore({ values, buffers: this.freshBuffers(), states: {} });
  }

  /**
   * Takes values and buffers from a state_dict, optimiser states zero.
   * @throws Failure('bad-input') if one is missing, unknown or of another shape; then nothing has changed
   */
  load(dict: StateDict): void {
    const { layout } = this;
    const unknown = [...dict.keys()].filter((name) => !layout.names.includes(name));
    if (unknown.length > 0) {
      throw new Failure(
        'bad-input',
        `the model has no parameter ${unknown.map((name) => `"${name}"`).join(', ')}`,
      );
    }
    const values = new Float32Array(layout.length);
    const buffers = this.freshBuffers();
    const take = (entry: EntryPlace, what: string, to: Float32Array) => {
      const tensor = dict.get(entry.name);
      if (!tensor) throw new Failure('bad-input', `${what} "${entry.name}" is missing`);
      requireShape(`${what} "${entry.name}"`, tensor.shape, entry.shape);
      to.set(tensor.data, entry.offset);
    };
    for (const entry of layout.entries) take(entry, 'parameter', values);
    for (const entry of layout.buffers.entries) {
      if (!entry.optional || dict.has(entry.name)) take(entry, 'buffer', buffers);
    }
    this.restore({ values, buffers, states: {} });
  }

  /** Sets values, buffers and states; states that are not given become zero. */
  restore({ values, buffers, states }: ParameterSnapshot): void {
    const { queue } = this.device;
    queue.writeBuffer(this.values.raw, 0, values);
    if (this.buffers) queue.writeBuffer(this.buffers.raw, 0, buffers);
    const zeros = new Float32Array(this.layout.length);
    queue.writeBuffer(this.gradients.raw, 0, zeros);
    for (const [name, buffer] of Object.entries(this.states))
      queue.writeBuffer(buffer.raw, 0, states[name] ?? zeros);
  }

  async snapshot(readback: Readback): Promise<ParameterSnapshot> {
    const names = Object.keys(this.states);
    const read = (buffer: GpuBuffer) => readback.floats(wholeBuffer(buffer));
    const [values, buffers, ...states] = await Promise.all([
      read(this.values),
      this.buffers ? read(this.buffers) : new Float32Array(),
      ...names.map((name) => read(this.states[name])),
    ]);
    return { values, buffers, states: Object.fromEntries(names.map((name, i) => [name, states[i]])) };
  }

  /** Parameters and buffers, in PyTorch's order. */
  async stateDict(readback: Readback): Promise<StateDict> {
    const { layout } = this;
    const values = await readback.floats(wholeBuffer(this.values));
    const buffers = this.buffers && (await readback.floats(wholeBuffer(this.buffers)));
    const found = new Map<string, { shape: Shape; data: Float32Array }>();
    const put = ({ entries }: Layout<EntryPlace>, from: Float32Array) => {
      for (const { name, shape, offset, length } of entries)
        found.set(name, { shape, data: from.slice(offset, offset + length) });
    };
    put(layout, values);
    if (buffers) put(layout.buffers, buffers);
    return new Map(
      layout.names.map((name) => [name, found.get(name) as { shape: Shape; data: Float32Array }]),
    );
  }

  destroy(): void {
    const { values, gradients, buffers, states } = this;
    for (const buffer of [values, gradients, ...(buffers ? [buffers] : []), ...Object.values(states)])
      buffer.destroy();
  }

  private freshBuffers(): Float32Array<ArrayBuffer> {
    const buffers = new Float32Array(this.layout.buffers.length);
    for (const { offset, length, initial } of this.layout.buffers.entries)
      buffers.fill(initial, offset, offset + length);
    return buffers;
  }
}

type EntryPlace = Pick<ParameterLayout['entries'][number], 'name' | 'shape' | 'offset' | 'length'>;

function part({ entries }: Layout<EntryPlace>, buffer: GpuBuffer | undefined, name: string): Tensor {
  const entry = entries.find((one) => one.name === name);
  if (!entry || !buffer) throw new Error(`wgrad bug: no parameter or buffer ${name}`);
  return placed(name, entry.shape, { buffer, offset: entry.offset * 4, bytes: entry.length * 4 });
}

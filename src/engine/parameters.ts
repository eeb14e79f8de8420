/**
 * A network's parameters on the GPU: all values in one buffer, all gradients in another, each optimiser state in one of
 * its own, so that an optimiser step is one dispatch.
 */
import { Failure } from '../base/result.ts';
import { requireShape, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import { wholeBuffer, type GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import { initialize } from './init.ts';
import type { ParameterEntry, ParameterLayout, TensorLookup } from './network.ts';
import type { Optimizer } from './optimizers/optimizer.ts';
import { placed, placedIn, type Tensor } from './plan.ts';

/** Parameters by PyTorch's state_dict names and in its layouts. */
export type StateDict = ReadonlyMap<string, { shape: Shape; data: Float32Array }>;

/** Everything that a step changes, as it lies on the GPU: what to keep to go on from here. */
export interface ParameterSnapshot {
  values: Float32Array<ArrayBuffer>;
  states: Record<string, Float32Array<ArrayBuffer>>;
}

export class ParameterStore {
  private constructor(
    private readonly device: Device,
    readonly layout: ParameterLayout,
    private readonly values: GpuBuffer,
    private readonly gradients: GpuBuffer,
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
    const states: Record<string, GpuBuffer> = {};
    for (const name of optimizer.states) states[name] = await device.ledger.storage(name, bytes);
    return new ParameterStore(device, layout, values, gradients, states);
  }

  /** One parameter's tensor, by its state_dict name. */
  readonly value: TensorLookup = (name) => this.part(this.values, name);
  readonly gradient: TensorLookup = (name) => this.part(this.gradients, name);

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

  /** Fresh values drawn from `seed`, optimiser states zero. */
  initialize(seed: number): void {
    const values = new Float32Array(this.layout.length);
    for (const entry of this.layout.entries) {
      const name = entry.name.slice(entry.layer.length + 1);
      values.set(initialize(seed, entry.name, { ...entry, name }), entry.offset);
    }
    this.restore({ values, states: {} });
  }

  /**
   * Takes values from a state_dict, optimiser states zero.
   * @throws Failure('bad-input') if a parameter is missing, unknown or of another shape; then nothing has changed
   */
  load(dict: StateDict): void {
    const unknown = [...dict.keys()].filter(
      (name) => !this.layout.entries.some((entry) => entry.name === name),
    );
    if (unknown.length > 0) {
      throw new Failure(
        'bad-input',
        `the model has no parameter ${unknown.map((name) => `"${name}"`).join(', ')}`,
      );
    }
    const values = new Float32Array(this.layout.length);
    for (const { name, shape, offset } of this.layout.entries) {
      const tensor = dict.get(name);
      if (!tensor) throw new Failure('bad-input', `parameter "${name}" is missing`);
      requireShape(`parameter "${name}"`, tensor.shape, shape);
      values.set(tensor.data, offset);
    }
    this.restore({ values, states: {} });
  }

  /** Sets values and states; states that are not given become zero. */
  restore({ values, states }: Partial<ParameterSnapshot> & Pick<ParameterSnapshot, 'values'>): void {
    const { queue } = this.device;
    queue.writeBuffer(this.values.raw, 0, values);
    const zeros = new Float32Array(this.layout.length);
    queue.writeBuffer(this.gradients.raw, 0, zeros);
    for (const [name, buffer] of Object.entries(this.states))
      queue.writeBuffer(buffer.raw, 0, states?.[name] ?? zeros);
  }

  async snapshot(readback: Readback): Promise<ParameterSnapshot> {
    const names = Object.keys(this.states);
    const [values, ...states] = await Promise.all(
      [this.values, ...names.map((name) => this.states[name])].map((buffer) =>
        readback.floats(wholeBuffer(buffer)),
      ),
    );
    return { values, states: Object.fromEntries(names.map((name, i) => [name, states[i]])) };
  }

  async stateDict(readback: Readback): Promise<StateDict> {
    const values = await readback.floats(wholeBuffer(this.values));
    const slice = ({ offset, length }: ParameterEntry) => values.slice(offset, offset + length);
    return new Map(
      this.layout.entries.map((entry) => [entry.name, { shape: entry.shape, data: slice(entry) }]),
    );
  }

  destroy(): void {
    for (const buffer of [this.values, this.gradients, ...Object.values(this.states)]) buffer.destroy();
  }

  private part(buffer: GpuBuffer, name: string): Tensor {
    const entry = this.layout.entries.find((one) => one.name === name);
    if (!entry) throw new Error(`wgrad bug: no parameter ${name}`);
    return placed(name, entry.shape, { buffer, offset: entry.offset * 4, bytes: entry.length * 4 });
  }
}

/**
 * A copy of a network's parameters and buffers: what runs on it gives consistent results, however far the run has
 * trained meanwhile.
 */
import { owning, type Owned } from '../base/owned.ts';
import { assert } from '../base/assert.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import type { ParameterLayout, TensorLookup } from './network.ts';
import { placed } from './plan.ts';

/** By state_dict names. */
export interface NetworkState {
  parameters: TensorLookup;
  buffers: TensorLookup;
}

export class ParameterCopy implements NetworkState {
  readonly parameters: TensorLookup;
  readonly buffers: TensorLookup;

  /** @param copies the run's GPU buffers, each with its copy */
  private constructor(
    private readonly copies: ReadonlyMap<GpuBuffer, GpuBuffer>,
    { parameters, buffers }: NetworkState,
    private readonly owned: Owned,
  ) {
    this.parameters = this.copied(parameters);
    this.buffers = this.copied(buffers);
  }

  /** Allocates it, with undefined contents. Frees what was allocated if something fails. */
  static async create(device: Device, layout: ParameterLayout, state: NetworkState): Promise<ParameterCopy> {
    const tensors = [
      ...layout.entries.map(({ name }) => state.parameters(name)),
      ...layout.buffers.entries.map(({ name }) => state.buffers(name)),
    ];
    return owning(async (owned) => {
      const copies = new Map<GpuBuffer, GpuBuffer>();
      for (const { label, storage } of tensors) {
        assert(storage.home !== undefined, `${label} lies in a plan`);
        const { buffer } = storage.home;
        if (copies.has(buffer)) continue;
        copies.set(buffer, owned.own(await device.ledger.storage(`copied ${buffer.label}`, buffer.bytes)));
      }
      return new ParameterCopy(copies, state, owned);
    });
  }

  /** Adds commands that copy the current values. */
  encode(encoder: GPUCommandEncoder): void {
    for (const [from, to] of this.copies) encoder.copyBufferToBuffer(from.raw, 0, to.raw, 0, to.bytes);
  }

  destroy(): void {
    this.owned.destroy();
  }

  private copied(lookup: TensorLookup): TensorLookup {
    return (name) => {
      const { label, shape, type, storage } = lookup(name);
      const buffer = storage.home && this.copies.get(storage.home.buffer);
      assert(storage.home !== undefined && buffer !== undefined, `${name} was not copied`);
      return placed(label, shape, { ...storage.home, buffer }, type);
    };
  }
}

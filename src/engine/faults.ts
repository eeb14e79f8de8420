/**
 * Detects gradients and parameters that are not finite. The optimiser's kernel, which sees every gradient and every new
 * parameter, records the first of each in a ring that is read with the metrics.
 */
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import { FAULT_WORDS, NOWHERE } from './optimizers/update.ts';
import { placedIn, type Tensor } from './plan.ts';

/** A gradient, or a parameter after the step, that is infinite or NaN. */
export interface Fault {
  of: 'gradient' | 'parameter';
  /** The parameter's state_dict name. */
  name: string;
}

/** A range of slots that does not wrap around the ring's end. */
export interface Slots {
  first: number;
  count: number;
}

interface FaultPlace {
  name: string;
  offset: number;
  length: number;
}

export class FaultRing {
  private constructor(
    private readonly device: Device,
    private readonly buffer: GpuBuffer,
    private readonly places: readonly FaultPlace[],
  ) {}

  /** @param places where parameters lie in the flat buffers, in values */
  static async create(device: Device, slots: number, places: readonly FaultPlace[]): Promise<FaultRing> {
    return new FaultRing(device, await device.ledger.storage('faults', slots * FAULT_WORDS * 4), places);
  }

  /** In the form that optimisers bind. */
  get tensor(): Tensor {
    return placedIn(this.buffer, [this.buffer.bytes / 4 / FAULT_WORDS, FAULT_WORDS]);
  }

  /** Call before the steps of these slots are submitted. */
  clear({ first, count }: Slots): void {
    const nothing = new Uint32Array(count * FAULT_WORDS).fill(NOWHERE);
    this.device.queue.writeBuffer(this.buffer.raw, first * FAULT_WORDS * 4, nothing);
  }

  /** By slot: a bad gradient, else a bad parameter, else undefined. */
  async read(readback: Readback, { first, count }: Slots): Promise<(Fault | undefined)[]> {
    const bytes = FAULT_WORDS * 4;
    const words = new Uint32Array(
      await readback.read({ buffer: this.buffer, offset: first * bytes, bytes: count * bytes }),
    );
    return Array.from({ length: count }, (_, i) => {
      const [gradient, parameter] = words.subarray(i * FAULT_WORDS);
      if (gradient !== NOWHERE) return { of: 'gradient', name: this.nameAt(gradient) };
      if (parameter !== NOWHERE) return { of: 'parameter', name: this.nameAt(parameter) };
      return undefined;
    });
  }

  destroy(): void {
    this.buffer.destroy();
  }

  private nameAt(place: number): string {
    const found = this.places.findLast(({ offset }) => offset <= place);
    if (!found) throw new Error(`wgrad bug: no parameter at ${place}`);
    return found.name;
  }
}

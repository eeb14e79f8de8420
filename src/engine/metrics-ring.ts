/**
 * The metrics of the last steps until they are read: a ring with one slot per step. A slot holds the loss, the number
 * of correct predictions, the first values that are not finite, and what is measured on request.
 */
import { owning, type Owned } from '../base/owned.ts';
import type { OptionalMetric } from '../run/metrics/table.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import { FaultRing, type Fault, type Slots } from './faults.ts';
import { METRICS_FLOATS } from './loss/index.ts';
import {
  measured,
  measuredLayers,
  planMeasures,
  SUMS,
  type MeasuredLayer,
  type MeasureTensors,
} from './measures.ts';
import type { ParameterLayout } from './network.ts';
import { placedIn, type PlanBuilder, type Tensor } from './plan.ts';

/** The number of steps whose metrics the ring holds. */
const SLOTS = 1024;

/** A step's metrics by their keys in src/run/metrics; optional ones if enabled. */
export type StepMetrics = {
  /** Mean over the batch. */
  loss: number;
  /** 0 to 1, of the batch, before the step. */
  accuracy: number;
  /** Values besides the loss that are not finite. */
  fault?: Fault;
} & Partial<Record<OptionalMetric, number>>;

export interface MetricsRingOptions {
  batchSize: number;
  layout: ParameterLayout;
  /** Whether steps measure more than loss and accuracy: see measures.ts. */
  measures: boolean;
}

export class MetricsRing {
  /** The slot that no step writes; evaluation uses it. */
  static readonly SPARE = SLOTS;

  private constructor(
    private readonly options: MetricsRingOptions,
    private readonly losses: GpuBuffer,
    private readonly faults: FaultRing,
    /** The layers, and the sums of each by slot; undefined if steps do not measure them. */
    private readonly measures: { layers: readonly MeasuredLayer[]; sums: GpuBuffer } | undefined,
    private readonly owned: Owned,
  ) {}

  static async create(device: Device, options: MetricsRingOptions): Promise<MetricsRing> {
    const { ledger } = device;
    const { layout, measures } = options;
    return owning(async (owned) => {
      const { own } = owned;
      const losses = own(await ledger.storage('metrics', (SLOTS + 1) * METRICS_FLOATS * 4));
      const faults = own(await FaultRing.create(device, SLOTS, layout.entries));
      const layers = measuredLayers(layout);
      const bytes = SLOTS * layers.length * SUMS * 4;
      const summed = measures
        ? { layers, sums: own(await ledger.storage('squares by step', bytes)) }
        : undefined;
      return new MetricsRing(options, losses, faults, summed, owned);
    });
  }

  /** [slots + 1, 2]: per slot, the sum of losses and the number of correct predictions. */
  get tensor(): Tensor {
    return placedIn(this.losses, [SLOTS + 1, METRICS_FLOATS]);
  }

  /** By slot, in the form that optimisers bind. */
  get faultsTensor(): Tensor {
    return this.faults.tensor;
  }

  /**
   * Adds the dispatches that measure a training step, if any. Returns a function that adds those after the optimiser's.
   */
  plan(plan: PlanBuilder, tensors: Omit<MeasureTensors, 'layers' | 'values'>): () => void {
    if (!this.measures) return () => undefined;
    const { layers, sums } = this.measures;
    return planMeasures(plan, { ...tensors, layers, values: placedIn(sums, [SLOTS, layers.length, SUMS]) });
  }

  slotOf(step: number): number {
    return step % SLOTS;
  }

  /** Call before submitting `count` steps from step `first`. */
  clear(first: number, count: number): void {
    for (const slots of slotsFrom(first, count)) this.faults.clear(slots);
  }

  /** The metrics of `count` steps from step `first`. Waits for them. */
  async read(readback: Readback, first: number, count: number): Promise<StepMetrics[]> {
    if (count > SLOTS) throw new Error(`wgrad bug: metrics of ${count} steps`);
    const { batchSize } = this.options;
    const { layers = [], sums: ring } = this.measures ?? {};
    const columns = layers.length * SUMS;
    const read = async (slots: Slots): Promise<StepMetrics[]> => {
      const floats = (buffer: GpuBuffer, row: number) =>
        readback.floats({ buffer, offset: slots.first * row * 4, bytes: slots.count * row * 4 });
      const [losses, faults, sums] = await Promise.all([
        floats(this.losses, METRICS_FLOATS),
        this.faults.read(readback, slots),
        ring && floats(ring, columns),
      ]);
      return faults.map((fault, i) => ({
        loss: losses[i * METRICS_FLOATS] / batchSize,
        accuracy: losses[i * METRICS_FLOATS + 1] / batchSize,
        ...(sums && measured(layers, sums.subarray(i * columns, (i + 1) * columns))),
        fault,
      }));
    };
    return (await Promise.all(slotsFrom(first, count).map(read))).flat();
  }

  destroy(): void {
    this.owned.destroy();
  }
}

/** The slots of `count` steps from step `first`, in order: two ranges where they wrap around the ring's end. */
function slotsFrom(first: number, count: number): Slots[] {
  const slot = first % SLOTS;
  const beforeWrap = Math.min(count, SLOTS - slot);
  return [
    { first: slot, count: beforeWrap },
    ...(beforeWrap < count ? [{ first: 0, count: count - beforeWrap }] : []),
  ];
}

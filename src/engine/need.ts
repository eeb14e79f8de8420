/** How much GPU memory training a network needs, to the byte, before any is allocated. */
import { dryDevice } from '../gpu/dry.ts';
import type { Device } from '../gpu/device.ts';
import type { LedgerEntry } from '../gpu/ledger.ts';
import type { SampleSet } from './samples.ts';
import { STEP, Trainer, type TrainerOptions } from './trainer.ts';

/**
 * What memory is for. `activations` are all tensors of a training step that the plan allocates, workspaces
 * included, which share memory unless they are live together; `states` are the optimiser's, `data` the images and
 * labels of all sets, `evaluation` is what evaluating adds; `rest` is per-step data, uniforms, tables, the plan that
 * predicts one image, and staging for read-back.
 */
const MEMORY_KINDS = [
  'parameters',
  'gradients',
  'states',
  'buffers',
  'activations',
  'data',
  'evaluation',
  'rest',
] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

export interface MemoryNeed {
  /** Total. */
  bytes: number;
  kinds: Record<MemoryKind, number>;
  /** Dispatches of a step that recompute activations. */
  recomputed: number;
}

/**
 * Simulates a run on a device that allocates nothing: preparation, a step, an evaluation and a checkpoint.
 * @param device only its limits and adapter are read
 * @throws Failure('out-of-memory') if a buffer or a tensor is larger than the GPU allows
 */
export async function memoryNeed(device: Device, options: TrainerOptions): Promise<MemoryNeed> {
  const dry = dryDevice(device);
  const { ledger } = dry;
  const kinds = Object.fromEntries(MEMORY_KINDS.map((kind) => [kind, 0])) as Record<MemoryKind, number>;
  const blank = ({ images, labels, count }: SampleSet): SampleSet => ({
    images: new Uint8Array(images.length),
    labels: new Uint8Array(labels.length),
    count,
  });
  const trainer = await Trainer.create(dry, {
    ...options,
    train: blank(options.train),
    ...(options.validation ? { validation: blank(options.validation) } : {}),
    ...(options.test ? { test: blank(options.test) } : {}),
  });
  const states = Object.keys(trainer.parameters.persistentState);
  for (const entry of ledger.entries) kinds[kindOf(entry, states)] += entry.bytes;
  let { bytes } = ledger;
  const add = (kind: MemoryKind) => {
    kinds[kind] += ledger.bytes - bytes;
    ({ bytes } = ledger);
  };
  trainer.submit([{ indices: new Uint32Array(options.batchSize) }]);
  await trainer.readMetrics(1);
  add('rest');
  for (const split of ['test', 'validation'] as const) if (options[split]) await trainer.evaluate(split);
  add('evaluation');
  await trainer.parameters.snapshot(trainer.readback);
  add('rest');
  const recomputed = trainer.plan.dispatches.filter((dispatch) => dispatch.recomputed).length;
  return { bytes, kinds, recomputed };
}

/** @param states the persistent state: parameters, buffers and optimiser states */
function kindOf({ label }: LedgerEntry, states: readonly string[]): MemoryKind {
  if (label === 'parameters' || label === 'gradients' || label === 'buffers') return label;
  if (label === 'copied weights') return 'parameters';
  if (states.includes(label)) return 'states';
  if (label.startsWith(`${STEP} activations`)) return 'activations';
  if (/^(train|validation|test) /.test(label)) return 'data';
  return 'rest';
}

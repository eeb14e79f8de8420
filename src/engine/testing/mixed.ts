/** Small networks that use every op, and how much their steps in mixed precision differ from those in 32 bits. */
import type { Device } from '../../gpu/device.ts';
import type { Layer } from '../graph.ts';
import type { NumberType } from '../plan.ts';
import sgd from '../optimizers/rules/sgd.ts';
import type { StateDict } from '../parameters.ts';
import { Trainer } from '../trainer.ts';
import { relativeError } from './check.ts';
import { labels } from './fixtures.ts';
import { pretendMatrices } from './gpu.ts';

const CLASSES = 5;
const INPUT = [3, 12, 12];
const BATCH = 6;

const layer = (op: string, attributes: Layer['attributes'] = {}, inputs?: string[]) => ({
  op,
  attributes,
  ...(inputs ? { inputs } : {}),
});
const conv = (outChannels: number, size: number, more: object = {}) =>
  layer('conv', {
    outChannels,
    kernelSize: [size, size],
    padding: [(size - 1) / 2, (size - 1) / 2],
    ...more,
  });
const named = (layers: Readonly<Record<string, Omit<Layer, 'name'>>>): Layer[] =>
  Object.entries(layers).map(([name, one]) => ({ name, ...one }));
const end = { flatten: layer('flatten'), fc: layer('linear', { outFeatures: CLASSES }) };

/** By name. Planes of 144 and 36 values are multiples of four, those of 9 and 25 are not. */
const NETWORKS: Readonly<Record<string, Layer[]>> = {
  'residual blocks with batch norm': named({
    c1: conv(8, 3, { bias: false }),
    n1: layer('batch_norm'),
    r1: layer('relu'),
    c2: conv(8, 3, { bias: false }),
    n2: layer('batch_norm'),
    a1: layer('add', {}, ['n2', 'r1']),
    r2: layer('relu'),
    c3: conv(8, 3, { stride: [4, 4], bias: false }),
    n3: layer('batch_norm'),
    r3: layer('relu'),
    c4: conv(8, 1),
    a2: layer('add', {}, ['c4', 'r3']),
    r4: layer('relu'),
    pool: layer('adaptive_avg_pool', { outputSize: [1, 1] }),
    ...end,
  }),
  'pooling and activations without a linear layer before the last': named({
    c1: conv(16, 5),
    r1: layer('relu'),
    p1: layer('max_pool', { kernelSize: [2, 2] }),
    c2: conv(16, 3, { groups: 2 }),
    f2: layer('silu'),
    p2: layer('avg_pool', { kernelSize: [2, 2] }),
    c3: conv(8, 3),
    p3: layer('adaptive_max_pool', { outputSize: [2, 2] }),
    c4: conv(8, 2, { padding: [0, 0] }),
    ...end,
  }),
  'group and instance norm, padding': named({
    c1: conv(8, 3),
    n1: layer('group_norm', { numGroups: 2 }),
    r1: layer('relu'),
    c2: conv(6, 3, { stride: [2, 2] }),
    n2: layer('instance_norm', { affine: true }),
    r2: layer('relu'),
    m: layer('pad', { padding: [2, 1], mode: 'reflect' }),
    c3: conv(5, 3, { stride: [2, 2] }),
    p: layer('pad', { padding: { top: 0, bottom: 1, left: 2, right: 0 }, value: 0.5 }),
    n3: layer('instance_norm'),
    ...end,
  }),
  'pooling, groups, concatenation': named({
    c1: conv(6, 5),
    r1: layer('relu'),
    p1: layer('max_pool', { kernelSize: [2, 2] }),
    c2: conv(6, 3, { groups: 6 }),
    p2: layer('avg_pool', { kernelSize: [2, 2] }, ['p1']),
    p3: layer('max_pool', { kernelSize: [2, 2] }, ['c2']),
    both: layer('concat', {}, ['p2', 'p3']),
    r2: layer('relu'),
    p4: layer('adaptive_max_pool', { outputSize: [2, 2] }),
    ...end,
  }),
  'activations, maxout, linear layers': named({
    c1: conv(6, 3),
    f1: layer('elu'),
    c2: conv(6, 1),
    f2: layer('gelu'),
    c3: conv(6, 1),
    f3: layer('silu'),
    c4: conv(6, 1),
    f4: layer('leaky_relu'),
    c5: conv(6, 1),
    f8: layer('clip', { min: -1, max: 2 }),
    c6: conv(6, 1),
    f9: layer('hard_swish'),
    c7: conv(6, 1),
    f10: layer('selu'),
    c8: conv(6, 1),
    f12: layer('prelu', { numParameters: 6 }),
    m: layer('maxout', { pieces: 2 }),
    flatten: layer('flatten'),
    fc1: layer('linear', { outFeatures: 30 }),
    f5: layer('tanh'),
    fc2: layer('linear', { outFeatures: 30 }),
    f6: layer('sigmoid'),
    fc3: layer('linear', { outFeatures: 30 }),
    f7: layer('softplus'),
    fc4: layer('linear', { outFeatures: 30 }),
    f11: layer('hard_sigmoid'),
    fc6: layer('linear', { outFeatures: 30 }),
    r: layer('relu'),
    d: layer('dropout', { p: 0.25 }),
    fc5: layer('linear', { outFeatures: CLASSES }),
    s: layer('scale', { factor: 0.5 }),
  }),
};

export const MIXED_NETWORKS: readonly string[] = Object.keys(NETWORKS);
/** Differences over all networks. */
export const MIXED_LAYERS: readonly Layer[] = Object.values(NETWORKS).flat();

export interface MixedDifference {
  /** Relative difference of the first step's loss. */
  loss: number;
  /** The largest difference of a parameter's gradient, relative to the gradient's largest value. */
  gradient: { name: string; error: number };
}

const SETTINGS = { ...sgd.defaults, lr: 1 };

/** @param name one of MIXED_NETWORKS */
export const mixedTrainer = (device: Device, name: string, number: NumberType): Promise<Trainer> =>
  openTrainer(device, NETWORKS[name], number);

async function openTrainer(
  device: Device,
  layers: readonly Layer[],
  number: NumberType | undefined,
): Promise<Trainer> {
  const pixels = labels(1, BATCH * 3 * 12 * 12, 256).data;
  const train = {
    images: Uint8Array.from(pixels),
    labels: Uint8Array.from(labels(2, BATCH, CLASSES).data),
    count: BATCH,
  };
  return Trainer.create(device, {
    layers,
    input: INPUT,
    classes: CLASSES,
    batchSize: BATCH,
    optimizer: sgd,
    settings: SETTINGS,
    train,
    normalisation: { mean: [0.5, 0.5, 0.5], std: [0.25, 0.25, 0.25] },
    ...(number ? { mixed: { number, scaling: { initial: 2 ** 10, patience: 1000 } } } : {}),
  });
}

/** A step of gradient descent with a learning rate of 1 subtracts the gradient from the parameters. */
async function firstStep(device: Device, layers: readonly Layer[], number: NumberType | undefined) {
  const trainer = await openTrainer(device, layers, number);
  try {
    trainer.parameters.initialize(1);
    const before = await trainer.parameters.stateDict(trainer.readback);
    const indices = Uint32Array.from({ length: BATCH }, (_, i) => i);
    trainer.submit([{ ...sgd.stepFields(1, SETTINGS), indices, seed: 7 }]);
    const [{ loss }] = await trainer.readMetrics(1);
    const after: StateDict = await trainer.parameters.stateDict(trainer.readback);
    const gradients = new Map(
      [...before].map(([name, { data }]) => [
        name,
        data.map((v, i) => v - (after.get(name)?.data[i] ?? NaN)),
      ]),
    );
    return { loss, gradients };
  } finally {
    trainer.destroy();
  }
}

/** The first step of a network in mixed precision. The parameters are those of `mixedDifference`. */
export function mixedStep(device: Device, name: string, number: NumberType, onMatrices: boolean) {
  const restore = onMatrices ? pretendMatrices(device.adapter) : undefined;
  return firstStep(device, NETWORKS[name], number).finally(restore);
}

/**
 * @param name one of MIXED_NETWORKS
 * @param onMatrices with emulated tensor cores, so that activations are in NHWC if the network suits that
 */
export async function mixedDifference(
  device: Device,
  name: string,
  number: NumberType,
  onMatrices = false,
): Promise<MixedDifference> {
  const wanted = await firstStep(device, NETWORKS[name], undefined);
  const found = await mixedStep(device, name, number, onMatrices);
  const gradient = { name: '', error: 0 };
  for (const [own, numbers] of wanted.gradients) {
    const error = relativeError(found.gradients.get(own) ?? new Float32Array(), numbers);
    if (error > gradient.error) Object.assign(gradient, { name: own, error });
  }
  return { loss: Math.abs(found.loss - wanted.loss) / wanted.loss, gradient };
}

/** The memory that a run needs is predicted to the byte, and recomputation changes no bit. */
import { expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { elements } from '../base/shape.ts';
import { models } from '../models/index.ts';
import type { Layer } from './network.ts';
import { memoryNeed } from './need.ts';
import { optimizers } from './optimizers/registry.ts';
import type { ParameterSnapshot } from './parameters.ts';
import { testDevice } from './testing/gpu.ts';
import { Trainer, type TrainerOptions } from './trainer.ts';

const IMAGES = 21;
const STEPS = 3;

const conv = (name: string, outChannels: number, ...inputs: string[]): Layer => ({
  name,
  op: 'conv',
  attributes: { outChannels, kernelSize: [3, 3], padding: [1, 1] },
  ...(inputs.length > 0 ? { inputs } : {}),
});
const layer = (name: string, op: string, ...inputs: string[]): Layer => ({
  name,
  op,
  ...(inputs.length > 0 ? { inputs } : {}),
});

/** A network with branches, saved tensors for backward, and random numbers in every step. */
const branches = {
  input: [1, 8, 8],
  classes: 4,
  layers: [
    conv('a', 4),
    layer('na', 'batch_norm'),
    layer('ra', 'relu'),
    conv('b', 4),
    layer('nb', 'batch_norm'),
    { ...layer('k', 'concat', 'nb', 'ra', 'input') },
    conv('c', 8),
    layer('nc', 'batch_norm'),
    layer('rc', 'relu'),
    { ...layer('drop', 'dropout'), attributes: { p: 0.25 } },
    conv('d', 8),
    layer('s', 'add', 'd', 'drop'),
    layer('rs', 'relu'),
    { ...layer('pool', 'max_pool'), attributes: { kernelSize: [2, 2], stride: [2, 2] } },
    layer('g', 'gelu'),
    conv('e', 8),
    layer('ne', 'batch_norm'),
    layer('re', 'relu'),
    layer('flat', 'flatten'),
    { ...layer('fc', 'linear'), attributes: { outFeatures: 4 } },
  ],
};

function optionsOf(
  { layers, input, classes }: Pick<TrainerOptions, 'layers' | 'input' | 'classes'>,
  batchSize: number,
  name: string,
): TrainerOptions {
  const optimizer = optimizers.get(name);
  const random = new Random(1, 'need');
  const channels = (value: number) => new Array<number>(input[0]).fill(value);
  const set = (count: number) => ({
    images: Uint8Array.from({ length: count * elements(input) }, () => random.below(256)),
    labels: Uint8Array.from({ length: count }, () => random.below(classes)),
    count,
  });
  return {
    layers,
    input,
    classes,
    batchSize,
    optimizer,
    train: set(IMAGES),
    test: set(7),
    clipNorm: 1,
    settings: { ...optimizer.defaults, lr: 0.01, momentum: name === 'sgd' ? 0.9 : 0 },
    normalisation: { mean: channels(0.5), std: channels(0.25) },
  };
}

/** Runs a few steps, an evaluation and a snapshot, and compares the ledger. */
async function train(options: TrainerOptions) {
  const device = await testDevice();
  const { batchSize, optimizer, settings } = options;
  const trainer = await Trainer.create(device, options);
  try {
    trainer.parameters.initialize(1);
    trainer.submit(
      Array.from({ length: STEPS }, (_, step) => ({
        ...optimizer.stepFields(step + 1, settings),
        seed: step,
        indices: Uint32Array.from({ length: batchSize }, (__, i) => (step * batchSize + i) % IMAGES),
      })),
    );
    const metrics = await trainer.readMetrics(STEPS);
    const evaluation = await trainer.evaluate('test');
    const snapshot = await trainer.parameters.snapshot(trainer.readback);
    const recomputed = trainer.plan.dispatches.filter((dispatch) => dispatch.recomputed).length;
    return { metrics, evaluation, snapshot, recomputed, entries: device.ledger.entries };
  } finally {
    trainer.destroy();
    await device.idle();
    expect(device.ledger.bytes).toBe(0);
  }
}

const bitsOf = (snapshot: ParameterSnapshot) =>
  Object.fromEntries(
    Object.entries(snapshot).map(([name, values]) => [name, [...new Uint32Array(values.buffer)]]),
  );

const cases = [
  ['branches', branches, 16, 'sgd'],
  ['branches, few images', branches, 5, 'adam'],
  ['ResNet-8', models.get('resnet8'), 6, 'sgd'],
] as const;
// SwiftShader takes as long for one as a GPU or the CPU engine for all.
const onSwiftShader = (await testDevice()).adapter.software;

test.each(cases.slice(0, onSwiftShader ? 1 : undefined))(
  '%s',
  async (_, model, batchSize, optimizer) => {
    const device = await testDevice();
    const options = optionsOf(model, batchSize, optimizer);
    const found = [];
    for (const activationLimit of [Infinity, 0]) {
      const made = { buffers: device.ledger.made, pipelines: device.kernels.made };
      const need = await memoryNeed(device, { ...options, activationLimit });
      expect({ buffers: device.ledger.made, pipelines: device.kernels.made }).toEqual(made);

      const run = await train({ ...options, activationLimit });
      const bytesOf = (label: RegExp) =>
        run.entries.reduce((sum, entry) => (label.test(entry.label) ? sum + entry.bytes : sum), 0);
      expect(need.recomputed).toBe(run.recomputed);
      expect(need.bytes).toBe(bytesOf(/.*/));
      expect(Object.values(need.kinds).reduce((a, b) => a + b)).toBe(need.bytes);
      expect(need.kinds).toMatchObject({
        parameters: bytesOf(/^parameters$/),
        gradients: bytesOf(/^gradients$/),
        buffers: bytesOf(/^buffers$/),
        activations: bytesOf(/^step activations \d+$/),
        data: bytesOf(/^(train|test) (images|labels|channels)$/),
      });
      expect(need.kinds.states).toBe(need.kinds.parameters * options.optimizer.states.length);
      found.push({ need, ...run });
    }
    const [kept, computed] = found;
    expect(computed.metrics).toEqual(kept.metrics);
    expect(computed.evaluation).toEqual(kept.evaluation);
    expect(bitsOf(computed.snapshot)).toEqual(bitsOf(kept.snapshot));
    expect(kept.recomputed).toBe(0);
    expect(computed.recomputed).toBeGreaterThan(0);
    expect(computed.need.kinds.activations).toBeLessThan(0.8 * kept.need.kinds.activations);
  },
  120_000,
);

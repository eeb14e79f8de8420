/** A run so small that a software GPU trains hundreds of steps per second. */
import { afterAll, expect } from 'vitest';
import { Random } from '../../base/random.ts';
import { openNodeDevice } from '../../node/gpu.ts';
import type { Dataset, ImageSet } from '../../data/dataset.ts';
import type { SetResults } from '../../engine/evaluation.ts';
import type { StateDict } from '../../engine/parameters.ts';
import type { ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import { completed } from '../../run/settings/rules.ts';
import type { Device } from '../../gpu/device.ts';
import { DeviceSupply } from '../../gpu/supply.ts';
import type { Model } from '../../models/model.ts';
import type { StepRow } from '../../run/metrics/rows.ts';
import type { TrainingConfig } from '../config.ts';
import type { RunListener, RunState } from '../listener.ts';
import { TrainingRun } from '../run.ts';

const SIDE = 8;

const model: Model = {
  name: 'tiny',
  title: 'Tiny',
  description: '',
  input: [1, SIDE, SIDE],
  classes: 4,
  layers: [
    { name: 'conv', op: 'conv', attributes: { outChannels: 4, kernelSize: [3, 3], padding: [1, 1] } },
    { name: 'relu', op: 'relu' },
    { name: 'pool', op: 'max_pool', attributes: { kernelSize: [2, 2], stride: [2, 2] } },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 4 } },
  ],
};

const convolution = { outChannels: 4, kernelSize: [3, 3], padding: [1, 1], bias: false };

/** A residual block with batch normalisation, small enough to train at once. */
export const residual: Model = {
  name: 'tiny_residual',
  title: 'Tiny',
  description: '',
  input: [1, SIDE, SIDE],
  classes: 4,
  layers: [
    { name: 'conv1', op: 'conv', attributes: convolution },
    { name: 'bn1', op: 'batch_norm' },
    { name: 'relu1', op: 'relu' },
    { name: 'conv2', op: 'conv', attributes: convolution },
    { name: 'bn2', op: 'batch_norm' },
    { name: 'add', op: 'add', inputs: ['bn2', 'relu1'] },
    { name: 'relu2', op: 'relu' },
    { name: 'pool', op: 'max_pool', attributes: { kernelSize: [2, 2], stride: [2, 2] } },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 4 } },
  ],
};

/** Noise with one quarter brighter: the class says which quarter. */
function quarters(count: number, stream: string): ImageSet {
  const random = new Random(7, stream);
  const labels = Uint8Array.from({ length: count }, () => random.below(4));
  const images = Uint8Array.from({ length: count * SIDE * SIDE }, (_, i) => {
    const [image, y, x] = [Math.floor(i / SIDE ** 2), Math.floor(i / SIDE) % SIDE, i % SIDE];
    const quarter = 2 * Math.floor((2 * y) / SIDE) + Math.floor((2 * x) / SIDE);
    return random.below(128) + (quarter === labels[image] ? 60 : 0);
  });
  return { images, labels, count };
}

export const dataset = {
  name: 'quarters',
  shape: [1, SIDE, SIDE],
  classes: ['0', '1', '2', '3'],
  mean: [0.3],
  std: [0.2],
  train: quarters(160, 'train'),
  test: quarters(40, 'test'),
} satisfies Dataset;

/** Batches of 16: ten steps per epoch. */
export const tiny = (change: Partial<TrainingConfig> = {}): TrainingConfig => ({
  ...completed({ optimizer: 'adam', lr: 0.01, batchSize: 16 }),
  model,
  dataset,
  ...change,
});

/** A supply for this test, and the devices that it has handed out. */
export function testSupply(): { supply: DeviceSupply; devices: Device[] } {
  const devices: Device[] = [];
  const supply = new DeviceSupply(
    () => openNodeDevice(),
    (event) => {
      if (event.state === 'ready') devices.push(event.device);
    },
  );
  return { supply, devices };
}

export interface RunRecording {
  states: {
    state: RunState;
    step: number;
    epoch: number;
    lastGood?: number;
    code?: string;
    message?: string;
  }[];
  /** By step; steps that are repeated overwrite. */
  losses: number[];
  /** Rows in the order reported, with repetitions, and their losses alone. */
  rows: StepRow[];
  reported: { step: number; loss: number }[];
  evaluations: { step: number; epoch: number; evaluation: SetResults }[];
  restarts: number;
  choices: ConvChoices[];
  notices: string[];
}

/** A supply whose devices report no error, and keep no memory after the file's tests. */
export function cleanSupply(): DeviceSupply {
  const { supply, devices } = testSupply();
  afterAll(async () => {
    for (const device of devices) expect(device.uncaught).toEqual([]);
    expect((await supply.get()).ledger).toMatchObject({ buffers: 0, bytes: 0 });
  });
  return supply;
}

/** A run that records everything it reports. */
export function recorded(
  config: TrainingConfig,
  supply: DeviceSupply,
  onSteps: (lastStep: number, run: TrainingRun) => void = () => undefined,
  more: Pick<RunListener, 'checkpoint' | 'stopReason' | 'fit' | 'speed' | 'adjusted'> = {},
): { run: TrainingRun; record: RunRecording } {
  const record: RunRecording = {
    states: [],
    losses: [],
    rows: [],
    reported: [],
    evaluations: [],
    restarts: 0,
    choices: [],
    notices: [],
  };
  const run: TrainingRun = new TrainingRun(config, supply, {
    ...more,
    state(state, at, error) {
      record.states.push({ state, ...at, ...(error ? { code: error.code, message: error.message } : {}) });
    },
    choices: (choices) => record.choices.push(choices),
    notice: (text) => record.notices.push(text),
    restarted() {
      record.restarts++;
      record.losses = [];
      record.evaluations = [];
    },
    steps(rows) {
      record.rows.push(...rows);
      for (const { step, loss } of rows) {
        record.losses[step - 1] = loss;
        record.reported.push({ step, loss });
      }
      onSteps(rows[rows.length - 1].step, run);
    },
    evaluation({ step, epoch }, results) {
      record.evaluations.push({ step, epoch, evaluation: results });
    },
  });
  return { run, record };
}

/** Trains a run to its end, and closes it. Without parameters if it failed. */
export async function trainedRun(...args: Parameters<typeof recorded>) {
  const { run, record } = recorded(...args);
  run.train();
  await run.settled();
  const parameters: StateDict = run.state === 'failed' ? new Map() : await run.stateDict();
  const { checkpoint, history } = run;
  await run.close();
  return { record, parameters, checkpoint, history };
}

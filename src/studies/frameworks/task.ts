/** The work that every entrant gets, and what float64 answers. */
import { Random } from '../../base/random.ts';
import { softmax } from '../../base/softmax.ts';
import { initialize } from '../../engine/init.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import type { SampleSet } from '../../engine/samples.ts';
import type { StateDict } from '../../engine/parameters.ts';
import { referenceLogits, referenceStep } from '../../engine/reference/network.ts';
import lenet5 from '../../models/lenet5.ts';
import type { ContenderTask } from './contenders.ts';

const SEED = 1;
const SIDE = 28;
const PIXELS = SIDE * SIDE;
/** As many as make epochs that are long beside what ends them. */
const BATCHES = 32;
/** Large, so that a step with wrong gradients shows in the next loss. */
const LEARNING_RATE = 0.05;
/** Images whose probabilities are compared with float64's, and steps whose losses are. */
const JUDGED = { images: 4, steps: 2 };
/** Learns within few steps. */
const INIT = 'kaiming_normal_fan_in';

export interface Expected {
  /** Images of 28x28 bytes, each with the probabilities of its classes. */
  answers: readonly { image: Uint8Array; probabilities: Float32Array }[];
  /** Losses of the first steps; the second follows from all gradients of the first. */
  losses: readonly number[];
}

/** Every run has the same numbers. */
export function makeTask(batchSize: number): ContenderTask {
  const { entries } = layoutParameters(inferShapes(lenet5.layers, [1, ...lenet5.input]));
  const weights = entries.map((entry): [string, { shape: readonly number[]; data: Float32Array }] => {
    const name = entry.name.slice(entry.layer.length + 1);
    return [entry.name, { shape: entry.shape, data: initialize(SEED, entry.name, { ...entry, name }, INIT) }];
  });
  const train = squares(BATCHES * batchSize, 'squares');
  return { weights: new Map(weights) as StateDict, train, batchSize, learningRate: LEARNING_RATE };
}

/** Images that no entrant is trained on. */
export const heldOut = (count: number): SampleSet => squares(count, 'held-out squares');

/** Grey noise with a bright square, whose place is the class. */
function squares(count: number, stream: string): SampleSet {
  const random = new Random(SEED, stream);
  const images = new Uint8Array(count * PIXELS).map(() => random.uniform(0, 96));
  const labels = Uint8Array.from({ length: count }, (_, i) => i % lenet5.classes);
  labels.forEach((label, i) => {
    const [top, left] = [label < 5 ? 4 : 18, 1 + 5 * (label % 5)];
    for (let y = top; y < top + 6; y++) {
      const start = i * PIXELS + y * SIDE + left;
      images.fill(224, start, start + 6);
    }
  });
  return { images, labels, count };
}

/** A copy of one image. */
export const imageOf = ({ images }: SampleSet, i: number): Uint8Array =>
  images.slice(i * PIXELS, (i + 1) * PIXELS);

export function expectedOf({ weights, train, batchSize, learningRate }: ContenderTask): Expected {
  const values = new Map([...weights].map(([name, { data }]) => [name, Float64Array.from(data)]));
  const lookup = (name: string) => values.get(name) ?? [];
  const pixels = (bytes: Uint8Array) => Float64Array.from(bytes, (byte) => byte / 255);
  const answers = Array.from({ length: JUDGED.images }, (_, i) => {
    const image = imageOf(train, i);
    const logits = referenceLogits(lenet5.layers, { shape: [1, 1, SIDE, SIDE], x: pixels(image) }, lookup);
    return { image, probabilities: softmax(logits) };
  });
  const losses = [];
  for (let step = 0; step < JUDGED.steps; step++) {
    const [first, end] = [step * batchSize, (step + 1) * batchSize];
    const batch = {
      shape: [batchSize, 1, SIDE, SIDE],
      x: pixels(train.images.subarray(first * PIXELS, end * PIXELS)),
      labels: Uint32Array.from(train.labels.subarray(first, end)),
    };
    const { loss, gradients } = referenceStep(lenet5.layers, batch, lookup);
    losses.push(loss);
    for (const [name, gradient] of gradients) {
      const parameter = values.get(name) as Float64Array;
      gradient.forEach((value, i) => (parameter[i] -= learningRate * value));
    }
  }
  return { answers, losses };
}

/** Measures what folding gains: a network's outputs and times with and without batch normalisation folded. */
import { Owned } from '../base/owned.ts';
import { elements } from '../base/shape.ts';
import { Random } from '../base/random.ts';
import type { Device } from '../gpu/device.ts';
import { spreadOf, Stopwatch, type Spread, type Timing } from '../gpu/timing.ts';
import { foldBatchNorm } from './fold.ts';
import { Predictor, type LoadedNetwork } from './predictor.ts';

/** A network that was measured. */
export interface MeasuredNetwork extends Spread {
  dispatches: number;
  parameters: number;
}

export interface FoldTrial {
  /** Layers that were folded into others. */
  folded: readonly string[];
  plain: MeasuredNetwork;
  foldedNetwork: MeasuredNetwork;
  /** Largest difference between their outputs for the same images, relative to the largest output. */
  difference: number;
  samples: number;
  /** Forward passes in each sample. */
  repetitions: number;
  clock: Timing['clock'];
}

/** The two networks are timed in this many alternating turns, so that disturbances affect both. */
const TURNS = 5;

/** @param samples times of each, at least */
export async function tryFolding(
  device: Device,
  network: LoadedNetwork,
  samples: number,
): Promise<FoldTrial> {
  const { layers, input, parameters } = network;
  const { folded, ...rest } = foldBatchNorm(layers, input, parameters);
  const owned = new Owned();
  const { own } = owned;
  try {
    const both = [
      own(await Predictor.load(device, network)),
      own(await Predictor.load(device, { ...rest, input })),
    ];
    const random = new Random(1, 'images to answer');
    const images = new Float32Array(elements(input)).map(() => random.normal());
    const [wanted, found] = [await both[0].logits(images), await both[1].logits(images)];
    const stopwatch = own(await Stopwatch.create(device));
    await stopwatch.settle((pass) => both[0].plan.encode(pass));
    const times: number[][] = [[], []];
    let repetitions = 1;
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [i, { plan }] of both.entries()) {
        const some = await stopwatch.time((pass) => plan.encode(pass), {
          samples: Math.ceil(samples / TURNS),
        });
        times[i].push(...some.samples);
        repetitions = Math.max(repetitions, some.repetitions);
      }
    }
    const [plain, foldedNetwork] = both.map((one, i) => ({
      ...spreadOf(times[i]),
      dispatches: one.plan.dispatches.length,
      parameters: one.parameters,
    }));
    const clock = stopwatch.kind;
    const difference = relative(found, wanted);
    return { folded, plain, foldedNetwork, difference, samples: times[0].length, repetitions, clock };
  } finally {
    owned.destroy();
  }
}

/** Infinity if anything is not finite. */
function relative(found: Float32Array, wanted: Float32Array): number {
  let [difference, largest] = [0, 0];
  for (let i = 0; i < wanted.length; i++) {
    const own = Math.abs(found[i] - wanted[i]);
    if (!Number.isFinite(own)) return Infinity;
    difference = Math.max(difference, own);
    largest = Math.max(largest, Math.abs(wanted[i]));
  }
  return difference === 0 ? 0 : difference / largest;
}

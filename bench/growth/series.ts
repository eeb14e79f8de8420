/** Steps of one network, of which one size grows. */
import { Failure } from '../../src/base/result.ts';
import type { Spread } from '../../src/gpu/timing.ts';
import type { ProfileLine } from '../tables/lines.ts';

export interface GrowthPoint {
  /** The size that grows. */
  at: number;
  /** Milliseconds of a step, and of how many samples. */
  ms: Spread;
  n: number;
  /** Milliseconds of its kernels, each at the best rate measured there: of its FLOP or of its bytes, whichever takes longer. */
  least: number;
  dispatches: number;
}

export interface Series {
  title: string;
  /** What `at` counts. */
  unit: string;
  points: GrowthPoint[];
}

/** The sizes of one profile: `resnet20-x4` is ResNet-20 with four times the channels. */
function sizesOf({ model, batchSize }: ProfileLine) {
  const found = /^resnet(\d+)(?:-x(\d+))?$/.exec(model);
  if (!found) {
    throw new Failure('bad-input', `expected steps of the networks that growth.mjs writes, found ${model}`);
  }
  return { batch: batchSize, depth: Number(found[1]), width: Number(found[2] ?? 1) };
}

type Sizes = ReturnType<typeof sizesOf>;

/** What grows, and what stays as it is where the others grow. */
const USUAL: Sizes = { batch: 128, depth: 20, width: 1 };
const GROWING: readonly { size: keyof Sizes; title: string; unit: string }[] = [
  { size: 'batch', title: 'Batch size (ResNet-20)', unit: 'images' },
  { size: 'depth', title: 'Depth (batches of 128)', unit: 'layers' },
  { size: 'width', title: 'Width (ResNet-20, batches of 128)', unit: 'times the channels' },
];

/** Of steps in float32. @throws Failure `bad-input` for a network of another kind, or if nothing grows */
export function growthOf(profiles: readonly ProfileLine[]): Series[] {
  const measured = profiles
    .filter(({ precision }) => precision === 'single')
    .map((profile) => ({ sizes: sizesOf(profile), profile }));
  const series = GROWING.map(({ size, title, unit }): Series => {
    const others = GROWING.map((one) => one.size).filter((one) => one !== size);
    const own = measured.filter(({ sizes }) => others.every((other) => sizes[other] === USUAL[other]));
    const points = own.map(({ sizes, profile }) => pointOf(sizes[size], profile));
    return { title, unit, points: points.sort((a, b) => a.at - b.at) };
  }).filter(({ points }) => points.length > 1);
  if (series.length === 0) {
    throw new Failure(
      'bad-input',
      `expected lines of "wgrad bench step --profile" of which a size grows, found ${profiles.length} such lines`,
    );
  }
  return series;
}

function pointOf(at: number, { ms, n, kernels, flopPerSecond, bytesPerSecond }: ProfileLine): GrowthPoint {
  const least = kernels.reduce(
    (sum, { flop, bytes }) => sum + 1e3 * Math.max(flop / flopPerSecond, bytes / bytesPerSecond),
    0,
  );
  return { at, ms, n, least, dispatches: kernels.length };
}

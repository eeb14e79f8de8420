/** The two convolutions of the network, from loops on the CPU through the steps of the direct kernel. */
import { elements } from '../../base/shape.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { ladder, TUNED, WHOLE } from '../../engine/ops/conv/algorithms/direct/ladder.ts';
import { NAMES } from '../../engine/ops/conv/algorithms/direct/names.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import type { Pin } from '../../engine/ops/conv/choice/layers.ts';
import type { FindResult, TimedLaunch } from '../../engine/ops/conv/choice/types.ts';
import { timeLoops } from '../../engine/ops/conv/loops.ts';
import { convProblem, inputShape, outputShape, type ConvProblem } from '../../engine/ops/conv/problem.ts';
import { barePlan, DEFAULT_WORKSPACE, launchesOf } from '../../engine/ops/conv/run.ts';
import type { Device } from '../../gpu/device.ts';
import type { BarLine, Cell, StudyContext, Time } from '../study.ts';
import { fastestOf, ratioTo, requireGoOn, searching, scaled, sumOf, timeOf, timeOfTried } from '../times.ts';
import { CONVOLUTIONS, countsFor, problemsFor, type PublishedConvolution } from './network.ts';
import { CONSTANT, LOOPS, PLAIN as REPORTED_PLAIN, TILE, WHOLE as REPORTED_WHOLE } from './published.ts';

const ENGINE = 'fastest on the CPU engine';
/** The step that all others are compared with. */
export const PLAIN = NAMES.plain;
/** The case of both convolutions. */
export const TOTAL = 'Both layers';
const FASTEST = 'fastest of all algorithms';

/** In the report's order, with the report's names where it has the step. */
export const STEPS: readonly { name: string; look?: string; reported?: string }[] = [
  { name: LOOPS, look: 'loops', reported: LOOPS },
  { name: ENGINE, look: 'cpu' },
  { name: PLAIN, look: 'direct', reported: REPORTED_PLAIN },
  { name: NAMES.tile, reported: TILE },
  { name: NAMES.staged },
  { name: NAMES.uniform, reported: CONSTANT },
  { name: TUNED },
  { name: WHOLE, reported: REPORTED_WHOLE },
  { name: NAMES.blocked },
  { name: FASTEST, look: 'winograd_f4x3' },
];

const DIRECT = 'direct';

/** The CPU engine's search takes long: it runs on so many images, and its time is scaled. */
const ON_CPU = 100;
/** Variants of a step that are tried in a short run. */
const SMALL_TRIES = 1;

interface Step {
  time: Time;
  detail: string;
  /** The fastest variant, of a kernel. */
  launch?: string;
}

type Steps = Map<string, Step>;

/** A tile that was measured. */
interface Tile {
  launch: string;
  time: Time;
  /** Outputs down and across. */
  size: readonly [height: number, width: number];
  /** Channels that are copied at a time. */
  staged: number;
  weights: string;
}

/** The steps of a convolution, lowest first. */
export interface ConvolutionSteps extends PublishedConvolution {
  problem: ConvProblem;
  steps: Steps;
  tiles: Tile[];
}

/** As many images as the report's kernels had, where the device is fast and large enough. */
function imagesFor({ device, small }: StudyContext): number {
  const [most, fewer, fewest] = countsFor(small);
  if (small) return fewest;
  const largest = Math.max(
    ...problemsFor(most).flatMap((problem) => [inputShape(problem), outputShape(problem)].map(elements)),
  );
  const roomy = 4 * largest <= device.limit('maxStorageBufferBindingSize') / 4;
  return roomy && !device.onProcessor ? most : fewer;
}

/** @param cpu the CPU engine, unless it is the context's device */
export async function measureSteps(
  context: StudyContext,
  cpu: Device | undefined,
): Promise<ConvolutionSteps[]> {
  const { progress } = context;
  const N = imagesFor(context);
  const problems = problemsFor(N);
  const layers: ConvolutionSteps[] = [];
  for (const [i, convolution] of CONVOLUTIONS.entries()) {
    requireGoOn(context);
    progress(0.2 + 0.2 * i, `Steps of ${convolution.layer}`);
    layers.push(await measureLayer(context, convolution, problems[i], cpu));
  }
  await measureLoops(context, layers, N, cpu);
  const total = totalOf(layers);
  reportSteps(context, TOTAL, total, N);
  for (const { title, steps } of layers) reportSteps(context, title, steps, N);
  reportTable(context, layers, total, N);
  reportTiles(context, layers);
  return layers;
}

async function measureLayer(
  { device, small, signal }: StudyContext,
  convolution: PublishedConvolution,
  problem: ConvProblem,
  cpu: Device | undefined,
): Promise<ConvolutionSteps> {
  const steps: Steps = new Map();
  const tiles: Tile[] = [];
  const options = searching({ small, signal });
  if (cpu) {
    const part = problem.N <= ON_CPU ? problem : convProblem({ ...problem, N: ON_CPU });
    const best = stepOf(await find(cpu, part, 'fprop', options));
    if (best) steps.set(ENGINE, forAll(problem, part, best));
  }
  const setting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' as const };
  const launches = launchesOf(convAlgorithms.get(DIRECT), setting, 'fprop');
  const names = launches.map(({ name }) => name);
  for (const rung of ladder('fprop', names)) {
    // By itself: a search times launches only roughly that are far from its best.
    const wanted = small ? rung.launches.slice(0, SMALL_TRIES) : rung.launches;
    const found = await find(device, problem, 'fprop', {
      ...options,
      algorithms: [DIRECT],
      exclude: (_, launch) => !wanted.includes(launch),
      most: wanted.length,
    });
    const best = stepOf(found);
    if (best) steps.set(rung.step, best);
    for (const one of found.tried.filter((tried): tried is TimedLaunch => tried.outcome === 'timed')) {
      const launch = launches.find(({ name }) => name === one.launch);
      const kernels = launch ? barePlan(setting, 'fprop', launch).kernels : [];
      const { TILE_H, TILE_W, STAGED } = kernels.at(-1)?.constants ?? {};
      // Kernels without a tile, or with several outputs per thread, have no such constants.
      if (STAGED === undefined) continue;
      tiles.push({
        launch: one.launch,
        time: timeOfTried(one),
        size: [Number(TILE_H), Number(TILE_W)],
        staged: Number(STAGED),
        weights: kernels.length > 1 ? 'uniform' : 'storage',
      });
    }
  }
  const kernels = [...steps].filter(([name]) => name !== ENGINE).map(([, step]) => step);
  const [best] = [...kernels, stepOf(await find(device, problem, 'fprop', options))]
    .filter((step) => step !== undefined)
    .sort((a, b) => a.time.median - b.time.median);
  if (best) steps.set(FASTEST, best);
  return { ...convolution, problem, steps, tiles };
}

/** The loops for every number of images, and as the first step. */
async function measureLoops(
  { device, small, signal, report, progress }: StudyContext,
  layers: readonly ConvolutionSteps[],
  N: number,
  cpu: Device | undefined,
): Promise<void> {
  const place = { device: cpu ?? device, openCpu: undefined, signal };
  for (const [i, images] of countsFor(small).entries()) {
    progress(0.6 + 0.05 * i, `Loops over ${images.toLocaleString('en')} images`);
    const times: Time[] = [];
    for (const { problem } of layers) {
      const { samples, clock } = await timeLoops(place, convProblem({ ...problem, N: images }), 'fprop');
      requireGoOn({ signal });
      times.push(timeOf(samples, 1, clock));
    }
    const own = layers.map(({ layer }, at): [string, Cell] => [layer, times[at].median]);
    const total = times.reduce(sumOf).median;
    report({ figure: 'loops', cells: { images, ...Object.fromEntries(own), total, image: total / images } });
    if (images !== N) continue;
    for (const [at, layer] of layers.entries())
      layer.steps = new Map([[LOOPS, { time: times[at], detail: '' }], ...layer.steps]);
  }
}

/** A result for some of a problem's images, for all. */
function forAll({ N }: ConvProblem, measured: ConvProblem, { time, detail }: Step): Step {
  if (measured.N === N) return { time, detail };
  const how = `measured with ${measured.N} images, scaled to ${N}`;
  return { time: scaled(time, N / measured.N), detail: `${detail}; ${how}` };
}

const stepOf = (found: FindResult): Step | undefined => {
  const best = fastestOf(found);
  return (
    best && {
      time: timeOfTried(best),
      detail: `${best.algorithm}, ${best.launch}`,
      ...(best.algorithm === DIRECT ? { launch: best.launch } : {}),
    }
  );
};

/** The steps that both layers have. */
function totalOf(layers: readonly ConvolutionSteps[]): Steps {
  const total: Steps = new Map();
  for (const { name } of STEPS) {
    const found = layers.flatMap(({ steps }) => steps.get(name) ?? []);
    if (found.length < layers.length) continue;
    total.set(name, { time: found.map(({ time }) => time).reduce(sumOf), detail: '' });
  }
  return total;
}

function reportSteps({ report }: StudyContext, name: string, steps: Steps, N: number): void {
  const base = steps.get(PLAIN)?.time;
  for (const [bar, { time, detail }] of steps) {
    const line: BarLine = {
      figure: 'steps',
      case: name,
      bar,
      time,
      detail: [detail, `${N} images`].filter(Boolean).join('; '),
    };
    if (base) line.ratio = ratioTo(base, time);
    report(line);
  }
}

/** The times of the steps as a table, a column a layer. */
function reportTable(
  { report }: StudyContext,
  layers: readonly ConvolutionSteps[],
  total: Steps,
  N: number,
): void {
  const base = total.get(PLAIN)?.time.median;
  for (const [step, { time }] of total) {
    const own = layers.map(({ layer, steps }): [string, Cell] => [
      layer,
      steps.get(step)?.time.median ?? null,
    ]);
    report({
      figure: 'optimisations',
      cells: {
        step,
        images: N,
        ...Object.fromEntries(own),
        total: time.median,
        ratio: base === undefined ? null : time.median / base,
      },
    });
  }
}

/** Every tile, and what one channel at a time costs a layer. */
function reportTiles({ report }: StudyContext, layers: readonly ConvolutionSteps[]): void {
  for (const { title, problem, steps, tiles } of layers) {
    const { C, P, Q } = problem;
    const busy = ([height, width]: Tile['size']) =>
      (P * Q) / (Math.ceil(P / height) * height * Math.ceil(Q / width) * width);
    const plain = steps.get(PLAIN)?.time.median;
    const over = (time: number | undefined, base: number | undefined): number | null =>
      time === undefined || base === undefined ? null : time / base;
    for (const { size, staged, weights, time } of tiles) {
      const cells = {
        layer: title,
        tile: size.join('x'),
        staged,
        weights,
        barriers: (2 * C) / staged,
        busy: busy(size),
        time: time.median,
        ratio: over(time.median, plain),
      };
      report({ figure: 'tiles', cells });
    }
    const [tile, staged] = [NAMES.tile, NAMES.staged].map((name) =>
      tiles.find(({ launch }) => launch === name),
    );
    // A smaller tile, where all channels of the common one do not fit, would be another comparison.
    const alike = `${tile?.size}` === `${staged?.size}`;
    const [uniform, tuned] = [NAMES.uniform, TUNED].map((name) => steps.get(name)?.time.median);
    report({
      figure: 'channels',
      cells: {
        layer: title,
        here: over(tile?.time.median, plain),
        barriers: 2 * C,
        once: alike ? over(staged?.time.median, tile?.time.median) : null,
        busy: tile ? busy(tile.size) : null,
        own: over(tuned, uniform),
      },
    });
  }
}

/** Each layer's fastest launch of a step. */
export const launchesOfStep = (layers: readonly ConvolutionSteps[], step: string): Pin[] =>
  layers.flatMap(({ layer, steps }) => {
    const launch = steps.get(step)?.launch;
    return launch === undefined ? [] : [{ layer, direction: 'fprop', algorithm: DIRECT, launch }];
  });

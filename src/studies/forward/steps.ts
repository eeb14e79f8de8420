/** The two convolutions of the network, from loops on the CPU through the steps of the direct kernel. */
import { ladder, TUNED } from '../../engine/ops/conv/algorithms/direct/ladder.ts';
import { NAMES } from '../../engine/ops/conv/algorithms/direct/names.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { convLayers } from '../../engine/ops/conv/choice/layers.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import type { Found } from '../../engine/ops/conv/choice/types.ts';
import { timeLoops } from '../../engine/ops/conv/loops.ts';
import { convProblem, type ConvProblem } from '../../engine/ops/conv/problem.ts';
import { DEFAULT_WORKSPACE, launchesOf } from '../../engine/ops/conv/run.ts';
import type { Device } from '../../gpu/device.ts';
import type { BarLine, Cell, StudyContext, Time } from '../study.ts';
import { fastestOf, ratioTo, requireGoOn, searching, scaled, sumOf, timeOf, timeOfTried } from '../times.ts';
import { MODEL } from './sets.ts';

export const LOOPS = 'loops on the CPU';
const ENGINE = 'fastest on the CPU engine';
/** The step that all others are compared with. */
export const PLAIN = NAMES.plain;
/** The case of both convolutions. */
export const TOTAL = 'Total of both';
const FASTEST = 'fastest of all algorithms';

/** In the reports' order. `base` is the step that one changes, which stands in where a layer cannot have it. */
export const STEPS: readonly { name: string; look?: string; base?: string }[] = [
  { name: LOOPS, look: 'loops' },
  { name: ENGINE, look: 'cpu' },
  { name: PLAIN, look: 'direct' },
  { name: NAMES.tile },
  { name: NAMES.staged, base: NAMES.tile },
  { name: NAMES.uniform, base: NAMES.tile },
  { name: TUNED, base: NAMES.tile },
  { name: NAMES.blocked },
  { name: FASTEST, look: 'winograd_f4x3' },
];

const DIRECT = 'direct';

const [BATCH, SMALL_BATCH] = [1000, 2];
/** Loops take long: they run on so many images, and their time is scaled. */
const LOOPED = 20;
/** The same for the CPU engine. */
const ON_CPU = 100;
/** Variants of a step that are tried in a short run. */
const SMALL_TRIES = 1;

interface Step {
  time: Time;
  detail: string;
}

type Steps = Map<string, Step>;

/** The steps of a convolution, lowest first. */
interface Layer {
  name: string;
  steps: Steps;
}

/** @param cpu the CPU engine, unless it is the context's device */
export async function measureSteps(context: StudyContext, cpu: Device | undefined): Promise<void> {
  const { small, progress } = context;
  const N = small ? SMALL_BATCH : BATCH;
  const convolutions = convLayers(MODEL.layers, [N, ...MODEL.input]);
  const layers: Layer[] = [];
  for (const [i, { layer, problem }] of convolutions.entries()) {
    requireGoOn(context);
    progress(0.6 + 0.2 * i, `Steps of ${layer}`);
    layers.push({ name: layer, steps: await measureLayer(context, problem, cpu) });
  }
  const total = totalOf(layers);
  reportSteps(context, TOTAL, total, N);
  for (const { name, steps } of layers) reportSteps(context, name, steps, N);
  reportTable(context, layers, total, N);
}

async function measureLayer(
  { device, small, signal }: StudyContext,
  problem: ConvProblem,
  cpu: Device | undefined,
): Promise<Steps> {
  const steps: Steps = new Map();
  const options = searching({ small, signal });
  const looped = fewer(problem, LOOPED);
  const samples = await timeLoops(looped, 'fprop', () => !signal.aborted);
  requireGoOn({ signal });
  steps.set(LOOPS, forAll(problem, looped, { time: timeOf(samples, 1, 'wall'), detail: '' }));
  if (cpu) {
    const part = fewer(problem, ON_CPU);
    const best = stepOf(await find(cpu, part, 'fprop', options));
    if (best) steps.set(ENGINE, forAll(problem, part, best));
  }
  const setting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' as const };
  const names = launchesOf(convAlgorithms.get(DIRECT), setting, 'fprop').map(({ name }) => name);
  for (const { step, launches } of ladder('fprop', names)) {
    // By itself: a search times launches only roughly that are far from its best.
    const wanted = small ? launches.slice(0, SMALL_TRIES) : launches;
    const found = await find(device, problem, 'fprop', {
      ...options,
      algorithms: [DIRECT],
      exclude: (_, launch) => !wanted.includes(launch),
      most: wanted.length,
    });
    const best = stepOf(found);
    if (best) steps.set(step, best);
  }
  const kernels = [...steps].filter(([name]) => name !== LOOPS && name !== ENGINE).map(([, step]) => step);
  const [best] = [...kernels, stepOf(await find(device, problem, 'fprop', options))]
    .filter((step) => step !== undefined)
    .sort((a, b) => a.time.median - b.time.median);
  if (best) steps.set(FASTEST, best);
  return steps;
}

const fewer = (problem: ConvProblem, most: number): ConvProblem =>
  problem.N <= most ? problem : convProblem({ ...problem, N: most });

/** A result for some of a problem's images, for all. */
function forAll({ N }: ConvProblem, measured: ConvProblem, { time, detail }: Step): Step {
  if (measured.N === N) return { time, detail };
  const how = `measured with ${measured.N} images, scaled to ${N}`;
  return { time: scaled(time, N / measured.N), detail: [detail, how].filter(Boolean).join('; ') };
}

const stepOf = (found: Found): Step | undefined => {
  const best = fastestOf(found);
  return best && { time: timeOfTried(best), detail: `${best.algorithm}, ${best.launch}` };
};

/** Both layers. One that cannot have a step counts with the step that it changes. */
function totalOf(layers: readonly Layer[]): Steps {
  const total: Steps = new Map();
  for (const { name, base = name } of STEPS) {
    if (!layers.some(({ steps }) => steps.has(name))) continue;
    const found = layers.flatMap(({ steps }) => steps.get(name) ?? steps.get(base) ?? []);
    if (found.length < layers.length) continue;
    const without = layers.filter(({ steps }) => !steps.has(name));
    const detail = without.map((layer) => `${layer.name}: ${base}`).join('; ');
    total.set(name, { time: found.map(({ time }) => time).reduce(sumOf), detail });
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

/** The same as a table, a column a layer. */
function reportTable({ report }: StudyContext, layers: readonly Layer[], total: Steps, N: number): void {
  const base = total.get(PLAIN)?.time.median;
  for (const [step, { time }] of total) {
    const own = layers.map(({ name, steps }): [string, Cell] => [name, steps.get(step)?.time.median ?? null]);
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

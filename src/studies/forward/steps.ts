/** The two convolutions of the network, from loops on the CPU through the steps of the direct kernel. */
import { ladder } from '../../engine/ops/conv/algorithms/direct/ladder.ts';
import { convLayers } from '../../engine/ops/conv/choice/layers.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import type { Timed } from '../../engine/ops/conv/choice/types.ts';
import { timeLoops } from '../../engine/ops/conv/loops.ts';
import { convProblem } from '../../engine/ops/conv/problem.ts';
import type { StudyContext, Time } from '../study.ts';
import { ratioTo, requireGoOn, sumOf, timeOf } from '../times.ts';
import { MODEL } from './sets.ts';

export const LOOPS = 'loops on the CPU';
export const FASTEST = 'fastest of all algorithms';

const [BATCH, SMALL_BATCH] = [1000, 2];
/** Loops take long: they run on so many images, and their time is scaled. */
const LOOPED = 20;

interface Step {
  time: Time;
  detail: string;
}

export async function measureSteps(context: StudyContext): Promise<void> {
  const { small, device, report, progress, signal } = context;
  const N = small ? SMALL_BATCH : BATCH;
  const layers: { name: string; steps: Map<string, Step> }[] = [];
  const convolutions = convLayers(MODEL.layers, [N, ...MODEL.input]);
  for (const [i, { layer, problem }] of convolutions.entries()) {
    requireGoOn(context);
    progress(0.6 + 0.2 * i, `Steps of ${layer}`);
    const steps = new Map<string, Step>();
    const looped = Math.min(N, LOOPED);
    const samples = await timeLoops(convProblem({ ...problem, N: looped }), 'fprop', () => !signal.aborted);
    requireGoOn(context);
    const scaled = samples.map((ms) => (ms * N) / looped);
    steps.set(LOOPS, {
      time: timeOf(scaled, 1, 'wall'),
      detail: looped < N ? `measured with ${looped} images, scaled to ${N}` : '',
    });
    const { tried } = await find(device, problem, 'fprop', { signal, ...(small ? { samples: 3 } : {}) });
    const direct = await find(device, problem, 'fprop', {
      signal,
      algorithms: ['direct'],
      ...(small ? { samples: 3 } : {}),
    });
    const timed = direct.tried.filter(isTimed);
    for (const { step, launches } of ladder(
      'fprop',
      timed.map(({ launch }) => launch),
    ))
      take(
        steps,
        step,
        timed.filter(({ launch }) => launches.includes(launch)),
      );
    take(steps, FASTEST, [...tried.filter(isTimed), ...timed]);
    layers.push({ name: layer, steps });
  }
  for (const { name, steps } of layers) reportSteps(context, `${name}, N ${N}`, steps);
  const [first, second] = layers;
  const total = new Map<string, Step>();
  for (const [step, { time }] of first.steps) {
    const other = second.steps.get(step);
    if (other) total.set(step, { time: sumOf(time, other.time), detail: '' });
    else
      report({
        figure: 'steps',
        case: `Total, N ${N}`,
        bar: step,
        missing: `${second.name} has no such variant: its weights exceed a uniform buffer`,
      });
  }
  reportSteps(context, `Total, N ${N}`, total);
}

function reportSteps({ report }: StudyContext, name: string, steps: ReadonlyMap<string, Step>): void {
  const base = steps.get(PLAIN)?.time;
  for (const [bar, { time, detail }] of steps) {
    report({
      figure: 'steps',
      case: name,
      bar,
      time,
      ...(base ? { ratio: ratioTo(base, time) } : {}),
      ...(detail ? { detail } : {}),
    });
  }
}

/** The step that all others are compared with. */
export const PLAIN = 'one thread per output';

const isTimed = (one: { outcome: string }): one is Timed => one.outcome === 'timed';

/** The fastest of some launches is a step's time. */
function take(steps: Map<string, Step>, step: string, launches: readonly Timed[]): void {
  const [best] = launches.toSorted((a, b) => a.median - b.median);
  if (!best) return;
  const { median, p10, p90, samples, repetitions: calls, clock } = best;
  const detail = `${best.algorithm}, ${best.launch}`;
  steps.set(step, { time: { median, p10, p90, samples, calls, clock }, detail });
}

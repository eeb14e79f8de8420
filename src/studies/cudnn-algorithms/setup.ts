/** What it costs to create everything that a call needs, every time. */
import type { ConvSetting } from '../../engine/ops/conv/algorithm.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { openLaunch } from '../../engine/ops/conv/choice/open-launch.ts';
import { DEFAULT_WORKSPACE, launchesOf, whyNot } from '../../engine/ops/conv/run.ts';
import type { StudyContext, Time } from '../study.ts';
import { ratioTo, requireGoOn, timeOf } from '../times.ts';
import { caseProblem } from './cases.ts';
import { CONTESTANTS } from './contestants.ts';

export async function measureSetup(context: StudyContext): Promise<void> {
  const { device, small, report, progress } = context;
  const setting: ConvSetting = {
    device,
    problem: caseProblem(16, small ? 4 : 16),
    workspace: DEFAULT_WORKSPACE,
    number: 'f32',
  };
  for (const { bars, algorithms, launches } of CONTESTANTS) {
    const { forward: name = '' } = bars;
    const [algorithm] = algorithms.map((one) => convAlgorithms.get(one));
    if (whyNot(algorithm, setting, 'fprop') !== undefined) continue;
    const launch = launchesOf(algorithm, setting, 'fprop').find(
      (one) => launches?.fprop.test(one.name) ?? true,
    );
    if (!launch) continue;
    requireGoOn(context);
    progress(0.75, `Set-up, ${name}`);
    const open = () => openLaunch(setting, 'fprop', launch, false);
    // Compiles the shaders, and says how many calls are affordable.
    const opened = await open();
    try {
      const [outside, inside] = await timeInTurns(context, [
        () => opened.plan.run(),
        async () => {
          const own = await open();
          own.plan.run();
          own.destroy();
        },
      ]);
      const where = { figure: 'setup', case: name };
      report({ ...where, bar: 'set up once', time: outside, ratio: ratioTo(outside, outside) });
      report({ ...where, bar: 'set up for every call', time: inside, ratio: ratioTo(outside, inside) });
    } finally {
      opened.destroy();
    }
  }
}

/** A loop takes at most about this long. */
const LOOP_MS = 300;

/** Wall-clock times per call of loops that end when the device is idle, in turns, so that disturbances affect all. */
async function timeInTurns(
  { device, small }: StudyContext,
  works: readonly (() => Promise<void> | void)[],
): Promise<Time[]> {
  const loop = async (work: () => Promise<void> | void, calls: number): Promise<number> => {
    const start = performance.now();
    for (let i = 0; i < calls; i++) await work();
    await device.idle();
    return (performance.now() - start) / calls;
  };
  const calls: number[] = [];
  for (const work of works) {
    await loop(work, 3);
    calls.push(Math.max(1, Math.min(small ? 5 : 100, Math.floor(LOOP_MS / (await loop(work, 3))))));
  }
  const samples = works.map((): number[] => []);
  for (let turn = 0; turn < (small ? 3 : 10); turn++) {
    for (const [i, work] of works.entries()) samples[i].push(await loop(work, calls[i]));
  }
  return works.map((_, i) => timeOf(samples[i], calls[i], 'wall'));
}

/** One convolution as loops on the CPU, as a plain kernel, and as fast as it gets. */
import { NAMES } from '../../engine/ops/conv/algorithms/direct/names.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import type { TimedLaunch } from '../../engine/ops/conv/choice/types.ts';
import { timeLoops } from '../../engine/ops/conv/loops.ts';
import { convProblem, type ConvProblem } from '../../engine/ops/conv/problem.ts';
import { square } from '../../models/suites.ts';
import type { StudyContext } from '../study.ts';
import { fastestOf, ratioTo, requireGoOn, searching, timeOf, timeOfTried } from '../times.ts';

const LAYERS = [
  { name: 'LeNet-5, first layer', sizes: square(1, 28, 6, 5, 2), images: 64 },
  { name: 'LeNet-5, second layer', sizes: square(6, 14, 16, 5), images: 64 },
  // The loops take long.
  { name: 'ResNet, 64 channels of 32 × 32', sizes: square(64, 32, 64, 3, 1), images: 8 },
];
const SMALL_BATCH = 2;

export async function measureDevices(context: StudyContext): Promise<void> {
  const { device, small, report, undone, progress } = context;
  const layers = small ? LAYERS.slice(0, 2) : LAYERS;
  for (const [i, { name, sizes, images }] of layers.entries()) {
    const N = small ? SMALL_BATCH : images;
    requireGoOn(context);
    progress(0.4 + (0.2 * i) / layers.length, name);
    const problem = convProblem({ ...sizes, N });
    const found = await find(device, problem, 'fprop', searching(context));
    // A search times what is far from the best only roughly, if it tries it at all.
    const kernel = await plainKernel(context, problem);
    const { samples, clock } = await timeLoops(context, problem, 'fprop');
    requireGoOn(context);
    const where = { figure: 'devices', case: `${name}, N ${N}` };
    if (!kernel) {
      undone(`${where.case}: the plain kernel could not be measured`);
      continue;
    }
    const base = timeOfTried(kernel);
    const loops = timeOf(samples, 1, clock);
    const fastest = fastestOf(found) ?? kernel;
    const best = timeOfTried(fastest);
    const detail = (one: TimedLaunch) => `${one.algorithm}, ${one.launch}`;
    report({ ...where, bar: 'plain loops on the CPU', time: loops, ratio: ratioTo(base, loops) });
    report({ ...where, bar: 'plain kernel', time: base, ratio: ratioTo(base, base), detail: detail(kernel) });
    report({
      ...where,
      bar: 'fastest kernel',
      time: best,
      ratio: ratioTo(base, best),
      detail: detail(fastest),
    });
  }
}

async function plainKernel(context: StudyContext, problem: ConvProblem): Promise<TimedLaunch | undefined> {
  return fastestOf(
    await find(context.device, problem, 'fprop', {
      ...searching(context),
      algorithms: ['direct'],
      exclude: (_, launch) => launch !== NAMES.plain,
    }),
  );
}

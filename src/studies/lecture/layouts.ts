/** One convolution on tensors with channels first and with channels last. */
import { find } from '../../engine/ops/conv/choice/find.ts';
import { convProblem, DIRECTIONS } from '../../engine/ops/conv/problem.ts';
import { square } from '../../models/suites.ts';
import type { StudyContext, Time } from '../study.ts';
import { fastestOf, ratioTo, requireGoOn, searching, timeOfTried } from '../times.ts';

const LAYERS = [
  { name: '3x3, 64 channels of 32 × 32', sizes: square(64, 32, 64, 3, 1) },
  { name: '1x1, 64 channels of 32 × 32', sizes: square(64, 32, 64, 1) },
  { name: '5x5, 16 channels of 28 × 28', sizes: square(16, 28, 16, 5, 2) },
];
const SMALL_LAYERS = [{ name: '3x3, 8 channels of 8 × 8', sizes: square(8, 8, 8, 3, 1) }];

const NOTHING = 'no algorithm could be measured';

const LAYOUTS = { NCHW: 'nchw', NHWC: 'nhwc' } as const;

export async function measureLayouts(context: StudyContext): Promise<void> {
  const { device, small, report, undone, progress } = context;
  const layers = small ? SMALL_LAYERS : LAYERS;
  const directions = small ? (['fprop'] as const) : DIRECTIONS;
  for (const [i, { name, sizes }] of layers.entries()) {
    for (const [j, direction] of directions.entries()) {
      requireGoOn(context);
      progress((0.4 * (i + j / directions.length)) / layers.length, `Layouts, ${name}, ${direction}`);
      const where = { figure: 'layouts', case: `${name}, ${direction}` };
      let base: Time | undefined;
      for (const [bar, layout] of Object.entries(LAYOUTS)) {
        const problem = convProblem({ ...sizes, N: small ? 2 : 64, layout });
        const best = fastestOf(await find(device, problem, direction, searching(context)));
        if (!best) {
          report({ ...where, bar, missing: NOTHING });
          undone(`${where.case}, ${bar}: ${NOTHING}`);
          continue;
        }
        const time = timeOfTried(best);
        base ??= time;
        const detail = `${best.algorithm}, ${best.launch}`;
        report({ ...where, bar, time, ratio: ratioTo(base, time), detail });
      }
    }
  }
}

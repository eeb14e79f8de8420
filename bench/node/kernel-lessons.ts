/**
 * Tests and times the solutions of the lessons in writing kernels, as the page does a pupil's: whether their goals are
 * within reach. Exit status 1 if one is not.
 */
import { choice, withDefault } from '../../src/cli/arguments.ts';
import { cpuGpu } from '../../src/cpu/device/gpu.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { kernelText, lessonsInOrder } from '../../src/kernel-lessons/index.ts';
import { rateKernel, testKernel, testsOf } from '../../src/kernel-lessons/judge.ts';
import { ENGINES, openNodeDevice } from '../../src/node/gpu.ts';
import { readOptions } from '../options.ts';
import { setUp } from './runtime.ts';

const { engine } = readOptions(process.argv.slice(2), {
  engine: withDefault(choice(ENGINES, 'what computes'), 'gpu'),
});
const circumstances = await setUp(engine);

for (const lesson of lessonsInOrder()) {
  const rate = lesson.rates[engine];
  if (!rate) continue;
  const text = kernelText(lesson.name, 'solution');
  // On the CPU one thread, as in the page.
  const device = engine === 'gpu' ? await openNodeDevice({ engine }) : await openDevice(cpuGpu());
  const verdict = await testKernel(lesson, text, device, engine, testsOf(lesson, [engine]));
  const { ms = NaN, ownMs = NaN } =
    verdict.how === 'passed' ? ((await rateKernel(lesson, text, device, engine)) ?? {}) : {};
  device.destroy();
  const reached = ownMs / ms >= rate.goal;
  if (!reached) process.exitCode = 1;
  const row = { lesson: lesson.name, engine, ms, ownMs, share: ownMs / ms, goal: rate.goal, reached };
  console.log(JSON.stringify({ ...row, ...(reached ? {} : verdict), ...circumstances() }));
}
// Dawn keeps the process alive.
process.exit();

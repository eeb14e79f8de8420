import { expect, test } from 'vitest';
import { expectLaunch, settingOf } from '../../testing/conv.ts';
import { CONV_PROBLEMS } from '../../testing/problems.ts';
import { inLayout, LAYOUTS } from './layout.ts';
import { loops, timeLoops } from './loops.ts';
import { convProblem, DIRECTIONS } from './problem.ts';

const problems = LAYOUTS.flatMap((layout) =>
  CONV_PROBLEMS.map(({ name, problem }) => ({ name, layout, problem: inLayout(problem, layout) })),
);

test.each(problems)('the loops agree with the definition: $name, $layout', async ({ problem }) => {
  const setting = await settingOf(problem);
  for (const direction of DIRECTIONS)
    await expectLaunch({ exact: true }, problem, direction, loops(setting, direction), false);
});

const sizes = { C: 2, H: 9, W: 8, K: 3, R: 3, S: 3 };

test('times every direction', async () => {
  const { device } = await settingOf(convProblem({ ...sizes, N: 1 }));
  const { signal } = new AbortController();
  for (const direction of DIRECTIONS) {
    const { samples } = await timeLoops(
      { device, openCpu: undefined, signal },
      convProblem({ ...sizes, N: 1 }),
      direction,
    );
    expect(samples.length).toBeGreaterThan(1);
    for (const ms of samples) expect(ms).toBeGreaterThan(0);
  }
});

test('more images than fit a call take as much longer; none are timed once stopped', async () => {
  const { device } = await settingOf(convProblem({ ...sizes, N: 1 }));
  const stopping = new AbortController();
  const place = { device, openCpu: undefined, signal: stopping.signal };
  const least = async (N: number) =>
    Math.min(...(await timeLoops(place, convProblem({ ...sizes, N }), 'fprop')).samples);
  const [some, many] = [await least(100), await least(1000)];
  expect(many).toBeGreaterThan(5 * some);
  expect(many).toBeLessThan(20 * some);
  stopping.abort();
  expect((await timeLoops(place, convProblem({ ...sizes, N: 101 }), 'fprop')).samples).toEqual([]);
});

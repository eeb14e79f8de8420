import { expect, test } from 'vitest';
import { elements } from '../../../base/shape.ts';
import { CONV_PROBLEMS } from '../../testing/problems.ts';
import { integers } from '../../testing/fixtures.ts';
import { inLayout, LAYOUTS } from './layout.ts';
import { inputShape, outputShape, weightShape } from './problem.ts';
import { convDgrad, convFprop, convWgrad } from './reference.ts';
import { convLoops, timeLoops } from './loops.ts';

const problems = LAYOUTS.flatMap((layout) =>
  CONV_PROBLEMS.map(({ name, problem }) => ({ name, layout, problem: inLayout(problem, layout) })),
);

test.each(problems)('the loops agree with the definition: $name, $layout', ({ problem }) => {
  const x = integers(1, inputShape(problem)).data;
  const w = integers(2, weightShape(problem)).data;
  const dy = integers(3, outputShape(problem)).data;
  const run = (direction: 'fprop' | 'dgrad' | 'wgrad', inputs: Float32Array[], length: number) => {
    const output = new Float32Array(length).fill(NaN);
    convLoops(problem, direction, inputs, output);
    return [...output];
  };
  expect(run('fprop', [x, w], elements(outputShape(problem)))).toEqual([...convFprop(problem, x, w)]);
  expect(run('dgrad', [dy, w], x.length)).toEqual([...convDgrad(problem, w, dy)]);
  expect(run('wgrad', [dy, x], w.length)).toEqual([...convWgrad(problem, x, dy)]);
});

test('times every direction', async () => {
  const { problem } = CONV_PROBLEMS[5];
  for (const direction of ['fprop', 'dgrad', 'wgrad'] as const) {
    const samples = await timeLoops(problem, direction, () => true);
    expect(samples.length).toBeGreaterThan(0);
    for (const ms of samples) expect(ms).toBeGreaterThanOrEqual(0);
  }
  expect(await timeLoops(problem, 'fprop', () => false)).toEqual([]);
});

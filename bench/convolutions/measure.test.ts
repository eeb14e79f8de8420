import { expect, test } from 'vitest';
import { convDgrad, convFprop, convWgrad } from '../../src/engine/ops/conv/reference.ts';
import { DIRECTIONS, parseProblem, type Direction } from '../../src/engine/ops/conv/problem.ts';
import { judge } from '../operations/judge.ts';
import { expectedOf } from './measure.ts';
import { inputNumbers } from './peer.ts';

/** Its results have more numbers than are compared with float64. */
const problem = parseProblem('n2 c3 9x8 k4 3x3 p1');
const [x, w, dy] = (['x', 'w', 'dy'] as const).map((name) => inputNumbers(problem, name));
const RIGHT: Readonly<Record<Direction, Float32Array>> = {
  fprop: Float32Array.from(convFprop(problem, x, w)),
  dgrad: Float32Array.from(convDgrad(problem, w, dy)),
  wgrad: Float32Array.from(convWgrad(problem, x, dy)),
};

test.each(DIRECTIONS)('right results pass: %s', (direction) => {
  const numbers = RIGHT[direction];
  const errors = judge(expectedOf({ problem, direction }), [
    { title: 'one', numbers },
    { title: 'other', numbers },
  ]);
  for (const error of errors) expect(error).toBeLessThan(1e-6);
});

test('a number that nobody looks at is compared with the first library', () => {
  const wrong = RIGHT.fprop.map((number, i) => (i === 77 ? number + 0.1 : number));
  const results = (numbers: Float32Array) => [
    { title: 'right', numbers: RIGHT.fprop },
    { title: 'wrong', numbers },
  ];
  const expected = expectedOf({ problem, direction: 'fprop' });
  expect(() => judge(expected, results(wrong))).toThrow(/^wrong: fprop of n2 .* differs from right/);
  // The last is a corner, which is looked at.
  const last = RIGHT.fprop.with(RIGHT.fprop.length - 1, NaN);
  expect(() => judge(expected, results(last))).toThrow(/^wrong: .* differs from float64 by NaN/);
  expect(() => judge(expected, results(RIGHT.fprop.slice(1)))).toThrow('numbers, expected 576');
});

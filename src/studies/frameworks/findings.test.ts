import { expect, test } from 'vitest';
import { timeOf } from '../times.ts';
import { findingsOf, type Level } from './findings.ts';

/** @param ms of one image and of a training step, each with a spread of a tenth; undefined if it was not measured */
const level = (
  name: string,
  place: 'GPU' | 'CPU',
  lines: number,
  [image, step]: readonly (number | undefined)[],
  lacks: Level['entrant']['lacks'] = {},
): Level => {
  const time = (ms: number | undefined) =>
    ms === undefined ? undefined : timeOf([0.95 * ms, ms, 1.05 * ms], 1, 'wall');
  return {
    entrant: { level: name, title: place === 'GPU' ? 'WebGPU' : 'JavaScript', place, lacks },
    lines,
    times: { inference: time(image), training: time(step) },
  };
};

test('each finding is judged by the times and lines of a stack', () => {
  const levels = [
    level('core', 'GPU', 90, [2, 10]),
    level('Layers', 'GPU', 40, [1, 10.5]),
    level('fit', 'GPU', 10, [4, 5]),
    level('core', 'CPU', 90, [3, 20]),
    level('Layers', 'CPU', 40, [3, 30]),
    level('fit', 'CPU', 10, [1, 40]),
  ];
  expect(findingsOf('TF', levels)).toEqual([
    {
      finding: 'The middle level is the fastest',
      stack: 'TF, WebGPU',
      image: 'yes (1 : 0.5 : 2)',
      step: 'no (1 : 1.1 : 0.5)',
    },
    {
      finding: 'The middle level is the fastest',
      stack: 'TF, JavaScript',
      image: 'no (1 : 1 : 0.33)',
      step: 'no (1 : 1.5 : 2)',
    },
    {
      finding: 'The highest level is the slowest',
      stack: 'TF, WebGPU',
      image: 'yes (1 : 0.5 : 2)',
      step: 'no (1 : 1.1 : 0.5)',
    },
    {
      finding: 'The highest level is the slowest',
      stack: 'TF, JavaScript',
      image: 'no (1 : 1 : 0.33)',
      step: 'yes (1 : 1.5 : 2)',
    },
    {
      finding: 'The GPU is ahead of the CPU at every level',
      stack: 'TF',
      image: 'no (0.67 : 0.33 : 4)',
      step: 'yes (0.5 : 0.35 : 0.13)',
    },
    { finding: 'The lower the level, the more lines of code', stack: 'TF', lines: 'yes (90 : 40 : 10)' },
  ]);
});

test('spreads that overlap, levels that cannot do something, and levels that were not measured', () => {
  const predicts = { inference: 'only trains' };
  const levels = [
    level('core', 'CPU', 40, [2, 10]),
    level('Layers', 'CPU', 40, [2.1, undefined]),
    level('fit', 'CPU', 30, [undefined, 12], predicts),
  ];
  expect(findingsOf('TF', levels)).toEqual([
    {
      finding: 'The highest level is the slowest',
      stack: 'TF, JavaScript',
      image: 'unclear (1 : 1.1)',
      step: 'not measured',
    },
    {
      finding: 'The GPU is ahead of the CPU at every level',
      stack: 'TF',
      image: 'not measured',
      step: 'not measured',
    },
    { finding: 'The lower the level, the more lines of code', stack: 'TF', lines: 'in part (40 : 40 : 30)' },
  ]);
});

test('a level that failed on one device is not left out of “every level”', () => {
  const levels = [
    level('core', 'GPU', 90, [1, 1]),
    level('fit', 'GPU', 10, [undefined, undefined], { inference: 'only trains' }),
    level('core', 'CPU', 90, [2, 2]),
    level('fit', 'CPU', 10, [undefined, 2], { inference: 'only trains' }),
  ];
  const ahead = findingsOf('TF', levels).find(({ finding }) => finding.startsWith('The GPU'));
  expect(ahead).toMatchObject({ image: 'yes (0.5)', step: 'not measured' });
});

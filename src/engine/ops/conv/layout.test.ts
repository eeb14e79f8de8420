import { expect, test } from 'vitest';
import { elements } from '../../../base/shape.ts';
import { integers } from '../../testing/fixtures.ts';
import { CONV_PROBLEMS } from '../../testing/problems.ts';
import { inLayout, LAYOUTS } from './layout.ts';
import { DIRECTIONS } from './problem.ts';
import { convDgrad, convFprop, convWgrad } from './reference.ts';
import { convNumber } from './sample.ts';
import { convTensorIndexing, convTensorShape, DIRECTION_TENSORS, inProblemLayout } from './tensors.ts';

const { problem } = CONV_PROBLEMS.find(({ name }) => name === 'everything unequal')!;

test.each(LAYOUTS)('%s: an index and its place belong together, in the order of the shape', (layout) => {
  const own = inLayout(problem, layout);
  for (const name of ['x', 'w', 'y'] as const) {
    const indexing = convTensorIndexing(own, name);
    const shape = convTensorShape(own, name);
    for (let at = 0; at < elements(shape); at++) expect(indexing.at(...indexing.placeOf(at))).toBe(at);
    const [, channel, row, column] = indexing.placeOf(elements(shape) - 1);
    const last = shape.slice(1).map((size) => size - 1);
    expect(layout === 'nhwc' ? [row, column, channel] : [channel, row, column]).toEqual(last);
  }
});

test('a convolution is the same in both layouts, and so are its single values', () => {
  const nhwc = inLayout(problem, 'nhwc');
  const values = (name: 'x' | 'w' | 'dy', seed: number) =>
    integers(seed, convTensorShape(problem, name)).data;
  const x = values('x', 1);
  const w = values('w', 2);
  const dy = values('dy', 3);
  const turn = (name: 'x' | 'w' | 'dy', data: Float32Array<ArrayBuffer>) =>
    inProblemLayout(nhwc, name, data, 'nchw');
  const given = { x: turn('x', x), w: turn('w', w), dy: turn('dy', dy) };
  const results = {
    fprop: [convFprop(nhwc, given.x, given.w), convFprop(problem, x, w)],
    dgrad: [convDgrad(nhwc, given.w, given.dy), convDgrad(problem, w, dy)],
    wgrad: [convWgrad(nhwc, given.x, given.dy), convWgrad(problem, x, dy)],
  };
  for (const direction of DIRECTIONS) {
    const { inputs, output } = DIRECTION_TENSORS[direction];
    const [ours, pytorch] = results[direction].map((data) => Float32Array.from(data));
    expect([...inProblemLayout(problem, output, ours, 'nhwc')]).toEqual([...pytorch]);
    const [first, second] = inputs.map((name) => (at: number) => given[name][at]);
    for (let at = 0; at < ours.length; at += 7) {
      expect(convNumber(nhwc, direction, [first, second], at)).toBe(ours[at]);
    }
  }
});

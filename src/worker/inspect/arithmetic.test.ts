import { expect, test } from 'vitest';
import { inferShapes } from '../../engine/network.ts';
import { REFERENCES } from '../../engine/reference/registry.ts';
import { normals } from '../../engine/testing/fixtures.ts';
import { workOut } from './arithmetic.ts';

test.each([
  { op: 'group_norm', attributes: { numGroups: 2 }, read: 24 },
  { op: 'instance_norm', attributes: { eps: 0.1 }, read: 12 },
])('$op: every value follows from those of its group, its own among them', ({ op, attributes, read }) => {
  const [shape] = inferShapes([{ name: 'n', op, attributes }], [1, 4, 3, 4]);
  const x = Float64Array.from(normals(1, shape.input).data);
  const own = Object.fromEntries(
    shape.parameters.map(({ name, shape: sizes }, i) => [name, normals(2 + i, sizes).data]),
  );
  const { y: output } = REFERENCES[op]({
    attributes: shape.attributes,
    inputs: [x],
    shapes: [shape.input],
    output: shape.output,
    parameters: own,
  });
  for (const at of [
    { k: 0, p: 0, q: 0 },
    { k: 2, p: 1, q: 3 },
    { k: 3, p: 2, q: 0 },
  ]) {
    const found = workOut({ shape, inputs: [{ name: 'x', values: x }], output, own }, at)!;
    expect(found.error).toBeLessThan(1e-14);
    expect(found.terms).toHaveLength(read);
    const { k, p, q } = at;
    expect(found.terms.filter(({ chosen }) => chosen)).toEqual([
      { name: `x[${k}, ${p}, ${q}]`, value: x[(k * 3 + p) * 4 + q], weight: undefined, chosen: true },
    ]);
  }
});

test.each([
  {
    attributes: { padding: { top: 1, bottom: 0, left: 2, right: 1 }, value: 0.5 },
    reads: ['', '', 'x[1, 1, 1]'],
  },
  {
    attributes: { padding: { top: 1, bottom: 0, left: 2, right: 1 }, mode: 'reflect' },
    reads: ['x[0, 1, 2]', 'x[1, 1, 2]', 'x[1, 1, 1]'],
  },
])('pad: a value is that of a place inside, or the border’s: $attributes', ({ attributes, reads }) => {
  const [shape] = inferShapes([{ name: 'p', op: 'pad', attributes }], [1, 2, 3, 4]);
  const x = Float64Array.from(normals(1, shape.input).data);
  const { attributes: all, input, output } = shape;
  const given = { attributes: all, inputs: [x], shapes: [input], output, parameters: {} };
  const values = { shape, inputs: [{ name: 'x', values: x }], output: REFERENCES['pad'](given).y, own: {} };
  const places = [
    { k: 0, p: 0, q: 0 },
    { k: 1, p: 2, q: 6 },
    { k: 1, p: 2, q: 3 },
  ];
  const found = places.map((at) => workOut(values, at)!);
  expect(found.map(({ error }) => error)).toEqual([0, 0, 0]);
  expect(found.map(({ terms }) => terms.map(({ name }) => name).join())).toEqual(reads);
});

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
    attributes,
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

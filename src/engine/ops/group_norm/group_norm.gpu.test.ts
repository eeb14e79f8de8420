import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { elements, type Shape } from '../../../base/shape.ts';
import { expectClose } from '../../testing/check.ts';
import { normals, type FixtureValues } from '../../testing/fixtures.ts';
import { pretend, runPlan, testDevice } from '../../testing/gpu.ts';
import { complete, testNode } from '../../testing/node.ts';
import { reluBackward, reluForward } from '../relu/reference.ts';
import groupNorms, { type GroupNormAttributes } from './index.ts';
import passes from './passes.ts';
import PYTORCH from './pytorch.json' with { type: 'json' };
import { groupNormBackward, groupNormForward } from './reference.ts';

const [groupNorm, instanceNorm] = groupNorms;

interface Values {
  x: FixtureValues;
  dy: FixtureValues;
  /** With `affine`. */
  weight?: FixtureValues;
  bias?: FixtureValues;
}

/** Both passes, as a training step does them. */
async function run(
  attributes: Partial<GroupNormAttributes>,
  { x, dy, ...parameters }: Values,
  given: { relu?: boolean; maskInput?: boolean } = {},
): Promise<Record<string, Float32Array>> {
  const { shape } = x;
  const op = 'numGroups' in attributes ? groupNorm : instanceNorm;
  const gradients = Object.fromEntries(
    Object.entries(parameters).map(([name, values]) => [`d${name}`, values.shape]),
  );
  return runPlan<string, string>({
    inputs: { x, dy, ...parameters },
    outputs: { y: shape, dx: shape, ...gradients },
    build(plan, t) {
      const own = (prefix: string) =>
        Object.fromEntries(Object.keys(parameters).map((name) => [name, t[`${prefix}${name}`]]));
      const node = testNode(complete<GroupNormAttributes>(op, attributes), {
        input: t['x'],
        output: t['y'],
        outputGradient: t['dy'],
        inputGradient: t['dx'],
        parameters: own(''),
        gradients: own('d'),
        ...given,
      });
      passes.forward(plan, node);
      passes.backward(plan, node);
    },
  });
}

/** One value and many, odd lengths, one group and one for each channel, vectors, and sums that threads share. */
const CASES: [Shape, groups: number][] = [
  [[1, 2, 1, 1], 1],
  [[3, 6, 1, 1], 2],
  [[5, 4, 3, 3], 4],
  [[2, 5, 5, 7], 5],
  [[4, 16, 8, 8], 4],
  [[3, 7, 9, 11], 1],
  [[2, 3, 33, 31], 3],
  [[2, 2, 71, 73], 1],
  [[70, 6, 2, 3], 3],
  [[7, 20], 5],
  [[1, 12], 1],
];

// A software adapter would not choose the launches of real GPUs.
describe.each([
  { relu: false, maskInput: false, software: true },
  { relu: true, maskInput: true, software: true },
  { relu: false, maskInput: false, software: false },
  { relu: true, maskInput: true, software: false },
])('ReLU: $relu, mask: $maskInput, adapter is software: $software', ({ relu, maskInput, software }) => {
  let restore: () => void;
  beforeAll(async () => {
    restore = pretend((await testDevice()).adapter, software);
  });
  afterAll(() => restore());

  test.each(CASES)('%j in %i groups', async (shape, numGroups) => {
    const [, C, ...rest] = shape;
    const values = { x: normals(1, shape), dy: normals(2, shape) };
    const own = { weight: normals(3, [C]), bias: normals(4, [C]) };
    const { data: x } = values.x;
    const { data: dy } = values.dy;
    const problem = { C, groups: numGroups, plane: elements(rest), eps: 1e-5 };
    const masked = (dx: Float64Array) => (maskInput ? reluBackward(x, dx) : dx);
    for (const parameters of [own, {}]) {
      const found = await run({ numGroups }, { ...values, ...parameters }, { relu, maskInput });
      const [w, b] = 'weight' in parameters ? [own.weight.data, own.bias.data] : [];
      const y = groupNormForward(problem, x, w, b);
      const { dx, dw, db } = groupNormBackward(problem, x, w, dy);
      expectClose('y', found['y'], relu ? reluForward(y) : y, 2e-6);
      // Of two values, only what eps leaves of the gradient.
      if ((C / numGroups) * problem.plane > 2) expectClose('dx', found['dx'], masked(dx), 5e-6);
      if (!w) continue;
      expectClose('dw', found['dweight'], dw, 3e-6);
      expectClose('db', found['dbias'], db, 1e-6);
    }
  });
});

test.each(PYTORCH)('PyTorch: $module on $shape', async ({ module, shape, x, dy, y, dx, ...rest }) => {
  const values = (data: readonly number[], own: Shape) => ({ shape: own, data: Float32Array.from(data) });
  const { weight, bias, dweight, dbias } = rest as Partial<Record<string, number[]>>;
  const own = weight && bias ? { weight: values(weight, [shape[1]]), bias: values(bias, [shape[1]]) } : {};
  const groups = /^GroupNorm\((\d+)/.exec(module)?.[1];
  const eps = /eps=([\d.]+)/.exec(module)?.[1];
  const attributes = {
    ...(groups ? { numGroups: Number(groups) } : {}),
    ...(eps ? { eps: Number(eps) } : {}),
  };
  const found = await run(attributes, { x: values(x, shape), dy: values(dy, shape), ...own });
  const expected = { y, dx, ...(weight ? { dweight, dbias } : {}) };
  for (const [name, numbers] of Object.entries(expected))
    expectClose(name, found[name], Float64Array.from(numbers ?? []), 1e-6);
});

test('a mean a thousand times the deviation costs three digits and no more', async () => {
  const shape = [2, 4, 16, 16];
  const x = normals(1, shape);
  x.data.forEach((value, i) => (x.data[i] = value + 1000));
  const { y } = await run({ numGroups: 2 }, { x, dy: normals(2, shape) });
  const problem = { C: 4, groups: 2, plane: 256, eps: 1e-5 };
  expectClose('y', y, groupNormForward(problem, x.data, undefined, undefined), 1e-4);
});

test('invalid attributes and inputs are refused', () => {
  const shapeOf = (attributes: Partial<GroupNormAttributes>, shape: Shape) => () =>
    groupNorm.outputShape(complete(groupNorm, attributes), shape);
  expect(shapeOf({ numGroups: 1 }, [3])).toThrow(/expected an input of shape \[N, C, ...\], found \[3\]/);
  expect(shapeOf({ numGroups: 3 }, [2, 4, 5, 5])).toThrow(
    /expected numGroups to divide the 4 channels, found 3/,
  );
  expect(shapeOf({ numGroups: 0 }, [2, 4, 5, 5])).toThrow(/found 0/);
  expect(shapeOf({ numGroups: 4 }, [2, 4])).toThrow(/expected more than one value in each group/);
  expect(shapeOf({ numGroups: 1, eps: 0 }, [2, 4])).toThrow(/expected eps to be a number above 0, found 0/);
  expect(() => instanceNorm.outputShape(complete(instanceNorm), [2, 4, 1, 1])).toThrow(
    /instance_norm: expected more than one/,
  );
  expect(instanceNorm.parameters?.(complete(instanceNorm), [2, 4, 5, 5])).toEqual([]);
});

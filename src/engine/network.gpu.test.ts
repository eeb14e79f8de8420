/** Whole graphs, forward and backward, against float64 and central differences. */
import { expect, test } from 'vitest';
import { inferShapes, layoutParameters, type Layer } from './network.ts';
import { addForward } from './ops/add/reference.ts';
import { concatForward } from './ops/concat/reference.ts';
import { linearFprop } from './ops/linear/reference.ts';
import { reluForward } from './ops/relu/reference.ts';
import { expectClose } from './testing/check.ts';
import { normals, type FixtureValues } from './testing/fixtures.ts';
import { runNetwork } from './testing/network.ts';

const N = 3;
const EPSILON = 1e-5;
const linear = (name: string, outFeatures: number, ...inputs: string[]): Layer => ({
  name,
  op: 'linear',
  attributes: { outFeatures },
  ...(inputs.length > 0 ? { inputs } : {}),
});

/** Each graph, with what to check in its plan. */
const graphs: { name: string; layers: Layer[]; labels: string[] }[] = [
  {
    name: 'residual blocks whose fused ReLUs fan out',
    layers: [
      linear('a', 6),
      { name: 'ra', op: 'relu' },
      linear('b', 6),
      { name: 's', op: 'add', inputs: ['b', 'ra'] },
      { name: 'rs', op: 'relu' },
      linear('c', 6),
      { name: 't', op: 'add', inputs: ['c', 'rs', 'ra'] },
      linear('d', 2),
    ],
    labels: [
      ...['a fprop', 'b fprop', 's', 'c fprop', 't', 't', 'd fprop', 'd wgrad', 'd dgrad'],
      ...['c wgrad', 'c dgrad', 's sum of gradients', 'b wgrad', 'b dgrad', 'a sum of gradients'],
      ...['a sum of gradients', 'a wgrad'],
    ],
  },
  {
    name: 'a ReLU taken by a sum alone, and a sum of one thing twice',
    layers: [
      linear('a', 5),
      { name: 'ra', op: 'relu' },
      linear('b', 5, 'input'),
      { name: 'rb', op: 'relu' },
      { name: 's', op: 'add', inputs: ['ra', 'rb'] },
      linear('c', 3),
      { name: 'rc', op: 'relu' },
      { name: 't', op: 'add', inputs: ['rc', 'rc'] },
    ],
    labels: [
      ...['a fprop', 'b fprop', 's', 'c fprop', 't', 'c sum of gradients', 'c wgrad', 'c dgrad'],
      ...['b mask', 'b wgrad', 'a mask', 'a wgrad'],
    ],
  },
  {
    name: 'concatenation, views, and a ReLU that is not fused because its input is taken too',
    layers: [
      linear('a', 4),
      { name: 'ra', op: 'relu' },
      { name: 'f', op: 'flatten', inputs: ['a'] },
      { name: 'k', op: 'concat', inputs: ['f', 'ra', 'input'] },
      linear('b', 3),
      { name: 'rb', op: 'relu' },
      { name: 'g', op: 'flatten', inputs: ['rb'] },
      linear('c', 2),
    ],
    labels: [
      ...['a fprop', 'ra', 'k', 'k', 'k', 'b fprop', 'c fprop', 'c wgrad', 'c dgrad', 'b wgrad', 'b dgrad'],
      ...['k backward', 'k backward', 'ra backward', 'a sum of gradients', 'a wgrad'],
    ],
  },
];

type State = Readonly<Record<string, ArrayLike<number>>>;

/** The network's outputs in float64, from the references of its ops. */
function answers(layers: readonly Layer[], x: FixtureValues, parameters: State): Float64Array {
  const outputs: Record<string, Float64Array> = { input: Float64Array.from(x.data) };
  let before = 'input';
  for (const { name, op, inputs = [before] } of layers) {
    const taken = inputs.map((one) => outputs[one]);
    const [input] = taken;
    const bias = parameters[`${name}.bias`];
    const sizes = () => ({ N, inFeatures: input.length / N, outFeatures: bias.length });
    if (op === 'linear') outputs[name] = linearFprop(sizes(), input, parameters[`${name}.weight`], bias);
    else if (op === 'relu') outputs[name] = reluForward(input);
    else if (op === 'add') outputs[name] = addForward(...taken);
    else if (op === 'concat')
      outputs[name] = concatForward(
        taken,
        taken.map(({ length }) => length / N),
      );
    else outputs[name] = input;
    before = name;
  }
  return outputs[before];
}

test.each(graphs)('$name', async ({ layers, labels }) => {
  const x = normals(1, [N, 4]);
  const shapes = inferShapes(layers, x.shape);
  const dy = normals(2, shapes[shapes.length - 1].output);
  const { entries } = layoutParameters(shapes);
  const parameters = Object.fromEntries(entries.map(({ name, shape }, i) => [name, normals(i + 3, shape)]));
  const { found, labels: dispatched } = await runNetwork(layers, { x, dy, parameters });
  expect(dispatched).toEqual(labels);
  const state = Object.fromEntries(
    entries.map(({ name }) => [name, Float64Array.from(parameters[name].data)]),
  );
  expectClose('y', found['y'], answers(layers, x, state), 1e-6);
  const value = () => answers(layers, x, state).reduce((sum, y, i) => sum + y * dy.data[i], 0);
  for (const { name } of entries) {
    const numbers = state[name];
    const expected = numbers.map((number, i) => {
      const [above, below] = [EPSILON, -EPSILON].map((change) => {
        numbers[i] = number + change;
        return value();
      });
      numbers[i] = number;
      return (above - below) / (2 * EPSILON);
    });
    expectClose(name, found[`d ${name}`], expected, 2e-6);
  }
});

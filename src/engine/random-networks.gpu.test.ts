/** Random networks of all ops, forward and backward, against float64. WGRAD_SEED repeats them. */
import { expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { elements, type Shape } from '../base/shape.ts';
import { count, SEED } from '../base/testing/tier.ts';
import { inferShapes, layoutParameters, type Layer } from './network.ts';
import { ACTIVATIONS } from './ops/activation/activations.ts';
import { completeAttributes } from '../ops/attributes.ts';
import { chooseAll, convLayers, withChoices } from './ops/conv/choice/layers.ts';
import { convAlgorithms } from './ops/conv/algorithms/index.ts';
import { DEFAULT_WORKSPACE, launchesOf, whyNot } from './ops/conv/run.ts';
import { ops } from './ops/registry.ts';
import { forwardOutputs } from './reference/network.ts';
import { REFERENCES } from './reference/registry.ts';
import { compare } from './testing/check.ts';
import { normals } from './testing/fixtures.ts';
import { asIfOn, testDevice } from './testing/gpu.ts';
import { runNetwork } from './testing/network.ts';
import { boundedResults, type NamedNumbers } from './testing/rounded.ts';

const pick = <T>(random: Random, from: readonly T[]): T => from[random.below(from.length)];

/** Ops whose slope jumps: rounding decides on which side a value lies. */
const JUMPS = ['relu', 'leaky_relu', 'prelu', 'max_pool', 'adaptive_max_pool', 'maxout'];
const ELEMENTWISE = ['relu', 'relu', 'relu', ...ACTIVATIONS.map(({ name }) => name)];

/** Ops whose output is scaled with their input. */
const KEEPS_SCALE = [
  'add',
  'concat',
  'dropout',
  'flatten',
  'maxout',
  'relu',
  'leaky_relu',
  'prelu',
  'scale',
  'max_pool',
  'avg_pool',
  'adaptive_max_pool',
  'adaptive_avg_pool',
];

/** How many values a norm normalises together; undefined for other ops. */
function normalisedTogether(op: string, groups: number, [N, C, ...rest]: Shape): number | undefined {
  const plane = elements(rest);
  if (op === 'batch_norm') return N * plane;
  if (op === 'group_norm') return (C / groups) * plane;
  return op === 'instance_norm' ? plane : undefined;
}

/** @param input [N, C, H, W] */
function randomLayers(random: Random, input: Shape): Layer[] {
  const layers: Layer[] = [];
  /** `normalised`: another norm of it would only undo its scale, so that gradients are what eps leaves of them. */
  const outputs: { name: string; shape: Shape; taken: boolean; normalised: boolean }[] = [
    { name: 'input', shape: input, taken: true, normalised: false },
  ];
  const upTo = (most: number) => 1 + random.below(most);
  const add = (op: string, attributes: Layer['attributes'], ...inputs: typeof outputs) => {
    const layer = { name: `${op}${layers.length}`, op, attributes, inputs: inputs.map(({ name }) => name) };
    // Throws for attributes that do not fit, before anything has changed.
    const [first, ...others] = inputs.map((one) => one.shape);
    const known = ops.get(op);
    const shape = known.outputShape(completeAttributes(known, attributes), first, ...others);
    if (elements(shape) > 6000) return undefined;
    const together = normalisedTogether(op, Number(attributes?.['numGroups']), first);
    const normalised =
      together !== undefined || (KEEPS_SCALE.includes(op) && inputs.some((one) => one.normalised));
    if (together !== undefined && (inputs[0].normalised || together < 12)) return undefined;
    layers.push(layer);
    for (const one of inputs) one.taken = true;
    const made = { name: layer.name, shape, taken: false, normalised };
    outputs.push(made);
    return made;
  };
  const size = upTo(7);
  for (let tries = 0; tries < 60 && layers.length < size + 2; tries++) {
    const x = random.below(4) === 0 ? pick(random, outputs) : outputs[outputs.length - 1];
    const image = x.shape.length === 4;
    const pair = (most: number) => [upTo(most), upTo(most)];
    const alike = outputs.filter(({ shape }) => shape.join() === x.shape.join());
    const beside = outputs.filter(
      ({ shape }) =>
        [0, 2, 3].every((axis) => shape[axis] === x.shape[axis]) && shape.length === x.shape.length,
    );
    const makers: (() => unknown)[] = [
      () => add(pick(random, ELEMENTWISE), {}, x),
      () => add('batch_norm', {}, x),
      () => add('group_norm', { numGroups: upTo(4), affine: random.below(2) > 0 }, x),
      () => add('prelu', { numParameters: pick(random, [1, x.shape[1]]) }, x),
      () => add('add', {}, x, pick(random, alike)),
      () => add('concat', {}, x, pick(random, beside)),
      () => add('maxout', { pieces: upTo(3) }, x),
      () => add('dropout', { p: 0 }, x),
      ...(image
        ? [
            ...[1, 2, 3].map(() => () => {
              const kernelSize = pick(random, [[1, 1], [3, 3], [5, 5], pair(4)]);
              const padding = pick(random, ['same', [kernelSize[0] >> 1, kernelSize[1] >> 1], [0, 0]]);
              const stride = random.below(3) === 0 ? pair(3) : [1, 1];
              return add(
                'conv',
                { outChannels: upTo(12), kernelSize, padding, stride, bias: random.below(3) > 0 },
                x,
              );
            }),
            () => add('instance_norm', { affine: random.below(2) > 0 }, x),
            () => add('pad', { padding: pair(3), mode: 'reflect' }, x),
            () => add('pad', { padding: pair(3), value: random.below(3) - 1 }, x),
            () => add(pick(random, ['max_pool', 'avg_pool']), { kernelSize: pair(3), stride: pair(2) }, x),
            () => add(pick(random, ['adaptive_avg_pool', 'adaptive_max_pool']), { outputSize: pair(4) }, x),
          ]
        : [() => add('linear', { outFeatures: upTo(20), bias: random.below(3) > 0 }, x)]),
    ];
    try {
      pick(random, makers)();
    } catch {
      // It does not fit here.
    }
  }
  // Whatever is not read yet meets in the last layer.
  const open = outputs.filter(({ taken, shape }) => !taken || (layers.length === 0 && shape === input));
  const flat = (open.length > 0 ? open : [outputs[0]]).map((one) =>
    one.shape.length === 4 ? (add('flatten', {}, one) ?? one) : one,
  );
  const last = flat.length > 1 ? add('concat', {}, ...flat) : flat[0];
  if (last) add('linear', { outFeatures: 3 }, last);
  return layers;
}

/** The layers, with any algorithm and launch for each direction of each convolution. */
async function withAnyLaunches(random: Random, layers: readonly Layer[], input: Shape): Promise<Layer[]> {
  const device = await testDevice();
  const choices = chooseAll(device, layers, input);
  for (const { layer, problem, directions } of convLayers(layers, input)) {
    for (const direction of directions) {
      const setting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' } as const;
      const able = convAlgorithms.all().filter((one) => whyNot(one, setting, direction) === undefined);
      const algorithm = pick(random, able);
      const launch = pick(random, launchesOf(algorithm, setting, direction)).name;
      choices.layers[layer][direction] = { algorithm: algorithm.name, launch, by: 'pin' };
    }
  }
  return withChoices(layers, choices);
}

/** Whether rounding may decide which side of a jump a value is on. */
function isNearJump(random: Random, layers: readonly Layer[], input: Shape, numbers: NamedNumbers): boolean {
  const shapes = inferShapes(layers, input);
  const outputs = forwardOutputs(shapes, numbers['x'], (name) => numbers[name]);
  return shapes.some(({ layer, attributes, sources: [source], inputs, output, parameters }) => {
    if (!JUMPS.includes(layer.op)) return false;
    const x = source < 0 ? numbers['x'] : outputs[source].y;
    const dy = Float64Array.from({ length: elements(output) }, () => random.normal());
    const slopes = (values: Float64Array) =>
      REFERENCES[layer.op]({
        attributes,
        inputs: [values],
        shapes: inputs,
        output,
        parameters: Object.fromEntries(
          parameters.map(({ name }) => [name, numbers[`${layer.name}.${name}`]]),
        ),
      }).backward(dy).inputs[0];
    const scale = x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const own = slopes(x);
    return [1, 2, 3, 4, 5, 6].some(() => {
      const found = slopes(x.map((value) => value + 1e-5 * scale * random.uniform(-1, 1)));
      return own.some((value, i) => value !== found[i]);
    });
  });
}

test('random networks', async () => {
  const { software, cpu } = (await testDevice()).adapter;
  const random = new Random(SEED, 'random networks');
  const wanted = software ? count(1, 1, 12) : count(20, 20, 200);
  const seen = new Set<string>();
  let tensors = 0;
  let worst = 0;
  const judge = async (plain: readonly Layer[], input: Shape) => {
    const layers = await withAnyLaunches(random, plain, input);
    const shapes = inferShapes(layers, input);
    const { entries, buffers } = layoutParameters(shapes);
    const x = normals(random.uint32(), input);
    const dy = normals(random.uint32(), shapes[shapes.length - 1].output);
    const parameters = Object.fromEntries(
      entries.map(({ name, shape, fanIn }) => {
        const values = normals(random.uint32(), shape);
        return [name, { shape, data: values.data.map((value) => value / Math.sqrt(fanIn)) }];
      }),
    );
    const numbers = Object.fromEntries(
      Object.entries({ x, ...parameters }).map(([name, { data }]) => [name, Float64Array.from(data)]),
    );
    if (isNearJump(random, layers, input, numbers)) return false;
    const statistics = Object.fromEntries(
      buffers.entries.map(({ name, shape, initial }) => [
        name,
        { shape, data: new Float32Array(elements(shape)).fill(initial) },
      ]),
    );
    const { found } = await runNetwork(layers, { x, dy, parameters, buffers: statistics });
    for (const [name, { exact, bound }] of boundedResults(
      random,
      shapes,
      numbers,
      Float64Array.from(dy.data),
    )) {
      const { difference, index } = compare(found[name === 'y' ? 'y' : `d ${name}`], exact);
      const where = `seed ${SEED}: ${name}[${index}], off by ${difference}, allowed ${bound}; ${JSON.stringify({ input, layers })}`;
      if (!(difference <= bound)) throw new Error(where);
      if (bound > 0) worst = Math.max(worst, difference / bound);
      tensors++;
    }
    for (const { op } of layers) seen.add(op);
    return true;
  };
  let skipped = 0;
  for (let done = 0; done < wanted;) {
    const input = [2 + random.below(4), 1 + random.below(5), 1 + random.below(12), 1 + random.below(12)];
    const layers = randomLayers(random, input);
    if (layers.length < 2 || !layers.some(({ op }) => op === 'linear')) continue;
    const here = () => judge(layers, input);
    const judged = await (cpu && random.below(2) === 0
      ? asIfOn(pick(random, ['SwiftShader', 'a GPU'] as const), here)
      : here());
    if (judged) done++;
    else skipped++;
  }
  expect(tensors).toBeGreaterThanOrEqual(wanted);
  console.log(
    `random networks, seed ${SEED}: ${wanted} networks of ${seen.size} ops, ${tensors} tensors; the largest error is ${(100 * worst).toFixed(1)} % of its bound; ${skipped} at a jump left out`,
  );
});

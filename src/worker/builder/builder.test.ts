import { describe, expect, test } from 'vitest';
import { remove, setAttributes } from '../../base/layers/edit.ts';
import type { LayerData } from '../../base/layers/layer.ts';
import { Random } from '../../base/random.ts';
import { elements } from '../../base/shape.ts';
import { ops } from '../../engine/ops/registry.ts';
import { isRequired } from '../../ops/attributes.ts';
import { models } from '../../models/index.ts';
import { requireClasses, summarise } from '../../models/model.ts';
import { describePlainly } from './describe.ts';
import { LAYER_KINDS } from './kinds.ts';
import { describeModel } from './fixes.ts';

const conv = (name: string, outChannels: number, rest: object = {}): LayerData => ({
  name,
  op: 'conv',
  attributes: { outChannels, kernelSize: [3, 3], padding: [1, 1], ...rest },
});
const layer = (name: string, op: string, inputs?: string[], attributes?: object): LayerData => ({
  name,
  op,
  ...(inputs ? { inputs } : {}),
  ...(attributes ? { attributes: { ...attributes } } : {}),
});
const small = (layers: LayerData[], input = [3, 32, 32]) => ({
  name: 'own',
  title: 'Own',
  description: '',
  input,
  classes: 10,
  layers,
});
const END = [
  layer('avgpool', 'adaptive_avg_pool', undefined, { outputSize: [1, 1] }),
  layer('flatten', 'flatten'),
  layer('fc', 'linear', undefined, { outFeatures: 10 }),
];

test('every op is a type of layer, with texts for all its attributes, within its limits', () => {
  expect(LAYER_KINDS.map(({ op }) => op).toSorted()).toEqual(ops.names());
  for (const { op, attributes } of LAYER_KINDS) {
    const { attributes: specs = {} } = ops.get(op);
    expect(attributes.map(({ name }) => name).toSorted()).toEqual(Object.keys(specs).toSorted());
    for (const one of attributes) {
      expect(one.title).toBeTypeOf('string');
      if (isRequired(one)) expect(one.initial).toBeDefined();
    }
  }
  const kindOf = (op: string) => LAYER_KINDS.find((kind) => kind.op === op);
  expect(kindOf('add')?.joins).toBe(true);
  expect(kindOf('relu')?.joins).toBe(false);
  expect(kindOf('dropout')?.attributes).toMatchObject([{ name: 'p', least: 0, most: 1, default: 0.5 }]);
  expect(kindOf('conv')?.attributes.find(({ name }) => name === 'padding')).toMatchObject({
    kind: 'padding',
    initial: [1, 1],
    default: [0, 0],
  });
});

test('numbers are within the limits of their op, and above exclusive ones', () => {
  const said = (op: string, attributes: object) =>
    describePlainly(small([conv('conv', 4), layer('own', op, undefined, attributes), ...END])).errors.map(
      ({ message }) => message,
    );
  expect(said('batch_norm', { eps: 0 })).toEqual(['Epsilon: expected a number above 0, found 0.']);
  expect(said('batch_norm', { eps: 1e-3, momentum: 0 })).toEqual([]);
  expect(said('dropout', { p: 1.5 })).toEqual(['Probability: expected a number from 0 to 1, found 1.5.']);
  expect(said('elu', { alpha: 'much' })).toEqual([
    'Alpha: expected a number from -1e20 to 1e20, found "much".',
  ]);
});

describe('describing', () => {
  test.each(models.names())('%s has no errors, and its parameters are right', (name) => {
    const model = models.get(name);
    const { layers, errors } = describeModel(model);
    expect(errors).toEqual([]);
    const counts = layers.map(({ parameters }) =>
      parameters.reduce((sum, { shape }) => sum + elements(shape), 0),
    );
    expect(counts).toEqual(summarise(model).layers.map(({ parameters }) => parameters));
  });

  test('MACs and memory of LeNet-5, by hand', () => {
    const { layers } = describePlainly(models.get('lenet5'));
    const sum = (pick: (one: (typeof layers)[number]) => number) =>
      layers.reduce((total, one) => total + pick(one), 0);
    expect(sum(({ multiplyAdds }) => multiplyAdds)).toBe(
      6 * 28 * 28 * 25 + 16 * 10 * 10 * 6 * 25 + 400 * 120 + 120 * 84 + 84 * 10,
    );
    const outputs = 2 * 6 * 28 * 28 + 6 * 14 * 14 + 2 * 16 * 100 + 400 + 2 * 120 + 2 * 84 + 10;
    expect(sum(({ activationBytes }) => activationBytes)).toBe(4 * outputs);
  });

  test('layers that depend on one with an error stay unknown; the others are known', () => {
    const { layers, errors } = describePlainly(
      small(
        [layer('fc0', 'linear', undefined, { outFeatures: 3 }), layer('a', 'relu'), conv('b', 4), ...END].map(
          (one) => (one.name === 'b' ? { ...one, inputs: ['input'] } : one),
        ),
      ),
    );
    expect(layers[1].output).toBeUndefined();
    expect(layers[2].output).toEqual([4, 32, 32]);
    expect(errors.map(({ layer: at, message }) => [at, message])).toEqual([
      [0, 'Expects a vector, got 3 × 32 × 32. Add a flatten layer.'],
      [1, 'Its output is not used.'],
    ]);
  });

  test.each([
    ['an empty model', [], -1, /No layers yet/],
    ['a name that comes twice', [conv('a', 4), conv('a', 4), ...END], 1, /name “a” is already in use/],
    ['a name that is not there', [conv('a', 4), layer('b', 'relu', ['x']), ...END], 1, /“x” does not exist/],
    ['a later one', [conv('a', 4), layer('b', 'relu', ['flatten']), ...END], 1, /comes later/],
    ['the image’s name', [conv('input', 4), ...END], 0, /reserved for the input/],
    [
      'a missing attribute',
      [layer('a', 'conv'), ...END],
      0,
      /Filters: expected a whole number of at least 1, found nothing/,
    ],
    ['a wrong number', [conv('a', -2), ...END], 0, /Filters.*found -2/],
    [
      'a wrong pair',
      [conv('a', 2, { stride: 2 }), ...END],
      0,
      /Stride: expected two whole numbers of at least 1, found 2/,
    ],
    ['an unknown op', [layer('a', 'softmax'), ...END], 0, /Unknown layer type “softmax”/],
    ['a join of one', [conv('a', 4), layer('b', 'add'), ...END], 1, /at least 2 inputs, got 1/],
    ['a kernel that is too large', [conv('a', 4, { kernelSize: [40, 40] }), ...END], 0, /does not fit/],
    [
      'too many classes',
      [...END.slice(0, 2), layer('fc', 'linear', undefined, { outFeatures: 12 })],
      2,
      /end with 10 outputs.*12/,
    ],
    ['a ReLU at the end', [...END, layer('relu', 'relu')], 3, /raw logits/],
  ] as const)('%s is an error of its layer', (_, layers, at, message) => {
    const { errors } = describeModel(small([...layers]));
    expect(errors[0]).toMatchObject({ layer: at, message: expect.stringMatching(message) });
    expect(errors[0].fixes).not.toEqual([]);
  });

  test('finds no errors exactly where the engine finds none', () => {
    const random = new Random(7, 'models');
    const below = (n: number) => Math.floor(random.uniform(0, n));
    let right = 0;
    for (let round = 0; round < 300; round++) {
      const model = models.get(['lenet5', 'resnet8', 'squeezenet'][below(3)]);
      let layers: readonly LayerData[] = model.layers;
      for (let edits = below(3); edits > 0; edits--) {
        const at = below(layers.length);
        layers =
          below(2) === 0
            ? remove(layers, { first: at, last: at })
            : setAttributes(layers, at, { outChannels: 8 + below(2), stride: [1 + below(2), 1] });
      }
      const edited = { ...model, layers };
      let fits = true;
      try {
        requireClasses(edited);
      } catch {
        fits = false;
      }
      const { errors } = describePlainly(edited);
      // The engine finds a ReLU at the end later, when it plans the backward pass.
      expect(errors.filter(({ message }) => !message.includes('raw logits')).length === 0).toBe(fits);
      if (fits) right++;
    }
    expect(right).toBeGreaterThan(30);
  });
});

describe('fixes', () => {
  const fixesAt = (layers: LayerData[], input?: number[]) => {
    const model = small(layers, input);
    const [error] = describeModel(model).errors;
    return error.fixes.map(({ title, layers: fixed }) => ({
      title,
      left: describePlainly({ ...model, layers: fixed }).errors.length,
      layers: fixed,
    }));
  };
  const titles = (layers: LayerData[], input?: number[]) => fixesAt(layers, input).map(({ title }) => title);

  test('a flatten layer before a fully connected one', () => {
    const fixes = fixesAt([conv('a', 4), layer('fc', 'linear', undefined, { outFeatures: 10 })]);
    expect(fixes.map(({ title }) => title)).toEqual([
      'Insert a flatten layer',
      'Insert a global average and a flatten layer',
      'Delete fc',
    ]);
    expect(fixes.map(({ left }) => left)).toEqual([0, 0, 1]);
  });

  test('a flatten layer before the first fully connected one, whatever else the network still lacks', () => {
    const start = [conv('conv1', 16), layer('fc1', 'linear', undefined, { outFeatures: 128 })];
    const [flatten] = fixesAt(start, [1, 28, 28]);
    expect(flatten.title).toBe('Insert a flatten layer');
    expect(describePlainly({ ...small(start, [1, 28, 28]), layers: flatten.layers }).errors).toMatchObject([
      { layer: 2, incomplete: true },
    ]);
    expect(titles(start, [1, 28, 28])).toHaveLength(3);
  });

  test('an error that hides another one of its layer has its own fix', () => {
    const twice = layer('a', 'conv', undefined, { outChannels: 0, kernelSize: [0, 0], padding: [1, 1] });
    expect(titles([twice, ...END])).toEqual(['Set filters to 16']);
    const dense = [conv('a', 8), layer('fc1', 'linear', ['x'], { outFeatures: 10 })];
    expect(titles(dense)[0]).toBe('Use a as input');
  });

  test('a 1x1 convolution on a shortcut, with its stride, and batch norm if the model has any', () => {
    const block = (rest: LayerData[]) => [
      conv('stem', 16),
      conv('b.conv1', 32, { stride: [2, 2] }),
      ...rest,
      layer('b.add', 'add', [rest.at(-1)?.name ?? 'b.conv1', 'stem']),
      ...END,
    ];
    const [plain] = fixesAt(block([]));
    expect(plain).toMatchObject({ title: 'Add a 1 × 1 convolution on the shortcut', left: 0 });
    expect(plain.layers[2]).toEqual({
      name: 'b.downsample.0',
      op: 'conv',
      inputs: ['stem'],
      attributes: { outChannels: 32, kernelSize: [1, 1], stride: [2, 2] },
    });
    const [normalised] = fixesAt(block([layer('b.bn1', 'batch_norm')]));
    expect(normalised.layers.slice(3, 6).map(({ name, inputs }) => [name, inputs])).toEqual([
      ['b.downsample.0', ['stem']],
      ['b.downsample.1', undefined],
      ['b.add', ['b.bn1', 'b.downsample.1']],
    ]);
    expect(normalised.left).toBe(0);
  });

  test('if only channels differ, the main branch can get the same number', () => {
    expect(titles([conv('stem', 16), conv('a', 24), layer('add', 'add', ['a', 'stem']), ...END])).toContain(
      'Give a 16 filters',
    );
  });

  test('padding that keeps height and width', () => {
    const narrow = conv('a', 16, { padding: undefined });
    expect(titles([conv('stem', 16), narrow, layer('add', 'add', ['a', 'stem']), ...END])).toContain(
      'Set a’s padding to 1 × 1',
    );
    const ways = [conv('stem', 16), narrow, layer('cat', 'concat', ['a', 'stem']), ...END];
    expect(fixesAt(ways).every(({ left }) => left === 0)).toBe(true);
    expect(titles(ways)[0]).toBe('Set a’s padding to 1 × 1');
  });

  test('a sum of one input gets the nearest output of its shape', () => {
    expect(
      titles([conv('stem', 8), conv('a', 8), layer('relu', 'relu'), layer('add', 'add'), ...END]),
    ).toEqual(['Add a as input', 'Add stem as input', 'Delete add']);
  });

  test('one output per class', () => {
    expect(titles([...END.slice(0, 2), layer('fc', 'linear', undefined, { outFeatures: 12 })])[0]).toBe(
      'Set fc’s outputs to 10',
    );
    expect(titles([conv('a', 4)])).toEqual([
      'Add a flatten and a fully connected layer with 10 outputs',
      'Add a global average, a flatten and a fully connected layer with 10 outputs',
    ]);
  });

  test.each<[string, LayerData[], string]>([
    [
      'a kernel that is too large',
      [layer('p', 'max_pool', undefined, { kernelSize: [40, 40] }), ...END],
      'Set the kernel size of p to 32 × 32',
    ],
    ['groups that do not divide', [conv('a', 8, { groups: 2 }), ...END], 'Set a’s groups to 1'],
    [
      'a convolution after a flatten layer',
      [layer('f', 'flatten'), conv('a', 8), ...END],
      'Delete f before it',
    ],
    [
      'an output that is not used',
      [conv('a', 8), conv('b', 8), layer('c', 'relu', ['a']), ...END],
      'Connect it to c',
    ],
    ['an input that does not exist', [conv('a', 8), layer('b', 'relu', ['x']), ...END], 'Use a as input'],
    ['a wrong number', [conv('a', 0), ...END], 'Set filters to 16'],
    ['an empty model', [], 'Add a flatten and a fully connected layer with 10 outputs'],
    [
      'two inputs where one is expected',
      [conv('a', 8), conv('b', 8), layer('c', 'relu', ['a', 'b']), ...END],
      'Use only b as input',
    ],
    [
      'vectors of two lengths that are added',
      [
        layer('f', 'flatten'),
        layer('a', 'linear', undefined, { outFeatures: 20 }),
        layer('b', 'linear', undefined, { outFeatures: 30 }),
        layer('sum', 'add', ['b', 'a']),
        END[2],
      ],
      'Add a fully connected layer with 30 outputs on the shortcut',
    ],
    [
      'a vector and feature maps that are concatenated',
      [conv('a', 8), layer('f', 'flatten'), layer('cat', 'concat', ['a', 'f']), END[2]],
      'Flatten the feature maps',
    ],
    ['a name that comes twice', [conv('a', 4), conv('a', 4), ...END], 'Rename to conv1'],
    ['a ReLU at the end', [...END, layer('relu', 'relu')], 'Delete relu'],
  ])('%s', (_, layers, title) => expect(titles(layers)).toContain(title));

  test('useless fixes are not offered', () => {
    for (const name of ['resnet8', 'lenet5', 'googlenet']) {
      const model = models.get(name);
      for (let at = 0; at < model.layers.length; at += 7) {
        const layers = remove(model.layers, { first: at, last: at });
        const before = describeModel({ ...model, layers });
        const said = (
          list: readonly LayerData[],
          { layer: place, message }: { layer: number; message: string },
        ) => `${list[place].name}: ${message}`;
        for (const error of before.errors) {
          for (const fix of error.fixes) {
            const after = describePlainly({ ...model, layers: fix.layers }).errors;
            expect(after.map((one) => said(fix.layers, one))).not.toContain(said(layers, error));
          }
        }
      }
    }
  });
});

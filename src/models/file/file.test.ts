import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../base/result.ts';
import { expectWithin, processorTime } from '../../base/testing/processor-time.ts';
import { ops } from '../../engine/ops/registry.ts';
import { models } from '../index.ts';
import { summarise } from '../model.ts';
import { parseModel } from './parse.ts';
import { toJson } from './write.ts';

interface Draft {
  [key: string]: unknown;
  layers: object[];
}

/** A valid model, for tests to break. */
const draft = (): Draft => ({
  name: 'own',
  input: [3, 32, 32],
  classes: 10,
  layers: [
    { name: 'conv1', op: 'conv', attributes: { outChannels: 8, kernelSize: 3, padding: 1 } },
    { name: 'relu1', op: 'relu' },
    { name: 'conv2', op: 'conv', attributes: { outChannels: 8, kernelSize: [3, 1], padding: [1, 0] } },
    { name: 'add', op: 'add', inputs: ['conv2', 'relu1'] },
    { name: 'pool', op: 'adaptive_avg_pool', attributes: { outputSize: 1 } },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 10 } },
  ],
});

/** The model with layer `i` changed. */
const withLayer = (i: number, change: object): Draft => {
  const model = draft();
  model.layers[i] = { ...model.layers[i], ...change };
  return model;
};

function refusal(model: unknown): Failure {
  try {
    parseModel('own.json', typeof model === 'string' ? model : JSON.stringify(model));
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('it was taken');
}

test.each(models.names())('%s is the same written and read again', (name) => {
  const model = models.get(name);
  const read = parseModel(`${name}.json`, toJson(model));
  expect(read).toEqual(model);
  expect(summarise(read)).toEqual(summarise(model));
});

test('padding may be a word, or four sides', () => {
  const sides = { top: 0, bottom: 1, left: 0, right: 1 };
  const text = JSON.stringify({
    name: 'padded',
    input: [1, 8, 8],
    classes: 2,
    layers: [
      { name: 'a', op: 'conv', attributes: { outChannels: 2, kernelSize: 2, padding: 'same' } },
      { name: 'b', op: 'max_pool', attributes: { kernelSize: 2, stride: 1, padding: sides } },
      { name: 'c', op: 'avg_pool', attributes: { kernelSize: 8, padding: 'valid' } },
      { name: 'd', op: 'flatten' },
    ],
  });
  const model = parseModel('net.json', text);
  expect(model.layers.map(({ attributes }) => attributes?.['padding'])).toEqual([
    'same',
    sides,
    'valid',
    undefined,
  ]);
  expect(parseModel('net.json', toJson(model))).toEqual(model);
  const wrong = (padding: unknown) => () =>
    parseModel('net.json', text.replace('"same"', JSON.stringify(padding)));
  expect(wrong('full')).toThrow(
    /layers\[0\]\.attributes\.padding: expected .*"same" or "valid", found "full"/,
  );
  expect(wrong({ top: 1 })).toThrow(/padding\.bottom: expected a whole number of at least 0, found nothing/);
  expect(wrong([1, 2, 3, 4])).toThrow(/padding: expected/);
});

test('optional fields, and pairs as one number', () => {
  const model = parseModel('own.json', JSON.stringify(draft()));
  expect(model).toMatchObject({ name: 'own', title: 'own', description: '' });
  expect(model).not.toHaveProperty('weightsInit');
  expect(model.layers[0].attributes).toEqual({ outChannels: 8, kernelSize: [3, 3], padding: [1, 1] });
  expect(toJson(model)).toContain(
    '{ "name": "conv2", "op": "conv", "attributes": { "outChannels": 8, "kernelSize": [3, 1], "padding": [1, 0] } }',
  );
});

test('the algorithms of a run are not part of the model', () => {
  const model = parseModel('own.json', JSON.stringify(draft()));
  const layers = model.layers.map((layer) => ({ ...layer, attributes: { ...layer.attributes, run: {} } }));
  expect(toJson({ ...model, layers })).toBe(toJson(model));
});

describe('an error is reported with its path', () => {
  const conv = (attributes: object) => withLayer(2, { attributes });
  test.each<[string, unknown, RegExp]>([
    [
      'a number below the least',
      conv({ outChannels: -2, kernelSize: 3 }),
      /^own.json: layers\[2\].attributes.outChannels: expected a whole number of at least 1, found -2$/,
    ],
    [
      'what has to be above a bound, at it',
      withLayer(1, { op: 'batch_norm', attributes: { eps: 0 } }),
      /^own.json: layers\[1\].attributes.eps: expected a number above 0, found 0$/,
    ],
    [
      'a fraction',
      conv({ outChannels: 1.5, kernelSize: 3 }),
      /layers\[2\].attributes.outChannels: expected a whole number of at least 1, found 1.5/,
    ],
    [
      'something else',
      conv({ outChannels: 8, kernelSize: [3, '3'] }),
      /layers\[2\].attributes.kernelSize\[1\]: expected a whole number of at least 1, found "3"/,
    ],
    [
      'three of a pair',
      conv({ outChannels: 8, kernelSize: [3, 3, 3] }),
      /kernelSize: expected a whole number, or two: \[vertical, horizontal\], found \[3, 3, 3\]/,
    ],
    [
      'what is missing',
      conv({ outChannels: 8 }),
      /layers\[2\].attributes.kernelSize: expected .*, found nothing/,
    ],
    [
      'attributes that are missing altogether',
      withLayer(0, { attributes: undefined }),
      /layers\[0\].attributes.outChannels: expected a whole number of at least 1, found nothing/,
    ],
    [
      'an unknown attribute',
      conv({ filters: 8, kernelSize: 3 }),
      /layers\[2\].attributes.filters: conv has no attribute "filters"/,
    ],
    [
      'an attribute beside the others',
      withLayer(0, { filters: 8 }),
      /layers\[0\].filters: a layer has no key "filters"; attributes of its op belong in "attributes"/,
    ],
    [
      'a probability',
      withLayer(1, { op: 'dropout', attributes: { p: 2 } }),
      /layers\[1\].attributes.p: expected a number from 0 to 1, found 2/,
    ],
    [
      'a word',
      withLayer(1, { op: 'gelu', attributes: { approximate: 'yes' } }),
      /layers\[1\].attributes.approximate: expected one of none, tanh, found "yes"/,
    ],
    [
      'a flag',
      conv({ outChannels: 8, kernelSize: 3, bias: 0 }),
      /layers\[2\].attributes.bias: expected true or false, found 0/,
    ],
    ['an unknown op', withLayer(2, { op: 'convolve' }), /layers\[2\].op: there is no op "convolve"/],
    ['no name', withLayer(2, { name: undefined }), /layers\[2\].name: expected a name of .*, found nothing/],
    [
      'a name with spaces',
      withLayer(2, { name: 'a b' }),
      /layers\[2\].name: expected a name of .*, found "a b"/,
    ],
    ['a name twice', withLayer(2, { name: 'conv1' }), /layers\[2\] "conv1": duplicate layer name/],
    [
      'the images’ name',
      withLayer(1, { name: 'input' }),
      /layers\[1\] "input": "input" is reserved for the input/,
    ],
    [
      'an unknown input',
      withLayer(3, { inputs: ['conv2', 'relu7'] }),
      /layers\[3\] "add": inputs: no layer is named "relu7"/,
    ],
    [
      'a cycle',
      withLayer(1, { op: 'add', inputs: ['conv1', 'add'] }),
      /layers\[1\] "relu1": inputs: a cycle: relu1 reads add reads conv2 reads relu1/,
    ],
    [
      'what nobody takes',
      withLayer(3, { inputs: ['relu1', 'relu1'] }),
      /layers\[2\] "conv2": its output is not used/,
    ],
    ['no layers', { ...draft(), layers: [] }, /layers: expected 1 to 2000 layers, found 0/],
    ['layers by name', { ...draft(), layers: {} }, /layers: expected a list, layers, found an object/],
    [
      'an image without channels',
      { ...draft(), input: [32, 32] },
      /input: expected the images' \[channels, height, width\]/,
    ],
    ['a class alone', { ...draft(), classes: 1 }, /classes: expected a whole number of at least 2, found 1/],
    [
      'another start',
      { ...draft(), weightsInit: 'zeros' },
      /weightsInit: expected one of kaiming_uniform, .*, found "zeros"/,
    ],
    ['an unknown member', { ...draft(), optimizer: 'sgd' }, /optimizer: unknown key "optimizer"/],
    ['no model', [], /^own.json: expected an object, a model, found \[\]$/],
  ])('%s', (_, model, message) => {
    const { code, message: found } = refusal(model);
    expect(found).toMatch(message);
    expect(code).toBe('bad-file');
  });

  test('shapes that do not fit, with the shapes around them', () => {
    const { message, advice } = refusal(
      withLayer(2, { attributes: { outChannels: 9, kernelSize: 3, padding: 1 } }),
    );
    expect(message).toMatch(
      /^own.json: layers\[3\] "add", input \[1, 9, 32, 32\] and \[1, 8, 32, 32\]: add: /,
    );
    expect(advice).toContain(
      'Shapes before it: conv1 [1, 8, 32, 32], relu1 [1, 8, 32, 32], conv2 [1, 9, 32, 32].',
    );
  });

  test('an output that is not one value per class', () => {
    expect(refusal(withLayer(6, { attributes: { outFeatures: 7 } })).message).toBe(
      'own.json: layers[6] "fc": expected the last layer to output 10 values, one per class; found 7',
    );
  });

  test('text that is not JSON, with line and column', () => {
    expect(refusal('{\n  "name": "own",\n  "layers": [,]\n}').message).toBe(
      'own.json, line 3, column 14: expected a value, found ","',
    );
    expect(refusal('').message).toMatch(/line 1, column 1: expected a value, found the end of the model/);
    expect(refusal('{"name": "a", "name": "b"}').message).toMatch(/the name "name" is given twice/);
  });
});

describe('hostile files are refused quickly, with a short message', () => {
  const text = JSON.stringify(draft());
  const many = (count: number, one: (i: number) => object) => ({
    ...draft(),
    layers: [...Array.from({ length: count }, (_, i) => one(i)), ...draft().layers],
  });
  test.each<[string, unknown]>([
    ['nested deep', '['.repeat(500_000)],
    ['nested deep inside', text.replace('"own"', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`)],
    ['long', `"${'a'.repeat(2_000_000)}"`],
    ['a long text', `{"name": "${'a'.repeat(1_000_000)}"}`],
    ['a huge number', text.replace('"outChannels":8', '"outChannels":1e300')],
    ['an infinite number', text.replace('"outChannels":8', `"outChannels":${'9'.repeat(1000)}`)],
    ['the most of everything', text.replaceAll('"outChannels":8', '"outChannels":1048576')],
    ['a huge image', text.replace('[3,32,32]', '[4096,4096,4096]')],
    ['an image of too many values', text.replace('[3,32,32]', '[17,4096,1024]')],
    ['__proto__ as a member', `{"__proto__": {"name": "x"}, ${text.slice(1)}`],
    ['__proto__ as an attribute', text.replace('"outChannels":8', '"__proto__":{"outChannels":8}')],
    ['__proto__ as a name', text.replace('"conv1"', '"__proto__"')],
    ['constructor as a name', text.replace('"conv1"', '"constructor"')],
    ['an op of every object', text.replace('"relu"', '"toString"')],
    ['what a run keeps', text.replace('"outChannels":8', '"outChannels":8,"run":{"workspace":0}')],
    ['too many layers', many(3000, (i) => ({ name: `r${i}`, op: 'relu' }))],
    [
      'doubled again and again',
      many(40, (i) => ({
        name: `c${i}`,
        op: 'concat',
        inputs: i ? [`c${i - 1}`, `c${i - 1}`] : ['input', 'input'],
      })),
    ],
    [
      'all take one that is not there',
      many(1900, (i) => ({
        name: `layer-of-a-long-name-${i}`,
        op: 'relu',
        ...(i === 1899 ? { inputs: ['x'] } : {}),
      })),
    ],
    [
      'a wide pooling',
      {
        ...draft(),
        layers: [
          { name: 'p', op: 'adaptive_max_pool', attributes: { outputSize: 30000 } },
          ...draft().layers,
        ],
      },
    ],
  ])('%s', (_, model) => {
    const start = processorTime();
    const { message, advice = '' } = refusal(model);
    expectWithin(1000, start);
    expect(message.length + advice.length).toBeLessThan(1500);
    expect(Object.prototype).not.toHaveProperty('name');
  });

  test('many layers are accepted', () => {
    const model = many(1900, (i) => ({ name: `r${i}`, op: 'relu' }));
    expect(parseModel('own.json', JSON.stringify(model)).layers).toHaveLength(1907);
  });
});

describe('docs/models.md', () => {
  const page = readFileSync(new URL('../../../docs/models.md', import.meta.url), 'utf8');

  test('its example is a valid model', () => {
    const [, example] = /```json\n([^]*?)```/.exec(page) ?? [];
    const { parameters } = summarise(parseModel('my-net.json', example));
    expect(parameters).toBe(3 * 16 * 9 + 32 + 16 * 16 * 9 + 32 + 17 * 10);
  });

  test('it names every op with all its attributes', () => {
    for (const { name, attributes = {} } of ops.all()) {
      const row = page
        .split('\n')
        .find((line) => line.startsWith('|') && line.split('|')[1].includes(`\`${name}\``));
      for (const attribute of ['', ...Object.keys(attributes)])
        expect(row, name).toContain(attribute === '' ? name : `\`${attribute}\``);
    }
  });
});

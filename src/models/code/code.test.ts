import { describe, expect, test } from 'vitest';
import type { Layer } from '../../engine/network.ts';
import { models } from '../index.ts';
import type { Model } from '../model.ts';
import { kerasCode, kerasLoader } from './keras.ts';
import { pytorchCode } from './pytorch.ts';

const own = (layers: Layer[], rest: Partial<Model> = {}): Model => ({
  name: 'own',
  title: 'My net',
  description: 'Mine.',
  input: [3, 8, 8],
  classes: 10,
  layers,
  ...rest,
});
const conv = (name: string, outChannels = 4, inputs?: string[]): Layer => ({
  name,
  op: 'conv',
  attributes: { outChannels, kernelSize: [3, 3], padding: [1, 1] },
  ...(inputs ? { inputs } : {}),
});
const END: Layer[] = [
  { name: 'pool', op: 'adaptive_avg_pool', attributes: { outputSize: [1, 1] } },
  { name: 'flatten', op: 'flatten' },
  { name: 'fc', op: 'linear', attributes: { outFeatures: 10 } },
];

describe.each(['lenet5', 'resnet20', 'googlenet'])('%s', (name) => {
  test('matches PyTorch', async () => {
    await expect(pytorchCode(models.get(name))).toMatchFileSnapshot(`examples/${name}_pytorch.py`);
  });
  test('matches Keras', async () => {
    await expect(kerasCode(models.get(name))).toMatchFileSnapshot(`examples/${name}_keras.py`);
  });
});

test('weights are loaded into Keras, where images are normalised', async () => {
  const [mean, std] = [[0.5], [0.25]];
  const text = kerasLoader(models.get('lenet5'), 'lenet5.safetensors', { mean, std });
  await expect(text).toMatchFileSnapshot('examples/lenet5_load_weights.py');
  expect(kerasLoader(models.get('lenet5'), 'w.safetensors')).toContain('normalised as in training');
});

test.each(models.names())('%s can be written in both', (name) => {
  const model = models.get(name);
  // A class or field for every name on the way to a parameter.
  const text = pytorchCode(model);
  for (const { name: layer, op } of model.layers) {
    const parts = layer.split('.').filter((part) => !/^\d+$/.test(part));
    if (op === 'conv' || op === 'linear' || op === 'batch_norm') {
      for (const part of parts) expect(text).toContain(`self.${part} = `);
    }
  }
  expect(kerasCode(model)).toContain(`name="${model.layers[0].name.replaceAll('.', '_')}"`);
});

describe('PyTorch', () => {
  test('blocks of the same structure become one class, with their differences as arguments', () => {
    const block = (name: string, width: number): Layer[] => [
      conv(`${name}.a`, width),
      conv(`${name}.b`, width),
    ];
    const text = pytorchCode(own([...block('one', 4), ...block('two', 6), ...block('three', 8), ...END]));
    expect(text.match(/class ConvUnit/g)).toHaveLength(1);
    expect(text).toContain('def __init__(self, in_channels, channels):');
    expect(text).toContain('self.two = ConvUnit(4, 6)');
    expect(text).toContain('return self.b(x)');
  });

  test('consecutive numbered layers become a Sequential that preserves gaps', () => {
    const text = pytorchCode(own([conv('f.0'), { name: 'f.1', op: 'relu' }, conv('f.3'), ...END]));
    expect(text).toContain('self.f = nn.Sequential(');
    expect(text).toMatch(/nn\.ReLU\(\),\s+nn\.Identity\(\),\s+nn\.Conv2d\(4, 4, 3, padding=1\),/);
    expect(text).toContain('self.f(x)');
  });

  test('a name whose layers are not consecutive becomes a namespace only', () => {
    const text = pytorchCode(own([conv('g.a'), conv('h'), conv('g.b'), ...END]));
    expect(text).toContain('self.g = nn.ModuleDict({');
    expect(text).toContain('self.g["a"](x)');
    expect(text).toContain('self.g["b"](x)');
  });

  test('names reserved by Python or PyTorch are preserved', () => {
    const text = pytorchCode(own([conv('class'), conv('train'), conv('2nd'), conv('ok'), ...END]));
    for (const name of ['class', 'train', '2nd'])
      expect(text).toContain(`self._modules["${name}"] = nn.Conv2d(`);
    expect(text).toContain('self._modules["2nd"](x)');
    expect(() => pytorchCode(own([conv('g.keys'), conv('h'), conv('g.b'), ...END]))).toThrow(
      'PyTorch has no modules named “keys”',
    );
  });

  test('a layer inside a layer with parameters is refused', () => {
    expect(() => pytorchCode(own([conv('a'), conv('a.b'), ...END]))).toThrow(/“a” has parameters.*“a\.b”/);
  });

  test('outputs that are needed later have their own variables', () => {
    const layers = [conv('a'), conv('b'), { name: 'sum', op: 'add', inputs: ['b', 'a'] }];
    expect(pytorchCode(own([...layers, ...END]))).toContain('F.adaptive_avg_pool2d(self.b(x) + x, 1)');
    const twice = [...layers, { name: 'both', op: 'concat', inputs: ['sum', 'b', 'input'] }, ...END];
    expect(pytorchCode(own(twice))).toMatch(
      /y = self\.a\(x\)\s+z = self\.b\(y\)\s+y = z \+ y\s+.*torch\.cat\(\[y, z, x\], 1\)/,
    );
  });

  test('text from users stays text', () => {
    const text = pytorchCode(
      own([conv('a"b'), ...END], { title: '1"""\nimport os', description: 'x\nimport os' }),
    );
    expect(text).not.toMatch(/^import os/m);
    expect(text).toContain('self._modules["a\\"b"]');
    expect(text).toContain('class Network(');
    expect(
      kerasCode(own([conv('a'), ...END], { title: '1\nimport os', description: 'x\nimport os' })),
    ).not.toMatch(/^import os/m);
  });
});

describe('padding', () => {
  const padded = (op: string, padding: unknown, rest: object = {}): Layer => ({
    name: 'p',
    op,
    attributes: {
      kernelSize: [2, 2],
      stride: [1, 1],
      padding,
      ...(op === 'conv' ? { outChannels: 4 } : {}),
      ...rest,
    },
  });
  const strided = { kernelSize: [3, 3], stride: [2, 2] };
  const sides = { top: 0, bottom: 1, left: 1, right: 0 };
  const uncounted = { countIncludePad: false };
  test.each<[Layer, string, string]>([
    [padded('conv', 'valid'), 'nn.Conv2d(3, 4, 2)', 'layers.Conv2D(4, 2, kernel'],
    [padded('conv', 'same'), 'nn.Conv2d(3, 4, 2, padding="same")', 'layers.Conv2D(4, 2, padding="same"'],
    [
      padded('conv', 'same', strided),
      'self.p(F.pad(x, (0, 1, 0, 1)))',
      'layers.Conv2D(4, 3, strides=2, padding="same"',
    ],
    [
      padded('conv', sides),
      'self.p(F.pad(x, (1, 0, 0, 1)))',
      'layers.ZeroPadding2D(((0, 1), (1, 0)))(x)\n    x = layers.Conv2D(4, 2, kernel',
    ],
    [
      padded('max_pool', 'same'),
      'F.max_pool2d(F.pad(x, (0, 1, 0, 1), value=float("-inf")), 2, stride=1)',
      'layers.MaxPooling2D(2, strides=1, padding="same"',
    ],
    [
      padded('max_pool', sides),
      'F.max_pool2d(F.pad(x, (1, 0, 0, 1), value=float("-inf")), 2, stride=1)',
      'ops.pad(x, ((0, 0), (0, 1), (1, 0), (0, 0)), constant_values=float("-inf"))',
    ],
    [
      padded('avg_pool', 'same'),
      'F.avg_pool2d(F.pad(x, (0, 1, 0, 1)), 2, stride=1)',
      'layers.ZeroPadding2D(((0, 1), (0, 1)))(x)\n    x = layers.AveragePooling2D(2, strides=1, name',
    ],
    [
      padded('avg_pool', 'same', uncounted),
      'mean_inside(x, 2, 1, (0, 1, 0, 1))',
      'layers.AveragePooling2D(2, strides=1, padding="same"',
    ],
  ])('%j', (layer, torch, keras) => {
    expect(pytorchCode(own([layer, ...END]))).toContain(torch);
    expect(kerasCode(own([layer, ...END]))).toContain(keras);
  });

  test('a dilated pooling is padded before it where PyTorch takes no more than half a window', () => {
    const pool = (padding: number) =>
      pytorchCode(
        own([padded('max_pool', [padding, padding], { kernelSize: [3, 3], dilation: [2, 2] }), ...END]),
      );
    expect(pool(1)).toContain('F.max_pool2d(x, 3, stride=1, padding=1, dilation=2)');
    expect(pool(2)).toContain(
      'F.max_pool2d(F.pad(x, (2, 2, 2, 2), value=float("-inf")), 3, stride=1, dilation=2)',
    );
  });

  test.each<[NonNullable<Layer['attributes']>, string, string, string]>([
    [
      { padding: [1, 1] },
      'F.pad(x, (1, 1, 1, 1))',
      'nn.ZeroPad2d(1)',
      'layers.ZeroPadding2D(1, name="f_0")(x)',
    ],
    [
      { padding: sides, value: -0.5 },
      'F.pad(x, (1, 0, 0, 1), value=-0.5)',
      'nn.ConstantPad2d((1, 0, 0, 1), -0.5)',
      'ops.pad(x, ((0, 0), (0, 1), (1, 0), (0, 0)), constant_values=-0.5)',
    ],
    [
      { padding: [2, 3], mode: 'reflect' },
      'F.pad(x, (3, 3, 2, 2), mode="reflect")',
      'nn.ReflectionPad2d((3, 3, 2, 2))',
      'ops.pad(x, ((0, 0), (2, 2), (3, 3), (0, 0)), mode="reflect")',
    ],
  ])('as a layer: %j', (attributes, call, module, keras) => {
    const pad = (name: string): Layer => ({ name, op: 'pad', attributes });
    expect(pytorchCode(own([pad('p'), ...END]))).toContain(call);
    const row = own([pad('f.0'), conv('f.1'), ...END]);
    expect(pytorchCode(row)).toContain(module);
    expect(kerasCode(row)).toContain(keras);
  });

  test('a helper is written where it is needed, and F is imported for it', () => {
    const text = pytorchCode(own([padded('avg_pool', sides, uncounted), ...END]));
    expect(text).toMatch(/as F\n\n\ndef mean_inside\(x, size, stride, padding\):/);
    expect(pytorchCode(own([padded('avg_pool', sides), ...END]))).not.toContain('mean_inside');
  });

  test('in a row of numbered layers, names of parameters stay', () => {
    const layers = [conv('f.0'), { ...padded('conv', sides), name: 'f.1' }, { name: 'f.2', op: 'relu' }];
    const text = pytorchCode(own([...layers, ...END]));
    expect(text).toContain('self._modules["1"] = nn.Conv2d(4, 4, 2)');
    expect(text).toContain('self._modules["1"](F.pad(');
  });
});

describe('Keras', () => {
  const body = (layers: Layer[], input = [3, 8, 8]) => kerasCode(own([...layers, ...END], { input }));
  const pool = (op: string, attributes: object): Layer => ({ name: 'p', op, attributes: { ...attributes } });

  test('padding that Keras lacks is explicit', () => {
    expect(body([conv('a')])).toContain('layers.Conv2D(4, 3, padding="same", ');
    const strided = { ...conv('a'), attributes: { ...conv('a').attributes, stride: [2, 2] } };
    expect(body([strided])).toContain(
      'x = layers.ZeroPadding2D(1)(x)\n    x = layers.Conv2D(4, 3, strides=2, ',
    );
    const max = pool('max_pool', { kernelSize: [3, 3], stride: [2, 2], padding: [1, 1] });
    expect(body([max])).toContain('constant_values=float("-inf")');
    const mean = pool('avg_pool', { kernelSize: [3, 3], stride: [1, 1], padding: [1, 1] });
    expect(body([mean])).toContain(
      'layers.ZeroPadding2D(1)(x)\n    x = layers.AveragePooling2D(3, strides=1, name',
    );
  });

  test('flattening keeps PyTorch’s order', () => {
    expect(body([])).not.toContain('Permute');
    expect(kerasCode(own([{ name: 'f', op: 'flatten' }, END[2]]))).toContain('layers.Permute((3, 1, 2))(x)');
  });

  test('depthwise convolutions use their own layer', () => {
    const depthwise = { ...conv('a', 6), attributes: { ...conv('a', 6).attributes, groups: 3 } };
    expect(body([depthwise])).toContain('layers.DepthwiseConv2D(3, padding="same", depth_multiplier=2');
  });

  test('names that differ only in dots stay apart, and the weights’ loader knows them', () => {
    const layers = [conv('a.b'), conv('a_b'), conv('a_b_2'), conv('a.b_2')];
    const found = [...body(layers).matchAll(/layers\.Conv2D\(.*name="(.*)"/g)].map(([, name]) => name);
    expect(found).toEqual(['a_b_3', 'a_b', 'a_b_2', 'a_b_2_2']);
    const loader = kerasLoader(own([...layers, ...END]), 'w.safetensors');
    expect(loader).toContain('RENAMED = {"a.b": "a_b_3", "a.b_2": "a_b_2_2"}');
    expect(kerasLoader(own([conv('a.b'), ...END]), 'w.safetensors')).not.toContain('RENAMED');
  });

  test('where Keras’s backends answer differently, the source says so', () => {
    const same = { kernelSize: [3, 3], stride: [1, 1], padding: 'same' };
    const note =
      "    # Means without the padding; Keras's backend PyTorch counts its zeros.\n    x = layers.Av";
    expect(body([pool('avg_pool', { ...same, countIncludePad: false })])).toContain(note);
    expect(body([pool('avg_pool', same)])).not.toContain('PyTorch counts');
    expect(body([pool('max_pool', same)])).not.toContain('PyTorch counts');
  });

  test('ops without a Keras layer are refused', () => {
    expect(() => body([pool('adaptive_avg_pool', { outputSize: [3, 3] })])).toThrow('do not divide 8 × 8');
    expect(() => body([pool('max_pool', { kernelSize: [2, 2], dilation: [2, 2] })])).toThrow('no dilation');
  });
});

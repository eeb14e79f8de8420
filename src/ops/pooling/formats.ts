import type { NodeProto } from 'onnx-buf';
import type { Padding } from '../../base/padding.ts';
import type { Shape } from '../../base/shape.ts';
import {
  argumentsOf,
  pairText,
  stateless,
  type Formats,
  type Keras,
  type NamedArguments,
  type Pytorch,
} from '../formats.ts';
import { paddedInput, requireChannelsLast } from '../keras.ts';
import { isPadded, pairOf, unsupported, windowsOf, type SourceLayer } from '../layer.ts';
import {
  axesOf,
  listOf,
  wholeOf,
  type Onnx,
  type OnnxReader,
  type OnnxReading,
  type OnnxWriting,
} from '../onnx.ts';
import { addedPadding, paddedSource, readWindows } from '../onnx-windows.ts';
import { notInTfjs, pooling as layerOf, type Tfjs } from '../tfjs.ts';
import {
  isSame,
  isWithinHalf,
  kerasPadded,
  kerasZeros,
  onnxWindows,
  torchPadding,
  torchSides,
  zeroPadded,
} from '../windows.ts';

type Kind = 'Max' | 'Average';

/** The zeros of the padding count in a mean. */
const counts = ({ attributes }: SourceLayer) => attributes['countIncludePad'] === true;

/** The mean of windows without their padding, where PyTorch's module cannot add it. */
const MEAN_INSIDE = [
  'def mean_inside(x, size, stride, padding):',
  '    # The mean of the values of each window that lie inside the image. padding: left, right, top, bottom.',
  '    sums, counts = (F.avg_pool2d(F.pad(one, padding), size, stride) for one in (x, torch.ones_like(x)))',
  '    return sums / counts',
].join('\n');

function torchArguments(kind: Kind, layer: SourceLayer): string {
  const windows = windowsOf(layer);
  const size = pairText(windows.size);
  return argumentsOf(
    [size],
    [
      ['stride', pairText(windows.stride), size],
      ['padding', torchPadding(windows, 'pooling') ?? '0', '0'],
      ['dilation', kind === 'Max' ? pairText(windows.dilation) : '1', '1'],
      ['count_include_pad', kind === 'Average' && !counts(layer) ? 'False' : 'True', 'True'],
    ],
  );
}

function pytorch(kind: Kind): Pytorch {
  const [module, call] = kind === 'Max' ? ['MaxPool2d', 'F.max_pool2d'] : ['AvgPool2d', 'F.avg_pool2d'];
  const plain = stateless(module, call, (layer) => torchArguments(kind, layer));
  const pad = (layer: SourceLayer) => {
    const windows = windowsOf(layer);
    if (torchPadding(windows, 'pooling') !== undefined) return undefined;
    return `${torchSides(windows)}${kind === 'Max' ? ', value=float("-inf")' : ''}`;
  };
  return {
    ...plain,
    pad,
    helpers: { mean_inside: MEAN_INSIDE },
    call(layer, [input]) {
      const sides = pad(layer);
      if (sides === undefined) return plain.call(layer, [input]);
      if (kind === 'Max' || counts(layer)) return plain.call(layer, [`F.pad(${input}, ${sides})`]);
      const { size, stride } = windowsOf(layer);
      return `mean_inside(${input}, ${pairText(size)}, ${pairText(stride)}, ${sides})`;
    },
  };
}

const keras =
  (kind: Kind): Keras =>
  ({ layer, first, nonNegative, called }) => {
    const windows = windowsOf(layer);
    const { size, stride, dilation } = windows;
    if (dilation.some((step) => step > 1)) throw unsupported(layer, 'Keras', 'its pooling has no dilation');
    const average = kind === 'Average';
    const value = average || nonNegative ? '0.0' : 'float("-inf")';
    const { before, padding, of } = kerasPadded(windows, first, value);
    const pooled = (own: string, input: string) => {
      const named: NamedArguments = [
        ['strides', pairText(stride), pairText(size)],
        ['padding', own, '"valid"'],
      ];
      return called(`${kind}Pooling2D`, [pairText(size)], named, input);
    };
    // Keras's "same" excludes the zeros from the mean.
    if (average && padding === '"same"' && counts(layer))
      return [kerasZeros(windows.padding, first), pooled('"valid"', '\0')];
    if (average && before.length > 0 && !counts(layer))
      throw unsupported(layer, 'Keras', 'its padding would count in the mean');
    // Where JAX and TensorFlow leave the padding out of the mean, as the model does.
    const note =
      average && !counts(layer) && isPadded(windows)
        ? ["# Means without the padding; Keras's backend PyTorch counts its zeros."]
        : [];
    return [...note, ...before, pooled(padding, of)];
  };

const onnx = (
  kind: Kind,
  more: (layer: SourceLayer) => Parameters<OnnxWriting['graph']['node']>[3],
): Onnx => ({
  write({ graph, layer, inputs, output }) {
    graph.node(`${kind}Pool`, inputs, output, { ...onnxWindows(windowsOf(layer)), ...more(layer) });
  },
  read: { [`${kind}Pool`]: reader(kind) },
});

const NONE: Padding = { top: 0, bottom: 0, left: 0, right: 0 };

const reader =
  (kind: Kind): OnnxReader =>
  (network, node) => {
    if (node.output.length > 1 && node.output[1] !== '')
      throw network.unsupported(node, 'its indices are used');
    const isMax = kind === 'Max';
    const countsOwn = isMax || wholeOf(node, 'count_include_pad', 0) === 1;
    const size = listOf(node, 'kernel_shape') ?? [];
    const isCeil = wholeOf(node, 'ceil_mode', 0) === 1;
    // Zeros of a node before it count, being values there. They are a layer if they are wide, or others around do not count.
    const [top = 0, left = 0, bottom = 0, right = 0] = listOf(node, 'pads') ?? [];
    const padsOwn = top + left + bottom + right > 0;
    const takes = (before: Padding) =>
      isMax ||
      ((padsOwn ? countsOwn : !isCeil) &&
        isWithinHalf(addedPadding(before, { top, left, bottom, right }), size));
    const { source, padding: before = NONE } = paddedSource(network, node, isMax ? -Infinity : 0, takes);
    const { padding: own, dilation, ...windows } = readWindows(network, node, size, source);
    const same = own === 'same';
    // What ceil_mode adds never counts.
    const counted = isPadded({ padding: before }) || (countsOwn && (same || isPadded({ padding: own })));
    const explicit = same ? NONE : addedPadding(own, before);
    const more =
      isCeil && !same ? beyond(network.shapeOf(source), { ...windows, dilation, padding: explicit }) : NONE;
    if (!isMax && counted && isPadded({ padding: more }))
      throw network.unsupported(
        node,
        'ceil_mode together with padding that counts; export it with ceil_mode 0',
      );
    const padding = same ? own : addedPadding(explicit, more);
    network.add(node, isMax ? 'max_pool' : 'avg_pool', [source], {
      ...windows,
      padding,
      ...(dilation.some((step) => step !== 1) ? { dilation } : {}),
      ...(isMax || counted || (padding !== 'same' && !isPadded({ padding }))
        ? {}
        : { countIncludePad: false }),
    });
    return true;
  };

/** The rows and columns that ceil_mode adds at the end: the last window starts inside the image or what is before it. */
function beyond(
  [, H, W]: Shape,
  { kernelSize, stride, dilation, padding }: ReturnType<typeof readWindows> & { padding: Padding },
): Padding {
  const more = (axis: 0 | 1, size: number, before: number, after: number) => {
    const reach = dilation[axis] * (kernelSize[axis] - 1) + 1;
    let last = Math.ceil((size + before + after - reach) / stride[axis]);
    if (last * stride[axis] >= size + before) last--;
    return Math.max(0, last * stride[axis] + reach - (size + before + after));
  };
  const { top, bottom, left, right } = padding;
  return { ...NONE, bottom: more(0, H, top, bottom), right: more(1, W, left, right) };
}

const tfjs = (kind: Kind): Tfjs => ({
  nonNegative: 'keeps',
  read: {
    [`${kind}Pooling2D`](network, layer) {
      const isMax = kind === 'Max';
      const kernelSize = layer.config.pair('pool_size', [2, 2]);
      const stride = layer.config.pair('strides', kernelSize);
      // Zeros could become the maximum.
      const { source, padding } = paddedInput(
        network,
        layer,
        (of, sides) => isWithinHalf(sides, kernelSize) && (!isMax || network.isNonNegative(of)),
      );
      // What "same" adds is left out of the mean; the zeros of a ZeroPadding2D count.
      const uncounted = !isMax && padding === 'same' ? { countIncludePad: false } : {};
      const attributes = { kernelSize, stride, padding, ...uncounted };
      return network.add(layer, isMax ? 'max_pool' : 'avg_pool', [source], attributes);
    },
  },
  write(writing) {
    const { graph, layer, inputs, nonNegative } = writing;
    const windows = windowsOf(layer);
    if (windows.dilation.some((step) => step > 1)) throw notInTfjs(layer, 'its pooling has no dilation');
    const add = (from: readonly string[], same: boolean) => {
      const [className, config] = layerOf(kind, windows.size, windows.stride, same);
      return graph.add(className, layer.name, from, config);
    };
    if (!isPadded(windows)) return add(inputs, false);
    // In TensorFlow, what "same" adds is left out of the mean.
    const zeros = kind === 'Average' && counts(layer);
    if (!zeros && isSame(windows)) return add(inputs, true);
    if (zeros || (kind === 'Max' && nonNegative)) return add([zeroPadded(writing, windows)], false);
    throw notInTfjs(
      layer,
      kind === 'Max'
        ? 'its padding adds zeros, which could become the maximum; expected padding "same", or a ReLU before it'
        : 'its padding would count in the mean; expected padding "same"',
    );
  },
});

// Adaptive pooling. Its windows are rows times columns, so that rows are pooled first, then columns; of each, window i of
// n over `size` is [floor(i size / n), ceil((i + 1) size / n)), as in PyTorch.
const outputSizeOf = (layer: SourceLayer) => pairOf(layer, 'outputSize');
const shares = (count: number, size: number) =>
  Array.from({ length: count }, (_, i) => ({
    start: Math.floor((i * size) / count),
    end: Math.ceil(((i + 1) * size) / count),
  }));

const adaptiveKeras =
  (kind: Kind): Keras =>
  ({ layer, simple }) => {
    const [P, Q] = outputSizeOf(layer);
    const [, H, W] = layer.inputs[0];
    if (P === 1 && Q === 1) return simple(`Global${kind}Pooling2D`, [['keepdims', 'True', '']]);
    if (H % P !== 0 || W % Q !== 0)
      throw unsupported(layer, 'Keras', `windows of ${P} × ${Q} do not divide ${H} × ${W}`);
    return simple(`${kind}Pooling2D`, [], [pairText([H / P, W / Q])]);
  };

/** One value a channel; without `keepdims`, as a vector. */
function addGlobalPool(network: OnnxReading, node: NodeProto, op: string, keeps: boolean): true {
  const sizes = { outputSize: [1, 1] };
  const source = network.source(node);
  if (keeps) network.add(node, op, [source], sizes);
  else network.add(node, 'flatten', [network.addLayer(node, op, [source], sizes)]);
  return true;
}

const adaptiveOnnx = (op: string, reduce: string, global: string): Onnx => ({
  read: {
    [global]: (network, node) => addGlobalPool(network, node, op, true),
    [reduce](network, node) {
      const axes = axesOf(network, node) ?? [];
      if (axes.join() !== '2,3')
        throw network.unsupported(node, `expected axes 2 and 3, found ${axes.join(' and ') || 'none'}`);
      return addGlobalPool(network, node, op, wholeOf(node, 'keepdims', 1) === 1);
    },
  },
  write({ graph, layer, inputs: [input], output }) {
    const counted = outputSizeOf(layer);
    if (counted.every((count) => count === 1)) {
      graph.node(global, [input], output);
      return;
    }
    const between = graph.unique(`${layer.name}/rows`);
    poolAxis(2, counted[0], layer.inputs[0][1], input, between);
    poolAxis(3, counted[1], layer.inputs[0][2], between, output);

    function poolAxis(axis: number, count: number, size: number, from: string, to: string): void {
      const axes = graph.list(layer.name, [axis]);
      const windows = shares(count, size).map((share) => {
        const [start, end] = [share.start, share.end].map((at) => graph.list(layer.name, [at]));
        const window = graph.node('Slice', [from, start, end, axes], graph.unique(`${layer.name}/window`));
        return graph.node(reduce, [window, axes], graph.unique(`${layer.name}/pooled`), { keepdims: 1 });
      });
      graph.node('Concat', windows, to, { axis });
    }
  },
});

/** One pooling if all windows have one size, else each window is cut out, pooled and joined. */
const adaptiveTfjs = (kind: Kind): Tfjs => ({
  nonNegative: 'keeps',
  read: {
    [`Global${kind}Pooling2D`](network, layer) {
      requireChannelsLast(network, layer);
      const op = kind === 'Max' ? 'adaptive_max_pool' : 'adaptive_avg_pool';
      const of = network.addLayer(layer.name, op, [network.source(layer)], { outputSize: [1, 1] });
      return layer.config.flag('keepdims', false) ? { kind: 'layer', layer: of } : { kind: 'pooled', of };
    },
  },
  write({ graph, layer, inputs: [input] }) {
    const [, H, W] = layer.inputs[0];
    const [P, Q] = outputSizeOf(layer);
    const pooled = (window: readonly number[], wanted: string, from: string) => {
      const [className, config] = layerOf(kind, window, window);
      return graph.add(className, wanted, [from], config);
    };
    if (H % P === 0 && W % Q === 0) return pooled([H / P, W / Q], layer.name, input);
    const rows = pooledAlong(1, P, H, input, `${layer.name}_rows`);
    return pooledAlong(2, Q, W, rows, layer.name);

    function pooledAlong(axis: 1 | 2, count: number, size: number, from: string, wanted: string): string {
      const windows = shares(count, size).map(({ start, end }) => {
        const cut = [start, size - end];
        const cropping = axis === 1 ? [cut, [0, 0]] : [[0, 0], cut];
        const config = { cropping, data_format: 'channels_last' };
        const cropped = graph.add('Cropping2D', `${layer.name}_window`, [from], config);
        return pooled(axis === 1 ? [end - start, 1] : [1, end - start], `${layer.name}_pooled`, cropped);
      });
      return count === 1 ? windows[0] : graph.add('Concatenate', wanted, windows, { axis });
    }
  },
});

const adaptiveTorch = (name: 'avg' | 'max'): Pytorch =>
  stateless(`Adaptive${name === 'avg' ? 'Avg' : 'Max'}Pool2d`, `F.adaptive_${name}_pool2d`, (layer) =>
    pairText(outputSizeOf(layer)),
  );

export default [
  {
    op: 'max_pool',
    pytorch: pytorch('Max'),
    keras: keras('Max'),
    onnx: onnx('Max', (layer) => ({ dilations: windowsOf(layer).dilation })),
    tfjs: tfjs('Max'),
  },
  {
    op: 'avg_pool',
    pytorch: pytorch('Average'),
    keras: keras('Average'),
    onnx: onnx('Average', (layer) => ({ count_include_pad: counts(layer) ? 1 : 0 })),
    tfjs: tfjs('Average'),
  },
  {
    op: 'adaptive_max_pool',
    pytorch: adaptiveTorch('max'),
    keras: adaptiveKeras('Max'),
    onnx: adaptiveOnnx('adaptive_max_pool', 'ReduceMax', 'GlobalMaxPool'),
    tfjs: adaptiveTfjs('Max'),
  },
  {
    op: 'adaptive_avg_pool',
    pytorch: adaptiveTorch('avg'),
    keras: adaptiveKeras('Average'),
    onnx: adaptiveOnnx('adaptive_avg_pool', 'ReduceMean', 'GlobalAveragePool'),
    tfjs: adaptiveTfjs('Average'),
  },
] satisfies Formats[];

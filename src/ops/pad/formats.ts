import type { NodeProto } from 'onnx-buf';
import { argumentsOf, type Formats, type NamedArguments } from '../formats.ts';
import { MAX_WINDOW, requireChannelsLast, type KerasReader } from '../keras.ts';
import { isPadded, numberOf, windowsOf, type SourceLayer } from '../layer.ts';
import { listOf, realOf, rounded, wordOf, type OnnxReading } from '../onnx.ts';
import { kerasPad, kerasSides, onnxWindows, torchSides, zeroPadded } from '../windows.ts';
import { notInTfjs } from '../tfjs.ts';

const isReflected = ({ attributes }: SourceLayer) => attributes['mode'] === 'reflect';
const valueOf = (layer: SourceLayer) => (isReflected(layer) ? 0 : numberOf(layer, 'value'));
const isZeros = (layer: SourceLayer) => !isReflected(layer) && valueOf(layer) === 0;

/** What a Pad node adds: [top, left, bottom, right], where it pads only these. */
function readSides(network: OnnxReading, node: NodeProto) {
  const pads = listOf(node, 'pads') ?? network.wholeInput(node, 1) ?? [];
  // Version 18 can name the axes.
  const axes = network.wholeInput(node, 3) ?? [0, 1, 2, 3];
  const sides = (axis: number) => {
    const i = axes.findIndex((one) => one === axis || one === axis - 4);
    return i < 0 ? [0, 0] : [pads[i], pads[i + axes.length]];
  };
  const [batch, channels, [top, bottom], [left, right]] = [0, 1, 2, 3].map(sides);
  const known = axes.every((axis) => Number.isInteger(axis) && axis >= -4 && axis < 4);
  if (
    !known ||
    pads.length !== 2 * axes.length ||
    [...batch, ...channels].some((size) => size !== 0) ||
    pads.some((size) => !(size >= 0))
  )
    throw network.unsupported(
      node,
      `expected padding of height and width only, found [${pads.slice(0, 8).join(', ')}]`,
    );
  return { top, bottom, left, right };
}

const zeroPadding: KerasReader = (network, layer) => {
  requireChannelsLast(network, layer);
  const of = network.source(layer);
  const place = layer.config.at('padding');
  if (Array.isArray(place.value) && place.value.some(Array.isArray)) {
    const [[top, bottom], [left, right]] = place
      .items('pairs', 2, 2)
      .map((pair) => pair.items('sizes', 2, 2).map((size) => size.whole(0, MAX_WINDOW)));
    return { kind: 'padded', of, padding: { top, bottom, left, right } };
  }
  const [rows, columns] = layer.config.has('padding') ? place.pair(0, MAX_WINDOW) : [1, 1];
  return { kind: 'padded', of, padding: { top: rows, bottom: rows, left: columns, right: columns } };
};

export default {
  op: 'pad',
  pytorch: {
    module(layer) {
      const windows = windowsOf(layer);
      const { top, bottom, left, right } = windows.padding;
      const own = [top, bottom, left].every((rows) => rows === right) ? `${top}` : torchSides(windows);
      if (isReflected(layer)) return [`nn.ReflectionPad2d(${own})`];
      return [isZeros(layer) ? `nn.ZeroPad2d(${own})` : `nn.ConstantPad2d(${own}, ${valueOf(layer)})`];
    },
    call(layer, [input]) {
      const named: NamedArguments = [
        ['mode', isReflected(layer) ? '"reflect"' : '', ''],
        ['value', String(valueOf(layer)), '0'],
      ];
      return `F.pad(${argumentsOf([input, torchSides(windowsOf(layer))], named)})`;
    },
  },
  keras({ layer, first, simple }) {
    const { padding } = windowsOf(layer);
    if (isZeros(layer)) return simple('ZeroPadding2D', [], [kerasSides(padding)]);
    return [
      kerasPad(padding, first, isReflected(layer) ? 'mode="reflect"' : `constant_values=${valueOf(layer)}`),
    ];
  },
  onnx: {
    write({ graph, layer, inputs, output }) {
      const { pads } = onnxWindows(windowsOf(layer));
      const [before, after] = [pads.slice(0, 2), pads.slice(2)].map((sides) => [0, 0, ...sides]);
      // Minus zero: ONNX Runtime merges zeros into a MaxPool that follows, which pads with -Infinity.
      const value = graph.tensor(`${layer.name}/value`, [], Float32Array.of(valueOf(layer) || -0));
      graph.node('Pad', [...inputs, graph.list(layer.name, [...before, ...after]), value], output, {
        mode: isReflected(layer) ? 'reflect' : 'constant',
      });
    },
    read: {
      Pad(network, node) {
        const mode = wordOf(node, 'mode', 'constant');
        if (mode !== 'constant' && mode !== 'reflect')
          throw network.unsupported(node, `expected mode constant or reflect, found ${mode}`);
        const padding = readSides(network, node);
        const value = rounded(network.numberInput(node, 2) ?? realOf(node, 'value', 0));
        if (!isPadded({ padding })) network.passOn(node);
        else if (mode === 'reflect') network.add(node, 'pad', [network.source(node)], { padding, mode });
        else
          network.begin(node, {
            op: 'pad',
            of: network.source(node),
            attributes: { padding, value },
            words: 'padding with an infinite value, which only max pooling can take',
            whole: Number.isFinite(value),
          });
        return true;
      },
    },
  },
  tfjs: {
    nonNegative: 'keeps',
    write(writing) {
      const { layer } = writing;
      if (!isZeros(layer))
        throw notInTfjs(layer, 'its padding adds zeros only; expected mode constant, value 0');
      return zeroPadded(writing, windowsOf(layer), layer.name);
    },
    read: { ZeroPadding2D: zeroPadding },
  },
} satisfies Formats;

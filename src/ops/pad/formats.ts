import { argumentsOf, type Formats, type NamedArguments } from '../formats.ts';
import { numberOf, windowsOf, type SourceLayer } from '../layer.ts';
import { kerasPad, kerasSides, onnxWindows, torchSides, zeroPadded } from '../windows.ts';
import { notInTfjs } from '../tfjs.ts';

const isReflected = ({ attributes }: SourceLayer) => attributes['mode'] === 'reflect';
const valueOf = (layer: SourceLayer) => (isReflected(layer) ? 0 : numberOf(layer, 'value'));
const isZeros = (layer: SourceLayer) => !isReflected(layer) && valueOf(layer) === 0;

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
  },
  tfjs: {
    nonNegative: 'keeps',
    write(writing) {
      const { layer } = writing;
      if (!isZeros(layer))
        throw notInTfjs(layer, 'its padding adds zeros only; expected mode constant, value 0');
      return zeroPadded(writing, windowsOf(layer), layer.name);
    },
  },
} satisfies Formats;

/** How each class of layers of Keras is read: by ops, in src/ops, and here what is none. */
import { elementwise, type FileLayer, type KerasValue } from '../../ops/keras.ts';
import { FORMATS } from '../../ops/writers.ts';
import type { TfjsNetwork } from './network.ts';

type Reader = (network: TfjsNetwork, layer: FileLayer) => KerasValue;

/** Images times a number plus another one: how they are normalised. */
const rescaling: Reader = (network, layer) => {
  const scale = layer.config.number('scale', 1);
  const offset = layer.config.number('offset', 0);
  if (network.input(layer).kind !== 'images') {
    if (offset !== 0) throw network.unsupported(layer, `expected offset 0 between layers, found ${offset}`);
    return elementwise('scale', () => ({ factor: scale }))(network, layer);
  }
  if (!(scale > 0)) throw network.unsupported(layer, `expected scale above 0 for images, found ${scale}`);
  const channels = Array.from({ length: network.images[0] });
  // Here pixels are in [0, 1]: a small scale is for those of 0 to 255.
  const range = scale < 0.1 ? 255 : 1;
  if (range > 1) network.note('Its images have pixels of 0 to 255; here they are in [0, 1].');
  const [mean, std] = [-offset / (scale * range), 1 / (scale * range)];
  return { kind: 'normalised', mean: channels.map(() => mean || 0), std: channels.map(() => std) };
};

const activation: Reader = (network, layer) => {
  const { of, heldAs } = network.vector(layer);
  return network.activated(layer, { kind: 'layer', layer: of, ...(heldAs ? { heldAs } : {}) });
};

const softmax: Reader = (network, layer) => {
  const axis = layer.config.number('axis', -1);
  if (axis !== -1 && axis !== network.shapeOf(network.vector(layer).of).length)
    throw network.unsupported(layer, `expected axis -1, the classes, found ${axis}`);
  return network.softmax(layer, network.input(layer));
};

/** What changes values only in training. */
const ONLY_IN_TRAINING = [
  ...[
    'RandomFlip',
    'RandomRotation',
    'RandomZoom',
    'RandomTranslation',
    'RandomContrast',
    'RandomBrightness',
  ],
  ...['GaussianNoise', 'GaussianDropout', 'AlphaDropout', 'SpatialDropout2D', 'ActivityRegularization'],
];

const passedOn: Reader = (network, layer) => {
  network.note(`${layer.className} was left out: it changes values only in training.`);
  return network.input(layer);
};

/** By the class's name. */
export const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...FORMATS.all().flatMap(({ op, tfjs: { classes = {}, read = {} } }) => [
    ...Object.entries(classes).map(([name, attributesOf]) => [name, elementwise(op, attributesOf)] as const),
    ...Object.entries(read),
  ]),
  ...ONLY_IN_TRAINING.map((name) => [name, passedOn] as const),
  ['Activation', activation],
  ['Softmax', softmax],
  ['Rescaling', rescaling],
]);

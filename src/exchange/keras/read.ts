/** Reads Keras's models: a .keras archive of its configuration and weights, or one HDF5 file of both. */
import { parseJson } from '../../base/json.ts';
import { Failure } from '../../base/result.ts';
import { isZip, readZip } from '../../data/formats/zip.ts';
import { JsonPlace } from '../../base/json-place.ts';
import { KerasConfig, type KerasTensor } from '../../ops/keras.ts';
import { FORMATS } from '../../ops/writers.ts';
import { Budget } from '../budget.ts';
import type { Imported } from '../imported.ts';
import { MODELS, networkOf, type Tensors } from '../tfjs/layers.ts';
import { readHdf5 } from './hdf5.ts';

/** Characters of a configuration, and its nesting. */
const MAX_TEXT = 2 ** 25;
const MAX_DEPTH = 60;
/** What an archive may have besides the bytes that it stores. */
const MORE_BYTES = 2 ** 26;
const MAX_FILES = 1000;
const MAX_LAYERS = 10_000;

/**
 * The network in a file that `model.save` wrote.
 * @param file its name, for messages
 * @throws Failure `bad-file` if it is damaged or has only weights, `unsupported` with the layer that wgrad does not have
 */
export const fromKeras = (file: string, bytes: Uint8Array<ArrayBuffer>): Promise<Imported> =>
  isZip(bytes) ? fromArchive(file, bytes) : fromHdf5(file, bytes);

const SAVE_ALL = 'Save the whole model: model.save("net.keras").';

async function fromArchive(file: string, bytes: Uint8Array): Promise<Imported> {
  const entries = readZip(file, bytes, { files: MAX_FILES, bytes: bytes.length + MORE_BYTES });
  const at = async (name: string): Promise<Uint8Array> => {
    const entry = entries.find(({ path }) => path === name);
    if (!entry) throw new Failure('bad-file', `${file}: expected ${name} in it, found none`, SAVE_ALL);
    return entry.read();
  };
  const text = new TextDecoder().decode(await at('config.json'));
  const weights = await at('model.weights.h5');
  const budget = new Budget(file, Math.max(bytes.length, weights.length));
  const { tensors } = await readHdf5(file, weights, budget);
  const model = configuration(file, text);
  const named = new Map<string, () => KerasTensor>();
  nameTensors(model, '', tensors, named);
  return networkOf(file, model, named, budget, {});
}

async function fromHdf5(file: string, bytes: Uint8Array): Promise<Imported> {
  const budget = new Budget(file, bytes.length);
  const { attribute, tensors } = await readHdf5(file, bytes, budget);
  const text = attribute('model_config');
  if (text === undefined)
    throw new Failure('bad-file', `${file}: expected a model, found only its weights`, SAVE_ALL);
  return networkOf(file, configuration(file, text), tensors, budget, {});
}

function configuration(file: string, text: string): JsonPlace {
  if (text.length > MAX_TEXT)
    throw new Failure(
      'bad-file',
      `${file}: expected a configuration of at most ${MAX_TEXT} characters, found ${text.length}`,
    );
  const bad = (at: number, message: string) =>
    new Failure('bad-file', `${file}, configuration, character ${at}: ${message.slice(0, 400)}`);
  return new JsonPlace(
    file,
    parseJson(text, { what: 'the model', maxDepth: MAX_DEPTH, reals: true, infinite: true, bad }),
  );
}

/** The variables of layers of ops, by their class, in the order in which Keras saves them. */
const VARIABLES = new Map(FORMATS.all().flatMap(({ tfjs }) => Object.entries(tfjs.variables ?? {})));

/**
 * Finds the weights of layers, which an archive has under names that follow from classes, in the order of the layers:
 * layers/conv2d_1/vars/0 is the kernel of the second Conv2D.
 */
function nameTensors(
  model: JsonPlace,
  path: string,
  tensors: Tensors,
  named: Map<string, () => KerasTensor>,
): void {
  const counts = new Map<string, number>();
  for (const layer of model.at('config').at('layers').items('layers', 0, MAX_LAYERS)) {
    const className = layer.at('class_name').text('the name of a layer’s class', undefined, 100);
    const stem = snakeCase(className);
    const count = counts.get(stem) ?? 0;
    counts.set(stem, count + 1);
    const own = `${path}layers/${count === 0 ? stem : `${stem}_${count}`}/`;
    if (MODELS.has(className)) {
      nameTensors(layer, own, tensors, named);
      continue;
    }
    const name = layer.at('config').at('name');
    if (name.isAbsent) continue;
    const variables = VARIABLES.get(className)?.(new KerasConfig(layer.at('config'))) ?? ['kernel', 'bias'];
    variables.forEach((variable, i) => {
      const read = tensors.get(`${own}vars/${i}`);
      if (read) named.set(`${name.text('the name of a layer', undefined, 300)}/${variable}`, read);
    });
  }
}

/** As Keras makes names of classes: "global_average_pooling2d". */
const snakeCase = (name: string): string =>
  name
    .replace(/(.)([A-Z][a-z]+)/g, '$1_$2')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();

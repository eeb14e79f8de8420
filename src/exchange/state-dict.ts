/**
 * A network from weights alone: tensors by PyTorch's names, of a model that somebody names, that is found among those here,
 * or that follows from names and shapes.
 */
import { percent } from '../base/percent.ts';
import { Failure } from '../base/result.ts';
import { elements, type Shape } from '../base/shape.ts';
import { inferShapes, layoutParameters } from '../engine/network.ts';
import type { StateDict } from '../engine/parameters.ts';
import { MAX_CLASSES } from '../models/file/parse.ts';
import { matchWeights } from '../models/file/match.ts';
import type { WeightsInfo } from '../models/file/weights.ts';
import { models } from '../models/index.ts';
import { fitModel, type Model } from '../models/model.ts';
import { Budget } from './budget.ts';
import type { Imported } from './imported.ts';
import type { ImportContext } from './importers.ts';
import { inferNetwork } from './inferred/infer.ts';

/** Initial values are those of this seed. */
const SEED = 1;

/**
 * The network that weights belong to, whole or in part. Tensors that it has and the file does not, or in another shape,
 * get initial values.
 * @param file its name, for messages
 * @param info what the file says besides; its model, if it has one, comes first
 * @throws Failure `bad-input` if the weights do not fit, or nothing says what the network is
 */
export function fromStateDict(
  file: string,
  tensors: StateDict,
  { model: own, ...info }: WeightsInfo,
  { model: given, assumed }: Pick<ImportContext, 'model' | 'assumed'>,
): Imported {
  const candidates = unwrapped(tensors);
  const known = own ?? given;
  if (own) requireModest(file, own, tensors);
  if (!known) {
    const fits = assumed ? [] : models.all().map((model) => bestFit(file, model, candidates));
    const found = wholeFit(fits);
    if (found) return taken(file, found, info, [ASSUMED(found.model)]);
    const inferred = attempted(() => inferNetwork(file, bare(tensors), info, assumed ?? {}));
    if (!(inferred instanceof Failure)) return inferred;
    if (assumed) throw new Failure(inferred.code, `${file}: ${inferred.message}`, inferred.advice);
    return taken(file, largeFit(file, fits, inferred.message), info);
  }
  const fit = bestFit(file, known, candidates, own === undefined);
  const network = taken(file, fit, info);
  const isWhole = network.matches?.every(({ status }) => status === 'taken') ?? true;
  const { matches: _, ...alone } = network;
  return own && isWhole ? alone : network;
}

const ASSUMED = ({ title }: Model): string =>
  `All names and shapes are those of ${title}. They do not show strides, padding, pooling and activation, which were taken to be its own.`;

/** The network with those tensors that fit. */
function taken(
  file: string,
  { model, weights }: Fit,
  info: WeightsInfo,
  notes: readonly string[] = [],
): Imported {
  const { rows, parameters } = matchWeights(`${file}: weights`, model, weights, { seed: SEED });
  return { model, parameters, info, notes, matches: rows };
}

function attempted<T>(work: () => T): T | Failure {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** What a model in a file has besides its weights gets initial values, which take memory. @throws Failure `bad-file` */
function requireModest(file: string, { layers, input }: Model, tensors: StateDict): void {
  const stored = [...tensors.values()].reduce((sum, { shape }) => sum + elements(shape), 0);
  const { length } = layoutParameters(inferShapes(layers, [1, ...input]));
  new Budget(file, 4 * stored).take(4 * length, 'metadata "model"');
}

/** Components of names that are tried as a prefix. */
const MOST_COMPONENTS = 6;

/**
 * The tensors as they are, and without each prefix that at least half of them have: "module." of DataParallel, "_orig_mod."
 * of torch.compile, "model." or "backbone." of what a network is part of.
 */
function unwrapped(tensors: StateDict): StateDict[] {
  const candidates = [tensors];
  let prefix = '';
  while (candidates.length < MOST_COMPONENTS) {
    const next = [...tensors.keys()]
      .filter((name) => name.startsWith(prefix) && name.includes('.', prefix.length))
      .map((name) => name.slice(0, name.indexOf('.', prefix.length) + 1));
    const counts = new Map<string, number>();
    for (const one of next) counts.set(one, (counts.get(one) ?? 0) + 1);
    const found = [...counts].find(([, count]) => 2 * count >= tensors.size);
    if (!found) break;
    [prefix] = found;
    const inside = [...tensors].filter(([name]) => name.startsWith(prefix));
    const outside = [...tensors].filter(([name]) => !name.startsWith(prefix));
    candidates.push(
      new Map([...outside, ...inside.map(([name, tensor]) => [name.slice(prefix.length), tensor] as const)]),
    );
  }
  return candidates;
}

/** Without the prefix that all tensors have. */
function bare(tensors: StateDict): StateDict {
  const [first = ''] = tensors.keys();
  let prefix = '';
  const isCommon = (text: string) =>
    [...tensors.keys()].every((name) => name.startsWith(text) && name.includes('.', text.length));
  for (let i = 0; i < MOST_COMPONENTS; i++) {
    const longer = first.slice(0, first.indexOf('.', prefix.length) + 1);
    if (longer.length <= prefix.length || !isCommon(longer)) break;
    prefix = longer;
  }
  return new Map([...tensors].map(([name, tensor]) => [name.slice(prefix.length), tensor]));
}

interface Fit {
  model: Model;
  weights: StateDict;
  /** Parameters of the model that agree with the weights in name and shape, and which share of all that is. */
  agreeing: number;
  share: number;
  /** The share of the file's values that the model takes. */
  ofFile: number;
}

/** Of the same weights under several names, those that the model takes most of. */
function bestFit(file: string, model: Model, candidates: readonly StateDict[], refit = true): Fit {
  const tried = candidates.map((weights) => {
    const fitted = refit ? withClasses(file, model, weights) : model;
    const { entries, buffers } = layoutParameters(inferShapes(fitted.layers, [1, ...fitted.input]));
    const fits = ({ name, shape }: { name: string; shape: Shape }) =>
      weights.get(name)?.shape.join() === shape.join();
    const agreeing = entries.filter(fits).length;
    const values = [...entries, ...buffers.entries]
      .filter(fits)
      .reduce((sum, { shape }) => sum + elements(shape), 0);
    return {
      model: fitted,
      weights,
      agreeing,
      share: agreeing / entries.length,
      ofFile: values / valuesIn(weights),
    };
  });
  return tried.reduce((best, fit) => (fit.agreeing > best.agreeing ? fit : best));
}

/** The model with as many classes as the weights of its last layer have rows. */
function withClasses(file: string, model: Model, weights: StateDict): Model {
  const last = model.layers.findLast(({ op }) => op === 'linear' || op === 'conv');
  const rows = last && weights.get(`${last.name}.weight`)?.shape[0];
  if (rows === undefined || rows === model.classes || rows < 2 || rows > MAX_CLASSES) return model;
  return fitModel(model, { name: file, shape: model.input, classes: { length: rows } });
}

const valuesIn = (tensors: StateDict): number =>
  Math.max(
    1,
    [...tensors.values()].reduce((sum, { shape }) => sum + elements(shape), 0),
  );

/** The model of wgrad whose parameters are all there and that takes the whole file. */
function wholeFit(fits: readonly Fit[]): Fit | undefined {
  const whole = fits.filter(({ share, ofFile }) => share === 1 && ofFile === 1);
  return whole.length === 1 ? whole[0] : undefined;
}

/** The share of a model's parameters that must be there, and of the file's values that it must take. */
const LEAST = { share: 0.75, ofFile: 0.9 };

/**
 * The model of wgrad that most of these tensors belong to: most of its own, and nearly all of the file.
 * @param why no network follows from the tensors alone
 */
function largeFit(file: string, fits: readonly Fit[], why: string): Fit {
  const possible = fits.filter(({ share, ofFile }) => share >= LEAST.share && ofFile >= LEAST.ofFile);
  // Models share names of layers: the one that takes most, then the one with the fewest that are missing.
  const most = Math.max(...possible.map(({ agreeing }) => agreeing));
  const taking = possible.filter(({ agreeing }) => agreeing === most);
  const best = Math.max(...taking.map(({ share }) => share));
  const found = taking.filter(({ share }) => share === best);
  if (found.length === 1) return found[0];
  const which =
    found.length > 1
      ? `${found.map(({ model }) => model.title).join(' and ')} have`
      : 'no model of wgrad has';
  const nearest = fits.reduce((one, other) => (other.ofFile > one.ofFile ? other : one));
  const nearestText =
    found.length === 0 && nearest.ofFile > 0
      ? ` ${nearest.model.title} fits best: it takes ${percent(nearest.ofFile)} of the file’s values.`
      : '';
  throw new Failure(
    'bad-input',
    `${file} contains only weights, and ${which} tensors of these names and shapes.${nearestText} ` +
      `Names and shapes alone determine no network: ${why}`,
    'Choose the model that they belong to, or export the network as ONNX.',
  );
}

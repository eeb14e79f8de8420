/** A network from weights alone: tensors by PyTorch's names, of a model that somebody names or that is found among those here. */
import { Failure } from '../base/result.ts';
import { elements } from '../base/shape.ts';
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
  { model: given }: Pick<ImportContext, 'model'>,
): Imported {
  const candidates = unwrapped(tensors);
  const known = own ?? given;
  if (own) requireModest(file, own, tensors);
  const { model, weights } = known
    ? bestFit(file, known, candidates, own === undefined)
    : registeredFor(file, candidates);
  const { rows, parameters } = matchWeights(`${file}: weights`, model, weights, { seed: SEED });
  const whole = rows.every(({ status }) => status === 'taken');
  return { model, parameters, info, notes: [], ...(own && whole ? {} : { matches: rows }) };
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

interface Fit {
  model: Model;
  weights: StateDict;
  /** Parameters of the model that agree with the weights in name and shape, and which share of all that is. */
  agreeing: number;
  share: number;
}

/** Of the same weights under several names, those that the model takes most of. */
function bestFit(file: string, model: Model, candidates: readonly StateDict[], refit = true): Fit {
  const fits = candidates.map((weights) => {
    const fitted = refit ? withClasses(file, model, weights) : model;
    const { entries } = layoutParameters(inferShapes(fitted.layers, [1, ...fitted.input]));
    const agreeing = entries.filter(
      ({ name, shape }) => weights.get(name)?.shape.join() === shape.join(),
    ).length;
    return { model: fitted, weights, agreeing, share: agreeing / entries.length };
  });
  return fits.reduce((best, fit) => (fit.agreeing > best.agreeing ? fit : best));
}

/** The model with as many classes as the weights of its last layer have rows. */
function withClasses(file: string, model: Model, weights: StateDict): Model {
  const last = model.layers.findLast(({ op }) => op === 'linear' || op === 'conv');
  const rows = last && weights.get(`${last.name}.weight`)?.shape[0];
  if (rows === undefined || rows === model.classes || rows < 2 || rows > MAX_CLASSES) return model;
  return fitModel(model, { name: file, shape: model.input, classes: { length: rows } });
}

/** The model of wgrad that most of these tensors belong to, at least half of its own. */
function registeredFor(file: string, candidates: readonly StateDict[]): Fit {
  const scored = models.all().map((model) => bestFit(file, model, candidates));
  const possible = scored.filter(({ share }) => share >= 0.5);
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
  throw new Failure(
    'bad-input',
    `${file} contains only weights, and ${which} tensors of these names and shapes`,
    'Choose the model that they belong to.',
  );
}

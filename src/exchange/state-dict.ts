/** A network from weights alone: tensors by PyTorch's names, of a model that somebody names or that is found among those here. */
import { Failure } from '../base/result.ts';
import { inferShapes, layoutParameters } from '../engine/network.ts';
import type { StateDict } from '../engine/parameters.ts';
import { matchWeights } from '../models/file/match.ts';
import type { WeightsInfo } from '../models/file/weights.ts';
import { models } from '../models/index.ts';
import { fitModel, type Model } from '../models/model.ts';
import type { Imported } from './imported.ts';
import type { ImportContext } from './importers.ts';

/** What PyTorch puts before all names of a model that is wrapped: by DataParallel, by torch.compile, in a checkpoint. */
const PREFIXES = ['module.', '_orig_mod.', 'model.', 'state_dict.'];

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
  const weights = withoutPrefixes(tensors);
  const model = own ?? (given && withClasses(file, given, weights)) ?? registeredFor(file, weights);
  const { rows, parameters } = matchWeights(`${file}: weights`, model, weights, { seed: SEED });
  const whole = rows.every(({ status }) => status === 'taken');
  return { model, parameters, info, notes: [], ...(own && whole ? {} : { matches: rows }) };
}

function withoutPrefixes(tensors: StateDict): StateDict {
  const names = [...tensors.keys()];
  const prefix = PREFIXES.find((one) => names.length > 0 && names.every((name) => name.startsWith(one)));
  if (prefix === undefined) return tensors;
  return withoutPrefixes(new Map([...tensors].map(([name, tensor]) => [name.slice(prefix.length), tensor])));
}

/** The model with as many classes as the weights of its last layer have rows. */
function withClasses(file: string, model: Model, weights: StateDict): Model {
  const last = model.layers.findLast(({ op }) => op === 'linear' || op === 'conv');
  const rows = last && weights.get(`${last.name}.weight`)?.shape[0];
  if (rows === undefined || rows === model.classes || rows < 2) return model;
  return fitModel(model, { name: file, shape: model.input, classes: { length: rows } });
}

/** The model of wgrad that most of these tensors belong to, at least half of its own. */
function registeredFor(file: string, weights: StateDict): Model {
  const scored = models.all().map((model) => {
    const fitted = withClasses(file, model, weights);
    const { entries } = layoutParameters(inferShapes(fitted.layers, [1, ...fitted.input]));
    const agreeing = entries.filter(
      ({ name, shape }) => weights.get(name)?.shape.join() === shape.join(),
    ).length;
    return { model: fitted, agreeing, share: agreeing / entries.length };
  });
  const possible = scored.filter(({ share }) => share >= 0.5);
  // Models share names of layers: the one that takes most, then the one with the fewest that are missing.
  const most = Math.max(...possible.map(({ agreeing }) => agreeing));
  const taking = possible.filter(({ agreeing }) => agreeing === most);
  const best = Math.max(...taking.map(({ share }) => share));
  const found = taking.filter(({ share }) => share === best);
  if (found.length === 1) return found[0].model;
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

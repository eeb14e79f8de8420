/** What an optimiser does with each block of parameters, where it does not treat all alike. */
import { Failure } from '../../base/result.ts';
import { isFrozen, type ParameterLayout } from '../network.ts';
import type { PlanBuilder, Tensor } from '../plan.ts';
import { MOST_EPOCH } from '../step.ts';
import type { BlockEntry, OptimizerSettings } from './optimizer.ts';
import { BLOCK, BLOCK_WORDS } from './update.ts';

/** Flags, as in optimizers/blocks.wgsl. */
const TRAINED = 1;
const MATRIX = 2;

type BlockLayout = Pick<ParameterLayout, 'length'> & { entries: readonly BlockEntry[] };

/** The layer of a parameter: "conv1" of "conv1.weight". */
const layerOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));

/**
 * What the optimiser does with each block of parameters; undefined if all are treated alike.
 * @param layout of the flat buffers; offsets are multiples of BLOCK
 * @param matrices those that the optimiser updates as matrices
 * @returns as in optimizers/blocks.wgsl
 * @throws Failure `bad-input` for layers or parameters that do not exist
 */
export function blockTable(
  plan: PlanBuilder,
  { length: count, entries }: BlockLayout,
  settings: OptimizerSettings,
  matrices: readonly BlockEntry[] = [],
): Tensor | undefined {
  const layers = new Set(entries.map(({ name }) => layerOf(name)));
  for (const frozen of settings.freeze) {
    if ([...layers].some((layer) => isFrozen([frozen], layer))) continue;
    throw new Failure(
      'bad-input',
      `no layer with parameters is named "${frozen}", which was to be frozen`,
      `Choose some of ${[...layers].join(', ')}.`,
    );
  }
  const names = entries.map(({ name }) => name);
  const rateOf = rateFactors(settings.lrFactors, names);
  const decayOf = decayFactors(settings, names);
  const epochsOf = trainedEpochs(settings.trainedEpochs, names);
  const blocks = entries.map((entry) => {
    const { name, shape } = entry;
    return {
      entry,
      flags:
        (isFrozen(settings.freeze, layerOf(name)) ? 0 : TRAINED) | (matrices.includes(entry) ? MATRIX : 0),
      rate: rateOf(name),
      decay: decayOf({ name, shape }),
      epochs: epochsOf(name),
    };
  });
  const table = new Uint32Array(BLOCK_WORDS * Math.ceil(count / BLOCK));
  const factors = new Float32Array(table.buffer);
  for (const { entry, flags, rate, decay, epochs } of blocks) {
    const end = Math.ceil((entry.offset + entry.length) / BLOCK);
    for (let at = BLOCK_WORDS * (entry.offset / BLOCK); at < BLOCK_WORDS * end; at += BLOCK_WORDS) {
      table[at] = flags;
      factors[at + 1] = rate;
      factors[at + 2] = decay;
      table[at + 3] = (epochs.last << 16) | epochs.first;
    }
  }
  const isSelective = blocks.some(
    ({ flags, rate, decay, epochs }) =>
      flags !== TRAINED || rate !== 1 || decay !== 1 || epochs !== EVERY_EPOCH,
  );
  return isSelective ? plan.constant('blocks', table) : undefined;
}

/** A factor as a value of `byPattern`. */
const FACTOR = { value: String.raw`\d+\.?\d*(?:e-?\d+)?|\.\d+`, usual: 1, read: Number };

/**
 * Factors of the learning rate by parameter name.
 * @param factors "PATTERN=FACTOR"; see `byPattern`
 * @throws Failure `bad-input` for one that is not written so, or fits no parameter
 */
export const rateFactors = (
  factors: readonly string[],
  names: readonly string[],
): ((name: string) => number) =>
  byPattern(factors, names, {
    ...FACTOR,
    expected: 'the factor of its learning rate, such as fc=2',
    what: 'learning rate was to change',
  });

/**
 * Factors of weight decay by parameter.
 * @throws Failure `bad-input` as `rateFactors` does
 */
export function decayFactors(
  { decay1d, decayFactors: factors }: Pick<OptimizerSettings, 'decay1d' | 'decayFactors'>,
  names: readonly string[],
): (parameter: Pick<BlockEntry, 'name' | 'shape'>) => number {
  const factorOf = byPattern(factors, names, {
    ...FACTOR,
    expected: 'the factor of its weight decay, such as fc=10',
    what: 'weight decay was to change',
  });
  // Biases, and the scales and shifts of batch norm, have one dimension.
  return ({ name, shape }) => (decay1d || shape.length > 1 ? factorOf(name) : 0);
}

/** The epochs in which a parameter is trained, from 1, both included. */
export interface TrainedEpochs {
  first: number;
  last: number;
}

/** Also in steps that do not say their epoch. */
export const EVERY_EPOCH: TrainedEpochs = { first: 0, last: MOST_EPOCH };

/**
 * When parameters are trained, by name.
 * @param ranges "PATTERN=FROM-TO", or "PATTERN=FROM-" without an end; see `byPattern`
 * @throws Failure `bad-input` for one that is not written so, or fits no parameter
 */
export const trainedEpochs = (
  ranges: readonly string[],
  names: readonly string[],
): ((name: string) => TrainedEpochs) =>
  byPattern(ranges, names, {
    value: String.raw`[1-9]\d{0,3}-(?:[1-9]\d{0,3})?`,
    usual: EVERY_EPOCH,
    read: (range) => {
      const [first, last] = range.split('-');
      return { first: Number(first), last: last === '' ? MOST_EPOCH : Number(last) };
    },
    expected: 'the epochs in which it is trained, such as fc=1-3 or fc=4-',
    what: 'epochs were to change',
  });

/**
 * What a setting says of each parameter. In a pattern, * stands for any characters; a layer's name stands for all its
 * parameters. Of several that fit, the last one counts.
 * @param rules "PATTERN=VALUE"
 */
function byPattern<Value>(
  rules: readonly string[],
  names: readonly string[],
  kind: {
    /** A regular expression. */
    value: string;
    usual: Value;
    read: (value: string) => Value;
    /** For messages. */
    expected: string;
    what: string;
  },
): (name: string) => Value {
  const read = rules.map((text) => {
    const found = new RegExp(`^([\\w.*-]+)=(${kind.value})$`).exec(text.trim());
    if (!found)
      throw new Failure('bad-input', `expected a layer or parameter and ${kind.expected}, found "${text}"`);
    const [, pattern, value] = found;
    const escaped = pattern.replaceAll('.', '\\.').replaceAll('*', '.*');
    const rule = { fits: new RegExp(`^${escaped}(\\.|$)`), value: kind.read(value) };
    if (!names.some((name) => rule.fits.test(name))) {
      throw new Failure(
        'bad-input',
        `no layer or parameter is named "${pattern}", whose ${kind.what}`,
        `Choose some of ${names.join(', ')}.`,
      );
    }
    return rule;
  });
  return (name) => (read.findLast(({ fits }) => fits.test(name)) ?? { value: kind.usual }).value;
}

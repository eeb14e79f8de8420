/** `--preset NAME`: stands for the options of a run that is known to work. What is given beside it counts more. */
import { isAugmented, NO_AUGMENTATION, showAugmentation } from '../base/augmentation.ts';
import { Failure } from '../base/result.ts';
import type { Preset } from '../train/presets/preset.ts';
import { presets } from '../train/presets/registry.ts';
import { optional, text } from './arguments.ts';

export const presetOption = optional(
  text('NAME', `options that are known to work: ${presets.names().join(', ')}; others beside it count more`),
);

/** Options of a preset that make no sense any more, or are meant otherwise, where another option is given. */
const GIVE_WAY: Readonly<Record<string, readonly string[]>> = {
  steps: ['epochs'],
  optimizer: ['lr', 'momentum', 'nesterov', 'weight-decay', 'no-decay-1d'],
  schedule: ['warmup-epochs'],
  'no-augment': ['augment'],
  augment: ['no-augment'],
};

/**
 * The words of a command's line with the preset's own put before them, without those that others among them overrule.
 * @throws Failure `not-found` for a preset that there is not, `bad-input` beside --resume
 */
export function withPreset(words: readonly string[]): readonly string[] {
  const name = valueOf(words, 'preset');
  if (name === undefined) return words;
  if (isGiven(words, 'resume')) {
    throw new Failure('bad-input', '--preset begins a run; --resume goes on with one as it was');
  }
  const own = optionsOf(presets.get(name)).filter(
    ([option]) =>
      !isGiven(words, option) &&
      !Object.entries(GIVE_WAY).some(([other, options]) => options.includes(option) && isGiven(words, other)),
  );
  return [
    ...own.flatMap(([option, value]) => (value === true ? [`--${option}`] : [`--${option}`, value])),
    ...words,
  ];
}

/** Options and their values; true for a flag. */
function optionsOf(preset: Preset): [string, string | true][] {
  const { settings, augmentation = {}, schedule, warmupEpochs, labelSmoothing } = preset;
  const { lr, momentum, nesterov, weightDecay, decay1d } = settings;
  const varied = { ...NO_AUGMENTATION, ...augmentation };
  const all: [string, string | number | boolean | undefined][] = [
    ['model', preset.model],
    ['dataset', preset.dataset],
    ['epochs', preset.epochs],
    ['batch-size', preset.batchSize],
    ['optimizer', preset.optimizer],
    ['lr', lr],
    ['momentum', momentum],
    ['nesterov', nesterov ?? false],
    ['weight-decay', weightDecay],
    ['no-decay-1d', decay1d === false],
    ['schedule', schedule],
    ['warmup-epochs', warmupEpochs],
    ['label-smoothing', labelSmoothing],
    isAugmented(varied) ? ['augment', showAugmentation(varied)] : ['no-augment', true],
  ];
  return all
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([option, value]) => [option, value === true ? true : String(value)]);
}

const isGiven = (words: readonly string[], option: string): boolean =>
  words.some((word) => word === `--${option}` || word.startsWith(`--${option}=`));

function valueOf(words: readonly string[], option: string): string | undefined {
  const place = words.findLastIndex((word) => word === `--${option}` || word.startsWith(`--${option}=`));
  if (place < 0) return undefined;
  const [, value] = /=(.*)$/s.exec(words[place]) ?? [];
  return value ?? words[place + 1];
}

/** Decisions of the Autotune view: pins, exclusions, and what tuning changed. */
import type { ConvChoice, ConvPin, LayerUse, SampleSpread } from '../../../worker/api.ts';
import * as format from '../../format.ts';
import type { Measurement } from './batch.ts';
import { isTimed, type TimedVariant } from './verdict.ts';

export const sameChoice = (a: ConvChoice, b: ConvChoice): boolean =>
  a.algorithm === b.algorithm && a.launch === b.launch;

type LayerPass = Pick<LayerUse, 'layer' | 'direction'>;

const samePlace = (a: LayerPass, b: LayerPass): boolean => a.layer === b.layer && a.direction === b.direction;

export const isPinned = (pins: readonly ConvPin[], use: LayerPass, choice: ConvChoice): boolean =>
  pins.some((pin) => samePlace(pin, use) && sameChoice(pin, choice));

/** The pins with one set for a layer and direction, or removed where there is no choice. */
export function withPin(pins: readonly ConvPin[], use: LayerPass, choice: ConvChoice | undefined): ConvPin[] {
  const others = pins.filter((pin) => !samePlace(pin, use));
  const { layer, direction } = use;
  return choice ? [...others, { layer, direction, ...choice }] : others;
}

/** The excluded variants with one added, or removed if it was excluded. */
export function toggleChoice(choices: readonly ConvChoice[], choice: ConvChoice): ConvChoice[] {
  const others = choices.filter((one) => !sameChoice(one, choice));
  const { algorithm, launch } = choice;
  return others.length < choices.length ? others : [...others, { algorithm, launch }];
}

/** By what the fastest variant is faster than the predicted one. */
export function gainOf(
  { tried }: Pick<Measurement, 'tried'>,
  winner: TimedVariant,
  predicted: ConvChoice,
): string {
  const fallback = tried.filter(isTimed).find((one) => sameChoice(one, predicted));
  if (!fallback) return '–';
  return sameChoice(winner, fallback) ? 'default' : format.times(fallback.median / winner.median);
}

/** Why a layer has no result. */
export function missingOutcome(measurement: Measurement | undefined): string {
  if (measurement?.error) return measurement.error.message;
  if (measurement?.state === 'measuring') return 'measuring…';
  return measurement?.found ? 'no result' : 'not measured';
}

/** What tuning did to a training step, in a sentence. */
export function stepVerdict(before: SampleSpread, after: SampleSpread): string {
  const overlap = before.p10 <= after.p90 && after.p10 <= before.p90;
  if (overlap) return 'No significant difference.';
  return after.median < before.median
    ? `Training steps are ${format.times(before.median / after.median)} as fast after tuning.`
    : `Tuned steps take ${format.times(after.median / before.median)} as long: kernels can behave differently within a step.`;
}

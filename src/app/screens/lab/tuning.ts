/** Decisions of the Autotune view: pins, exclusions, and what tuning changed. */
import type { ConvChoice, ConvPin, LayerUse, SampleSpread } from '../../../worker/api.ts';
import * as format from '../../format.ts';
import type { Measurement } from './batch.ts';
import { firstOf, isTimed, ranking, wrongOf } from './verdict.ts';

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

export interface TuningOutcome {
  /** The fastest algorithm and those that tie with it. */
  first: string[];
  launch: string;
  /** Milliseconds. */
  median: number;
  /** Over the predicted variant; undefined if that was not timed. */
  speedUp: number | undefined;
  /** The predicted variant is the fastest. */
  isDefault: boolean;
  /** Algorithms with incorrect results. */
  wrong: string[];
}

/** The fastest variant for a layer and direction; undefined while none is timed. */
export function outcomeOf(
  measurement: Measurement,
  { predicted }: Pick<LayerUse, 'predicted'>,
): TuningOutcome | undefined {
  const [winner] = ranking(measurement);
  if (measurement.state === 'waiting' || !winner) return undefined;
  const first = measurement.found ? firstOf(measurement) : [winner];
  const fallback = measurement.tried.filter(isTimed).find((one) => sameChoice(one, predicted));
  return {
    first: first.map(({ algorithm }) => algorithm),
    launch: winner.launch,
    median: winner.median,
    speedUp: fallback && fallback.median / winner.median,
    isDefault: fallback !== undefined && sameChoice(winner, fallback),
    wrong: [...new Set(wrongOf(measurement).map(({ algorithm }) => algorithm))],
  };
}

/** Why there is no outcome. */
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

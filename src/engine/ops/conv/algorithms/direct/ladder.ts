/** The steps from the simplest direct convolution to a tuned one: the variants of `direct`, with explanations. */
import type { Direction } from '../../problem.ts';
import { NAMES } from './names.ts';

/** A step of the ladder. */
export interface Rung {
  step: string;
  /** One sentence: what the step changes, and why that helps or not. */
  why: string;
  /** Names of the variants of this step; the fastest counts. */
  launches: string[];
}

interface Step {
  step: string;
  why: string;
  has(launch: string): boolean;
}

/** Steps of several launches. */
export const TUNED = 'tile width tuned for the layer';
export const WHOLE = 'all channels before multiplying, weights in a uniform, tile width tuned';

const is = (name: string) => (launch: string) => launch === name;
const startsWith = (name: string) => (launch: string) => launch.startsWith(`${name}, `);

const OUTPUTS: readonly Step[] = [
  {
    step: NAMES.plain,
    why:
      'Each thread computes one output and reads every input from global memory. Neighbouring threads read nearly the ' +
      'same values, and only the caches exploit that.',
    has: is(NAMES.plain),
  },
  {
    step: NAMES.tile,
    why:
      'A workgroup first copies the input of its 16x16 outputs (8x16 in compatibility mode) to workgroup memory. It ' +
      'repeats that for every channel and every filter; with many channels, copies and barriers can cost more than ' +
      'they save.',
    has: is(NAMES.tile),
  },
  {
    step: NAMES.staged,
    why:
      'The workgroup copies the tile of all channels at once and waits for it once. It makes as many copies ' +
      'with fewer barriers, but so much workgroup memory leaves room for few workgroups at a time.',
    has: is(NAMES.staged),
  },
  {
    step: NAMES.uniform,
    why:
      'All threads of a workgroup read the same weight at the same time, which is what the uniform cache is for. A ' +
      'uniform buffer holds 64 KiB (16 KiB in compatibility mode), so layers with more weights cannot use it.',
    has: is(NAMES.uniform),
  },
  {
    step: TUNED,
    why:
      'A tile that fits the image leaves fewer threads idle. A smaller tile lets more workgroups run at the same time ' +
      'but copies more border. The best width depends on the layer, so it is measured.',
    has: startsWith(NAMES.uniform),
  },
  {
    step: WHOLE,
    why:
      'A kernel for each layer, with its sizes as constants and its own tile: the workgroup copies the tile of all ' +
      'channels at once, waits for it once, and multiplies without another barrier.',
    has: startsWith(NAMES.whole),
  },
  {
    step: NAMES.blocked,
    why:
      'Each thread computes several pixels of several filters, so every value that it loads is used in many sums, and ' +
      'the input is copied once per block of filters. The kernel becomes compute-bound instead of memory-bound.',
    has: startsWith(NAMES.blocked),
  },
];

const WEIGHTS: readonly Step[] = [
  {
    step: NAMES.weight,
    why:
      'Each thread computes one weight’s gradient by looping over all outputs of its slice of the batch: long loops in ' +
      'few threads, since a layer has far fewer weights than outputs.',
    has: is(NAMES.weight),
  },
  {
    step: NAMES.shared,
    why:
      'The threads of a workgroup loop over the outputs side by side, so their reads are coalesced, and each output’s ' +
      'gradient is read once for all weights of a filter and channel. At the end, the workgroup adds its partial sums.',
    has: is(NAMES.shared),
  },
  {
    step: NAMES.row,
    why:
      'Each thread computes a row of several filters, so every gradient and every input that it loads is used in many ' +
      'sums. A workgroup copies both to its memory once, for all channels and filters that it has.',
    has: is(NAMES.row),
  },
];

/**
 * The ladder of the available variants, from its lowest rung.
 * @param launches names of variants of `direct`, in any order; those of other algorithms are ignored
 */
export function ladder(direction: Direction, launches: readonly string[]): Rung[] {
  return (direction === 'wgrad' ? WEIGHTS : OUTPUTS)
    .map(({ step, why, has }) => ({ step, why, launches: launches.filter(has) }))
    .filter((rung) => rung.launches.length > 0);
}

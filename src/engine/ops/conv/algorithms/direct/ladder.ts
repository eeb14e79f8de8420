/** The steps from the plainest direct convolution to a tuned one: which launches of `direct` they are, and why. */
import type { Direction } from '../../problem.ts';
import { NAMES } from './names.ts';

/** A step of the ladder. */
export interface Rung {
  step: string;
  /** What the step changes, and why that helps or does not: a sentence. */
  why: string;
  /** Names of the launches that are this step: one, or some of which the fastest counts. */
  launches: string[];
}

interface Step {
  step: string;
  why: string;
  has(launch: string): boolean;
}

const is = (name: string) => (launch: string) => launch === name;
const startsWith = (name: string) => (launch: string) => launch.startsWith(`${name}, `);

const OUTPUTS: readonly Step[] = [
  {
    step: NAMES.plain,
    why:
      'Each thread computes one output and reads all that it needs from the GPU’s memory; its neighbours read nearly ' +
      'the same numbers, and only the caches notice.',
    has: is(NAMES.plain),
  },
  {
    step: NAMES.tile,
    why:
      'A workgroup first copies the input that its 16x16 outputs share to its own fast memory; but it does so for each ' +
      'channel in turn and for each filter anew, and with many channels the copying and waiting can cost more than it saves.',
    has: is(NAMES.tile),
  },
  {
    step: NAMES.uniform,
    why:
      'All threads of a workgroup want the same weight at the same time, which is what the cache for uniforms is made ' +
      'for; it holds 64 KiB, so layers with more weights cannot take this step.',
    has: is(NAMES.uniform),
  },
  {
    step: 'tile width tuned for the layer',
    why:
      'A tile that fits the image leaves fewer threads without an output, and a smaller one leaves room for more ' +
      'workgroups at a time but copies more border; which is best differs from layer to layer, so it is measured.',
    has: startsWith(NAMES.uniform),
  },
  {
    step: NAMES.blocked,
    why:
      'Each thread computes several pixels of several filters, so every number that it reads serves many sums and the ' +
      'input is copied once for a whole block of filters: arithmetic becomes the limit instead of reading.',
    has: startsWith(NAMES.blocked),
  },
];

const WEIGHTS: readonly Step[] = [
  {
    step: NAMES.weight,
    why:
      'Each thread computes one weight’s gradient by walking over all outputs of its slice of the batch: a long way for ' +
      'few threads, since a layer has far fewer weights than outputs.',
    has: is(NAMES.weight),
  },
  {
    step: NAMES.shared,
    why:
      'The threads of a workgroup walk over the outputs side by side, so neighbours read neighbouring numbers, and each ' +
      'output’s gradient is read once for all weights of a filter and channel; then they add their sums up.',
    has: is(NAMES.shared),
  },
];

/**
 * The ladder from its foot, made of the launches that there are.
 * @param launches names of launches of `direct`, in any order; those of other algorithms are left out
 */
export function ladder(direction: Direction, launches: readonly string[]): Rung[] {
  return (direction === 'wgrad' ? WEIGHTS : OUTPUTS)
    .map(({ step, why, has }) => ({ step, why, launches: launches.filter(has) }))
    .filter((rung) => rung.launches.length > 0);
}

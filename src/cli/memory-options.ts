/** How much of the GPU's memory a run takes, and what is said of that. */
import type { MemoryNeed } from '../engine/need.ts';
import { RECOMPUTE, type SessionConfig } from '../train/config.ts';
import { memoryText } from '../train/fit.ts';
import { bytes, choice, optional, type Values } from './arguments.ts';

export const memoryOptions = {
  'memory-limit': optional(
    bytes('BYTES', "the GPU's memory that the run may take, its data included; K, M and G may follow"),
  ),
  recompute: optional(
    choice(
      RECOMPUTE,
      'whether backward computes again what is not kept, to the same bits (default auto: as little as makes the run fit)',
    ),
  ),
};

export const readMemory = ({
  'memory-limit': memoryLimit,
  recompute,
}: Values<typeof memoryOptions>): Pick<SessionConfig, 'memoryLimit' | 'recompute'> => ({
  ...(memoryLimit === undefined ? {} : { memoryLimit }),
  ...(recompute === undefined ? {} : { recompute }),
});

/** For people. */
export const needText = ({ bytes: all, again }: MemoryNeed): string =>
  `It needs ${memoryText(all)} of GPU memory${again > 0 ? `, with ${again} dispatches of a step done again` : ''}`;

/** For the last line of results. */
export const needLine = ({ bytes: all, kinds, again }: MemoryNeed) => ({
  bytes: all,
  ...kinds,
  dispatches_again: again,
});

/** How much GPU memory a run needs, as reported. */
import type { MemoryNeed } from '../engine/need.ts';
import { memoryText } from '../train/proposal.ts';

/** For display. */
export const needText = ({ bytes: all, recomputed }: MemoryNeed): string =>
  `It needs ${memoryText(all)} of memory${recomputed > 0 ? `, with ${recomputed} dispatches per step recomputed` : ''}`;

/** For the last result line. */
export const needLine = ({ bytes: all, kinds, recomputed }: MemoryNeed) => ({
  bytes: all,
  ...kinds,
  dispatches_again: recomputed,
});

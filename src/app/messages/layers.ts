import { termHref } from '../glossary-link.ts';
import type { InLayers } from '../widgets/Popover.tsx';

/** An explanation in everyday words and precisely. @param word of the glossary */
export const inLayers = (everyday: InLayers['everyday'], more: InLayers['more'], word: string): InLayers => ({
  everyday,
  more,
  link: termHref(word),
});

import { termHref } from '../glossary-link.ts';
import type { abouts } from '../messages/en/abouts.tsx';
import type { InLayers } from '../widgets/Popover.tsx';
import { later } from '../components/later.tsx';

const Layer = later('An explanation', async () => (await import('./AboutLayer.tsx')).AboutLayer);

/** What the pad is; fetched when somebody asks. @param word of the glossary */
export const about = (of: keyof typeof abouts, word: string): InLayers => ({
  everyday: <Layer of={of} layer="everyday" />,
  more: <Layer of={of} layer="more" />,
  link: termHref(word),
});

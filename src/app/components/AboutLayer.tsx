import { abouts } from '../messages/abouts.ts';

interface AboutLayerProps {
  of: keyof typeof abouts;
  layer: 'everyday' | 'more';
}

/** One layer of what a panel is. */
export const AboutLayer = ({ of, layer }: AboutLayerProps) => abouts[of][layer];

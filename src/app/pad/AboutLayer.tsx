import { abouts } from '../messages/en/abouts.tsx';

interface AboutLayerProps {
  of: keyof typeof abouts;
  layer: 'everyday' | 'more';
}

/** One layer of what the pad is. */
export const AboutLayer = ({ of, layer }: AboutLayerProps) => abouts[of][layer];

/** The first sentence: what the page is. */
import { inLanguage } from '../language.ts';

export const first = inLanguage('first', {
  label: 'What this is',
  digits:
    'This neural network reads handwritten digits. Draw one, fool it, then train your own from nothing.',
  images: 'A neural network learns here to tell images apart. Train one, watch it learn, then test it.',
  show: 'Show me in a minute',
  dismiss: 'Dismiss',
});

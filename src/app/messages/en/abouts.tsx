/** What the pad is, for whoever asks. */
import { inLanguage } from '../language.ts';

export const abouts = inLanguage('abouts', {
  digit: {
    everyday:
      'Draw a digit: the network says at once what it reads, and how sure it is. While it learns, watch its answer change.',
    more: 'The prediction of the trained network or of the run, for the drawing as it is. Bars are the probabilities of the classes.',
  },
  image: {
    everyday: 'Draw something, or give it a picture: the network says what it sees, and how sure it is.',
    more: 'Draw, upload an image or pick a test image to see what the current model predicts. Bars are the probabilities of the classes.',
  },
});

/** The texts of images from files and the camera, in the page's language. */
import english from './en/pad.tsx';
import { inLanguage } from './language.ts';

export const pad = inLanguage('pad', english);

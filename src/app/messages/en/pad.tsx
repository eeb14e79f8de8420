/** The texts of images that come to the pad from files and the camera. */
import { inLanguage } from '../language.ts';

export const pad = inLanguage('pad', {
  unavailable: 'Camera unavailable',
  preview: 'Camera preview',
  hold: 'Hold something up to the camera. Images stay on your device.',
  allow: 'Allow camera access in your browser. Images stay on your device.',
  take: 'Take picture',
  cancel: 'Cancel',
  fromCamera: 'From the camera',
  inverted: (origin: string) => `${origin}, inverted`,
  formats: 'PNG and JPEG always work; WebP, GIF, BMP and AVIF in most browsers.',
  unreadable: (reason: string) => `This image cannot be read. It ${reason}.`,
});

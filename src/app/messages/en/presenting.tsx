/** The texts of presenting: Train for an audience. */
import { inLanguage } from '../language.ts';

export const presenting = inLanguage('presenting', {
  begin: 'Present',
  title: 'Larger type, and only what an audience follows. P begins and ends it.',
  end: 'End presenting',
  about: 'begin or end: larger type, for a projector or a class',
});

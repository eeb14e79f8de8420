/** The texts around the screens. */
import { inLanguage } from '../language.ts';

export const shell = inLanguage('shell', {
  report: {
    title: 'Report a problem',
    label: 'Report',
    about:
      'Nothing is sent. Copy this into your report, and add what you did, what you expected and what happened. The address has your settings.',
  },
});

/**
 * The table of settings without what the worker never shows: titles and hints, and names in links and on the command line. The page
 * gets all of it.
 */
import type { Plugin } from 'vite';

export const bareSettings = (): Plugin => ({
  name: 'wgrad-bare-settings',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /src\/run\/settings\/table\.ts$/ },
    handler: (code) => ({ code: withoutHints(code), map: null }),
  },
});

/** Each of them is a line, or a key and a line. @throws Error if there are none: the table is written differently now */
export function withoutHints(code: string): string {
  const bare = code.replaceAll(/^ {4}(title|hint|optionHint|empty|short|link|option):\s+'.*',\n/gm, '');
  if (bare === code) throw new Error('expected hints in the table of settings, each on lines of its own');
  return bare;
}

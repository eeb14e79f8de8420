/**
 * Strips the table of settings of what the worker never shows: titles, hints, and names in links and on the command
 * line. The page gets the whole table.
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

/**
 * Each of them is a line, or a key and a line. @throws Error if there are none, because the table's format has changed
 */
export function withoutHints(code: string): string {
  const bare = code
    .replaceAll(/^ {4}(title|hint|optionHint|empty|short|link|option):\s+'.*',\n/gm, '')
    .replaceAll(/^ {4}about: \{\n(?: {6,}.*\n)+ {4}\},\n/gm, '');
  if (bare === code) throw new Error('expected hints in the table of settings, each on lines of its own');
  return bare;
}

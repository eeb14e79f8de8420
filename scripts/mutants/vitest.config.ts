/** The project's tests, with one text of one file replaced as it is loaded: WGRAD_MUTANT is a number in all.mjs, or empty. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig, type Plugin } from 'vitest/config';
import all from '../../vitest.config.ts';
import { MUTANTS } from './all.mjs';

const mutant: Plugin = {
  name: 'wgrad-mutant',
  enforce: 'pre',
  async load(id) {
    const { WGRAD_MUTANT: number = '' } = process.env;
    if (number === '') return undefined;
    const { file, replace, by } = MUTANTS[Number(number)];
    const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
    if (id.replace(/\?.*$/, '') !== path) return undefined;
    const text = (await readFile(path, 'utf8')).replace(replace, () => by);
    return id.includes('?raw') ? `export default ${JSON.stringify(text)}` : text;
  },
};

export default mergeConfig(all, defineConfig({ plugins: [mutant] }));

/**
 * Strips comments and indentation from WGSL in builds: they are a third of it. Line numbers do not change, so that
 * messages name lines of the files, and comments that the linker reads (src/gpu/link.ts) stay. Imports with `?raw&whole`
 * get the files unchanged, for display.
 */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const BARE = /\.wgsl\?raw(&later)?$/;

export function bareShaders(): Plugin {
  return {
    name: 'wgrad-bare-shaders',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: BARE },
      async handler(id) {
        const text = await readFile(id.replace(/\?.*$/, ''), 'utf8');
        return `export default ${JSON.stringify(bare(text))}`;
      },
    },
  };
}

/** @throws Error for block comments, which shaders here do not use */
export function bare(wgsl: string): string {
  if (wgsl.includes('/*')) throw new Error('expected comments to the end of the line only, found /*');
  return wgsl
    .split('\n')
    .map((line) => (/^\s*\/\/ @/.test(line) ? line : line.replace(/\/\/.*$/, '')).trim())
    .join('\n');
}

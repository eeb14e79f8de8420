/**
 * WGSL without its comments, in what is built: a third of it, and compilers do not read them. Lines stay where they
 * are, so that messages name lines of the files, and those comments that the linker acts on (src/gpu/link.ts) stay.
 * People read the files as they are: what asks for `?raw&whole` gets them so.
 */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const BARE = /\.wgsl\?raw$/;

export function bareShaders(): Plugin {
  return {
    name: 'wgrad-bare-shaders',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: BARE },
      async handler(id) {
        const text = await readFile(id.replace(/\?.*$/, ''), 'utf8');
        return `export default ${JSON.stringify(withoutComments(text))}`;
      },
    },
  };
}

/** @throws Error for what is not expected of a shader here: comments that end before their line does */
export function withoutComments(wgsl: string): string {
  if (wgsl.includes('/*')) throw new Error('expected comments to the end of the line only, found /*');
  return wgsl
    .split('\n')
    .map((line) => (/^\s*\/\/ @/.test(line) ? line : line.replace(/\s*\/\/.*$/, '')))
    .join('\n');
}

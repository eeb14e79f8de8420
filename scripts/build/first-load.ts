/** Fails a build whose page loads more JavaScript than it should before anything can be done. */
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Bytes, gzipped: the page's own scripts, less the worker, which loads beside them. */
export const MOST_BYTES = 250_000;

export interface Chunk {
  fileName: string;
  code: string;
  isEntry: boolean;
  /** File names of what it loads at once. */
  imports: readonly string[];
}

/** The gzipped bytes of each chunk that the entries load at once, themselves included. */
export function firstLoad(chunks: readonly Chunk[]): Map<string, number> {
  const sizes = new Map<string, number>();
  const visit = (fileName: string) => {
    const chunk = chunks.find((one) => one.fileName === fileName);
    if (!chunk || sizes.has(fileName)) return;
    sizes.set(fileName, gzipSync(chunk.code).length);
    chunk.imports.forEach(visit);
  };
  for (const { fileName, isEntry } of chunks) if (isEntry) visit(fileName);
  return sizes;
}

export function smallFirstLoad(): Plugin {
  return {
    name: 'wgrad-first-load',
    apply: 'build',
    writeBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const sizes = firstLoad(chunks);
      const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      const list = [...sizes].map(([name, size]) => `${name} ${size}`).join(', ');
      if (bytes > MOST_BYTES) {
        this.error(
          `expected at most ${MOST_BYTES} bytes of gzipped JavaScript before anything can be done, found ${bytes}: ${list}`,
        );
      }
      this.info(
        `${bytes} bytes of gzipped JavaScript before anything can be done, of ${MOST_BYTES}: ${list}`,
      );
    },
  };
}

/** Fails a build whose page loads too much JavaScript before training is possible. */
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { PEERS } from './peers-apart.ts';

/** Gzipped bytes: the scripts that the page and its worker load first. */
export const MAX_BYTES = 250_000;

export interface BuiltChunk {
  fileName: string;
  code: string;
  isEntry: boolean;
  /** File names of the chunks that it loads at once. */
  imports: readonly string[];
  /** The module that an entry is for. */
  facadeModuleId?: string | null;
}

/** Entries of their own, which nobody who opens the page loads: cards in other pages, and their worker. */
const APART = /embed\.html$|\/trained-alone\.ts$/;

/** The gzipped bytes of each chunk that the entries load at once, themselves included. */
export function firstLoad(chunks: readonly BuiltChunk[]): Map<string, number> {
  const sizes = new Map<string, number>();
  const visit = (fileName: string) => {
    const chunk = chunks.find((one) => one.fileName === fileName);
    if (!chunk || sizes.has(fileName)) return;
    sizes.set(fileName, gzipSync(chunk.code).length);
    chunk.imports.forEach(visit);
  };
  for (const { fileName, isEntry, facadeModuleId } of chunks)
    if (isEntry && !APART.test(facadeModuleId ?? '')) visit(fileName);
  return sizes;
}

/** The properties of a build's files that are checked. */
type Bundle = Readonly<Record<string, ({ type: 'chunk' } & BuiltChunk) | { type: 'asset' }>>;

const chunksOf = (bundle: Bundle): BuiltChunk[] =>
  Object.values(bundle).filter((output) => output.type === 'chunk');

/**
 * Workers are separate bundles, built before the page's bundle is written: one plugin for each, which share their
 * state.
 */
export function smallFirstLoad(): { page: Plugin; worker: Plugin } {
  const workers = new Map<string, number>();
  return {
    worker: {
      name: 'wgrad-first-load-worker',
      apply: 'build',
      generateBundle(_, bundle) {
        const chunks = chunksOf(bundle);
        if (chunks.some(({ fileName }) => fileName.startsWith(PEERS))) return;
        for (const [name, bytes] of firstLoad(chunks)) workers.set(name, bytes);
      },
    },
    page: {
      name: 'wgrad-first-load',
      apply: 'build',
      writeBundle(_, bundle) {
        if (workers.size === 0) this.error('expected a worker beside the page, found none to count');
        const page = firstLoad(chunksOf(bundle));
        const sum = (sizes: ReadonlyMap<string, number>) =>
          [...sizes.values()].reduce((total, size) => total + size, 0);
        const bytes = sum(page) + sum(workers);
        const list = [...page, ...workers].map(([name, size]) => `${name} ${size}`).join(', ');
        const found =
          `${bytes} bytes of gzipped JavaScript before somebody can train ` +
          `(page ${sum(page)}, worker ${sum(workers)}): ${list}`;
        if (bytes > MAX_BYTES) this.error(`expected at most ${MAX_BYTES}, found ${found}`);
        this.info(`${found}; at most ${MAX_BYTES}`);
      },
    },
  };
}

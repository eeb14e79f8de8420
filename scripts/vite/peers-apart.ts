/**
 * Puts what the contenders of the frameworks race consist of into a folder of its own, peers/: tens of megabytes that are
 * fetched when somebody starts the race, and that no service worker keeps.
 */
import type { Plugin } from 'vite';

/** Begins the file names, from the built page's folder. */
export const PEERS = 'peers/';

const ENTRY = /\/peers\/worker\.ts$/;

/** For workers, of which each is a bundle and has plugins of its own. */
export function peersApart(): Plugin {
  let apart = false;
  return {
    name: 'wgrad-peers-apart',
    apply: 'build',
    options({ input }) {
      apart = [input].flat().some((file) => typeof file === 'string' && ENTRY.test(file));
      return null;
    },
    outputOptions(options) {
      if (!apart) return null;
      const names = `${PEERS}[name]-[hash]`;
      return {
        ...options,
        entryFileNames: `${names}.js`,
        chunkFileNames: `${names}.js`,
        assetFileNames: `${names}[extname]`,
      };
    },
  };
}

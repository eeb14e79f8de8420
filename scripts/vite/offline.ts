/**
 * Generates the page's service worker from a build. Each build has one cache, filled completely before it is used and
 * unchanged until no page of that build is open: a page gets all its files from its own build. A library would add
 * strategies for files that change between builds, which do not exist here.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';
import { ISOLATION } from './isolation.ts';
import { PEERS } from './peers-apart.ts';

/** Files that the page does not need. */
const LEFT_OUT = new RegExp(`\\.(map|txt)$|^sw\\.js$|^${PEERS}`);

/** Writes sw.js next to the page when everything else is written. */
export function offline(): Plugin {
  let folder = '';
  return {
    name: 'wgrad-offline',
    apply: 'build',
    configResolved: ({ root, build }) => void (folder = resolve(root, build.outDir)),
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const files = filesIn(folder).filter((file) => !LEFT_OUT.test(file));
        // A failed build has no page, and nothing to cache.
        if (!files.includes('index.html')) return;
        const hash = createHash('sha256');
        for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
        await writeFile(join(folder, 'sw.js'), workerOf(files, hash.digest('hex').slice(0, 16)));
      },
    },
  };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** @param version of the build; changes with any byte of it */
export const workerOf = (files: readonly string[], version: string): string =>
  SOURCE.replace("'FILES'", JSON.stringify(files))
    .replace("'ISOLATION'", JSON.stringify(ISOLATION))
    .replace('PEERS', PEERS)
    .replace('VERSION', version);

const SOURCE = readFileSync(new URL('./service-worker.js', import.meta.url), 'utf8');

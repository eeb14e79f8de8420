/**
 * Generates the page's service worker from a build. Each build has one cache, filled completely before it is used and
 * unchanged until no page of that build is open: a page gets all its files from its own build, each with the hash that it had
 * there. A library would add
 * strategies for files that change between builds, which do not exist here.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { EMBED_HEADERS, HEADERS, PEERS_HEADERS } from './headers.ts';
import { PICTURE } from './link-card.ts';
import { PEERS } from './peers-apart.ts';

/** Files that the page does not need, or fetches when a person chooses them: larger networks to start from. */
const LEFT_OUT = new RegExp(
  `\\.(map|txt)$|^sw\\.js$|^_headers$|^README\\.md$|^${PICTURE.file}$|^${PEERS}|^trained/(?!lenet5)`,
);

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
        // A failed build has no page, and nothing to cache.
        if (!existsSync(join(folder, 'index.html'))) return;
        const files = filesIn(folder).filter((file) => !LEFT_OUT.test(file));
        const hashes = Object.fromEntries(
          files.map((file) => [file, hashesOf(file, readFileSync(join(folder, file)))]),
        );
        await writeFile(join(folder, 'sw.js'), workerOf(hashes));
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

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** In hexadecimal digits: of an archive also when it is unpacked, as hosts that send Content-Encoding let the browser do. */
export const hashesOf = (file: string, bytes: Buffer): string[] =>
  [bytes, ...(file.endsWith('.gz') ? [gunzipSync(bytes)] : [])].map(sha256);

/** @param hashes the SHA-256 of each file, see `hashesOf`; the version of the build changes with any of them */
export function workerOf(hashes: Readonly<Record<string, string[]>>): string {
  const files = JSON.stringify(hashes);
  return SOURCE.replace("'FILES'", () => files)
    .replace("'HEADERS'", JSON.stringify(HEADERS))
    .replace("'PEERS_HEADERS'", JSON.stringify(PEERS_HEADERS))
    .replace("'EMBED_HEADERS'", JSON.stringify(EMBED_HEADERS))
    .replace("'PEERS'", JSON.stringify(PEERS))
    .replace('VERSION', sha256(files).slice(0, 16));
}

const SOURCE = readFileSync(new URL('./service-worker.js', import.meta.url), 'utf8');

/** Lists the packages in a build with their licences, which ask for that: a text beside the page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Beside the page. */
export const LICENCES = 'licences.txt';

const TEXTS = /^(licen[cs]e|copying|notice|third.?party.?notices?)(\.(md|txt))?$/i;

interface Package {
  name: string;
  version: string;
  licence: string;
  /** What it asks to be reproduced. */
  texts: string[];
}

/** The folder of the package that a module belongs to; undefined for the page's own. */
export function packageFolder(id: string): string | undefined {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/')) ?? [];
  return folder;
}

/** What a module that was bundled before says it contains, as esbuild notes it. */
const BUNDLED = /^\/\/ (?:\.\.\/)*(node_modules\/(?:@[^/\s]+\/)?[^/\s]+)\//gm;

/** The folders of a module's own package, and of those inside of it. */
export function packageFolders(id: string): string[] {
  const folder = packageFolder(id);
  if (!folder || !existsSync(join(folder, 'package.json'))) return [];
  const modules = folder.slice(0, folder.lastIndexOf('node_modules/'));
  const path = id.replace(/[?#].*$/, '');
  const inside = existsSync(path) ? [...readFileSync(path, 'utf8').matchAll(BUNDLED)] : [];
  return [folder, ...inside.map(([, name]) => join(modules, name)).filter((one) => existsSync(one))];
}

/** @throws Error if the package does not say under which licence it is */
export function packageIn(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  if (!license) throw new Error(`expected a licence in the package.json of ${name}, found none`);
  const files = readdirSync(folder).filter((file) => TEXTS.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { name, version, licence: license, texts };
}

export function listOf(packages: readonly Package[], own: string): string {
  const sorted = [...packages].sort((a, b) => (a.name < b.name ? -1 : 1));
  const line = '-'.repeat(80);
  const entries = sorted.map(({ name, version, licence, texts }) =>
    [`${line}\n${name} ${version} (${licence})`, ...texts].join('\n\n'),
  );
  const summary = sorted.map(({ name, version, licence }) => `${name} ${version}: ${licence}`).join('\n');
  return `wgrad\n\n${own.trim()}\n\nIt contains these packages:\n\n${summary}\n\n${entries.join('\n\n')}\n`;
}

/** Workers are separate bundles, built before the page's is written: one plugin for each, which share their state. */
export function licences(): { page: Plugin; worker: () => Plugin } {
  const folders = new Set<string>();
  const collect = (bundle: object) => {
    for (const output of Object.values(bundle) as { type: string; moduleIds?: string[] }[])
      for (const id of output.moduleIds ?? []) for (const folder of packageFolders(id)) folders.add(folder);
  };
  return {
    worker: () => ({
      name: 'wgrad-licences-worker',
      apply: 'build',
      generateBundle: (_, bundle) => collect(bundle),
    }),
    page: {
      name: 'wgrad-licences',
      apply: 'build',
      generateBundle(_, bundle) {
        collect(bundle);
        const own = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8');
        this.emitFile({
          type: 'asset',
          fileName: LICENCES,
          source: listOf([...folders].map(packageIn), own),
        });
      },
    },
  };
}

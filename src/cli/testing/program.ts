import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll } from 'vitest';

/**
 * The command line, built for the tests of a file: from source, as scripts/wgrad.mjs runs it, each start takes seconds.
 * @returns the path of the program
 */
export function builtProgram(): string {
  // Beside the package `webgpu`, which it imports.
  const folder = fileURLToPath(new URL(`../../../node_modules/.cache/wgrad-${process.pid}`, import.meta.url));
  beforeAll(async () => {
    const configFile = fileURLToPath(new URL('../../../vite.cli.config.ts', import.meta.url));
    await build({ configFile, logLevel: 'silent', build: { outDir: folder, emptyOutDir: true } });
  });
  afterAll(() => rm(folder, { recursive: true }));
  return join(folder, 'wgrad.mjs');
}

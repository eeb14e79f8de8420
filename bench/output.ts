/** Where a benchmark writes: beside the published results, so that repeating it overwrites none of them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('./dist/results', import.meta.url));

/** The path of a result's file, in a folder that git ignores. To publish it, move it to bench/results. */
export function outputPath(name: string): string {
  mkdirSync(FOLDER, { recursive: true });
  return join(FOLDER, name);
}

/** Prints the tables of what benchmarks printed into files. */
import { readFileSync } from 'node:fs';
import { Failure } from '../../src/base/result.ts';
import { readLines } from './lines.ts';
import { pageOf } from './page.ts';

export function main(names: readonly string[]): void {
  try {
    if (names.length === 0) throw new Failure('bad-input', 'expected files with JSON lines, found none');
    const lines = readLines(names.map((name) => ({ name, text: readFileSync(name, 'utf8') })));
    requireOneGpu(lines.adapters);
    console.log(pageOf(lines));
  } catch (error) {
    if (!(error instanceof Failure) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    console.error((error as Error).message);
    process.exitCode = 2;
  }
}

/** Ratios between machines mean nothing. Drivers may have been updated. */
function requireOneGpu(adapters: ReadonlySet<string>): void {
  const gpus = new Set([...adapters].map((adapter) => adapter.replace(/ \(.*\)$/, '').toLowerCase()));
  if (gpus.size <= 1) return;
  const found = [...adapters].join(' and ');
  throw new Failure('bad-input', `expected times of one GPU, found ${found}`, 'Leave out the other files.');
}

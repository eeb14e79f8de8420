/** Draws the curves of runs and prints a table of them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Failure } from '../../src/base/result.ts';
import { drawCurves } from './draw.ts';
import { outputPath } from '../output.ts';
import { firstAt, readRun } from './runs.ts';

/** NAME TARGET TITLE FILE ...; the target in percent. */
export function main([name, percent, title, ...files]: readonly string[]): void {
  try {
    const target = Number(percent) / 100;
    if (files.length === 0 || !(target > 0 && target < 1)) {
      throw new Failure('bad-input', 'expected: curves.mjs NAME TARGET-PERCENT TITLE FILE.jsonl ...');
    }
    const runs = files.map((file) => readRun(basename(file, '.jsonl'), readFileSync(file, 'utf8')));
    const adapters = [...new Set(runs.map(({ adapter }) => adapter))];
    const path = outputPath(`${name}.svg`);
    writeFileSync(path, drawCurves(`${title}, ${adapters.join(' and ')}`, runs, target));
    const share = (accuracy: number) => `${(100 * accuracy).toFixed(2)} %`;
    console.error(path);
    console.log(
      `| run | epochs | in the end | the best | ${percent} % after | training time in all |\n| --- | --: | --: | --: | --: | --: |`,
    );
    for (const run of runs) {
      const last = run.epochs[run.epochs.length - 1];
      const best = Math.max(...run.epochs.map(({ accuracy }) => accuracy));
      const there = firstAt(run, target);
      const reached = there ? `${there.seconds.toFixed(2)} s, ${there.epoch} epochs` : 'never';
      console.log(
        `| ${run.name} | ${last.epoch} | ${share(last.accuracy)} | ${share(best)} | ${reached} | ${last.seconds.toFixed(2)} s |`,
      );
    }
  } catch (error) {
    if (!(error instanceof Failure) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    console.error((error as Error).message);
    process.exitCode = 2;
  }
}

/** Networks of growing depth and width, and a drawing of how the time of their training steps grows. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../src/base/result.ts';
import { toJson } from '../../src/models/file/write.ts';
import { cifarResnet } from '../../src/models/resnet.ts';
import { outputPath } from '../output.ts';
import { readLines } from '../tables/lines.ts';
import { drawGrowth } from './draw.ts';
import { growthOf } from './series.ts';

/** Blocks per group: 20 to 110 layers (He et al., 2015, table 6). */
const BLOCKS = [3, 5, 7, 9, 18];
/** Of ResNet-20's channels. */
const WIDTHS = [1, 2, 4, 8, 16];

export function main([what, ...words]: readonly string[]): void {
  try {
    if (what === 'models' && words.length === 1) writeModels(words[0]);
    else if (what === 'draw' && words.length > 0) draw(words);
    else
      throw new Failure('bad-input', 'expected: growth.mjs models DIR, or: growth.mjs draw FILE.jsonl ...');
  } catch (error) {
    if (!(error instanceof Failure) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    console.error((error as Error).message);
    process.exitCode = 2;
  }
}

/** Prints the path of each file. */
function writeModels(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const deep = BLOCKS.map((blocks) => cifarResnet(blocks, `${blocks} blocks per group.`));
  const wide = WIDTHS.slice(1).map((times) => cifarResnet(BLOCKS[0], `${times} times the channels.`, times));
  for (const model of [...deep, ...wide]) {
    const path = join(folder, `${model.name}.json`);
    writeFileSync(path, toJson(model));
    console.log(path);
  }
}

function draw(files: readonly string[]): void {
  const lines = readLines(files.map((name) => ({ name, text: readFileSync(name, 'utf8') })));
  const series = growthOf(lines.profiles);
  const path = outputPath('growth.svg');
  writeFileSync(path, drawGrowth([...lines.adapters].join(' and '), series));
  console.error(path);
  console.log(
    '| what grows | to | step (ms) | n | at the best rates (ms) | dispatches |\n| --- | --: | --: | --: | --: | --: |',
  );
  for (const { title, points } of series)
    for (const { at, ms, n, least, dispatches } of points)
      console.log(
        `| ${title} | ${at} | ${ms.median.toPrecision(3)} [${ms.p10.toPrecision(3)}, ${ms.p90.toPrecision(3)}] | ${n} | ${least.toPrecision(3)} | ${dispatches} |`,
      );
}

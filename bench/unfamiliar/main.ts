/**
 * `node unfamiliar.mjs [FILE.safetensors ...]`: judges the network that the page comes with, and LeNets that
 * `train --save` has written, by the float64 references. `--statistics` writes those of the first one instead, from MNIST's
 * training images: public/trained/lenet5-familiar.safetensors. MNIST's files are in $WGRAD_DATA_DIR/mnist.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { familiarOf, strangeness, type Familiar } from '../../src/base/familiar.ts';
import { toHalf } from '../../src/base/half.ts';
import { asDrawn } from '../../src/base/pixels/ink.ts';
import { readDataset } from '../../src/cli/data.ts';
import { datasets } from '../../src/data/catalogue.ts';
import type { ImageSet } from '../../src/data/dataset.ts';
import { readSafetensors } from '../../src/data/formats/safetensors.ts';
import lenet5 from '../../src/models/lenet5.ts';
import { WITHIN } from '../../src/worker/familiar/of-run.ts';
import { STATISTICS, statisticsOf, vectorOf } from '../../src/worker/familiar/of-trained.ts';
import { parseTrained, TRAINED, type PretrainedNetwork } from '../../src/worker/trained/trained.ts';
import { pictures, type Picture } from './pictures.ts';

/** Training images for the statistics that the page comes with, and for those of other networks, as in the worker; and the share within the limit. */
const SHIPPED = { images: 6000, within: 0.95 };
const OTHERS = { images: 2000, within: WITHIN };
/** Test images of each data set. */
const TESTED = 2000;

const publicFile = (name: string): string => path.join(import.meta.dirname, '../../public', name);

export async function main(words: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { statistics: { type: 'boolean' } },
  });
  const read = (name: string) => readDataset(datasets.get(name));
  const shipped = parseTrained(readFileSync(publicFile(TRAINED)));
  if (values.statistics) {
    const familiar = await learnt(shipped, (await read('mnist')).train, SHIPPED);
    writeFileSync(publicFile(STATISTICS), halves(familiar, lenet5.classes));
    return;
  }
  const halvesOf = { choosing: await pictures('choosing'), judging: await pictures('judging') };
  const tests = { digits: (await read('digits')).test, mnist: (await read('mnist')).test };
  const judge = (name: string, network: PretrainedNetwork, familiar: Familiar) => {
    const noticed = (images: readonly Uint8Array[]) =>
      images.filter((image) => strangeness(familiar, vectorOf(network, image)) > 1).length;
    const report = (kind: string, images: readonly Uint8Array[], letters = '') => {
      const count = noticed(images);
      console.log(
        `| ${name} | ${kind} | ${images.length} | ${((100 * count) / images.length).toFixed(1)} % | ${letters}`,
      );
    };
    for (const [set, split] of Object.entries(tests))
      report(`test images of ${set}`, split ? imagesOf(split, TESTED) : []);
    for (const [half, all] of Object.entries(halvesOf))
      for (const [kind, some] of Object.entries(byKind(all))) {
        const missed = some.filter(({ image }) => strangeness(familiar, vectorOf(network, image)) <= 1);
        report(
          `${half}: ${kind}`,
          some.map(({ image }) => image),
          kind.startsWith('letters') ? `missed: ${mostOften(missed)}` : '',
        );
      }
  };
  judge('shipped', shipped, statisticsOf(readFileSync(publicFile(STATISTICS))));
  for (const file of positionals) {
    const { tensors, metadata } = readSafetensors(file, readFileSync(file));
    const number = (key: string) => Number(metadata.get(key));
    const network = {
      model: lenet5,
      tensors,
      mean: number('mean'),
      std: number('std'),
      step: 0,
      testAccuracy: number('test_accuracy'),
    };
    const { train } = await read(metadata.get('dataset') ?? 'digits');
    judge(path.basename(file, '.safetensors'), network, await learnt(network, train, OTHERS));
  }
}

const imagesOf = ({ images, count }: ImageSet, most: number): Uint8Array[] => {
  const size = images.length / count;
  const chosen = Math.min(count, most);
  return Array.from({ length: chosen }, (_, i) => Math.floor((i * count) / chosen)).map((i) =>
    images.subarray(i * size, (i + 1) * size),
  );
};

/** The statistics of a network, as the worker makes them. */
function learnt(
  network: PretrainedNetwork,
  train: ImageSet,
  { images, within }: { images: number; within: number },
): Promise<Familiar> {
  const chosen = Math.min(train.count, images);
  const vectors = imagesOf(train, images).map((image) =>
    vectorOf(network, asDrawn(image, network.model.input)),
  );
  const labels = Array.from(
    { length: chosen },
    (_, i) => train.labels[Math.floor((i * train.count) / chosen)],
  );
  return familiarOf(vectors, labels, within);
}

const byKind = (all: readonly Picture[]): Record<string, Picture[]> => {
  const kinds: Record<string, Picture[]> = {};
  for (const one of all) (kinds[one.kind] ??= []).push(one);
  return kinds;
};

/** The letters that were missed most often, with how often. */
function mostOften(missed: readonly Picture[]): string {
  const counts = new Map<string, number>();
  for (const { name } of missed) counts.set(name[0], (counts.get(name[0]) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 8)
    .map(([letter, count]) => `${letter} ${count}`)
    .join(', ');
}

/** As safetensors of float16. */
function halves({ means, directions, variances, rest }: Familiar, classes: number): Uint8Array {
  const values = means.length / classes;
  const tensors = { means, directions, variances, rest: [rest] };
  const shapes = {
    means: [classes, values],
    directions: [directions.length / values, values],
    variances: [variances.length],
    rest: [1],
  };
  let end = 0;
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, data]) => {
      const from = end;
      end += 2 * data.length;
      return [name, { dtype: 'F16', shape: shapes[name as keyof typeof shapes], data_offsets: [from, end] }];
    }),
  );
  const text = Buffer.from(
    JSON.stringify({ ...header, __metadata__: { made: 'bench/unfamiliar.mjs --statistics' } }),
  );
  const start = Buffer.alloc(8);
  start.writeBigUInt64LE(BigInt(text.length));
  const numbers = Object.values(tensors).flatMap((data) => Array.from(data, toHalf));
  return Buffer.concat([start, text, Buffer.from(Uint16Array.from(numbers).buffer)]);
}

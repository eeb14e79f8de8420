/** Imports the user's own images: files by folder, or zip archives. */
import { attempt, Failure } from '../../base/result.ts';
import type { ImageTarget, Prepared } from '../../base/pixels/prepare.ts';
import { imageOf, makeOwnDataset, type OwnDataset, type OwnOptions } from '../../data/own/make.ts';
import type { OwnFile } from '../../data/own/open.ts';
import { chosenReading, understand } from '../../data/own/understand.ts';
import type { FoundSet, GivenFile, OwnReport, OwnRequest } from '../api.ts';
import { decodePicture } from './decode.ts';

/** How many skipped files are listed at most. */
const MAX_LISTED = 100;

/** @throws Failure as `makeOwnDataset` */
export const makeOwn = (
  { files, from, shape, labels, parts }: OwnRequest,
  options: Pick<OwnOptions, 'decode' | 'onProgress' | 'signal'>,
): Promise<OwnDataset> => makeOwnDataset(files.map(asOwn), { ...options, from, shape, labels, parts });

export const asOwn = ({ path, file }: GivenFile): OwnFile => ({
  path,
  bytes: file.size,
  read: async (most) => new Uint8Array(await readable(path, most === undefined ? file : file.slice(0, most))),
});

const SAMPLES = 8;
/** The size of samples, in colour. */
const SAMPLE_SHAPE = [3, 32, 32];

/** @throws Failure as `understand` of src/data/own */
export async function foundIn({
  files,
  from,
  labels,
}: Pick<OwnRequest, 'files' | 'from' | 'labels'>): Promise<FoundSet> {
  const understood = await understand(from, files.map(asOwn));
  const { readings, question, skipped } = understood;
  const chosen = chosenReading(from, understood, { labels: labels ?? readings[0].id });
  const all = chosen.parts.flatMap((part) => (part.role === 'train' ? part.samples : []));
  const shown: { label: number; image: Uint8Array }[] = [];
  for (let i = 0; i < 2 * SAMPLES && shown.length < SAMPLES; i++) {
    // From all of the set; some may be unreadable.
    const sample = all[Math.floor(((i * all.length) / (2 * SAMPLES)) * 2) % all.length];
    const read = await attempt(() => imageOf(sample.source, { shape: SAMPLE_SHAPE }, decodePicture));
    if (read.ok) shown.push({ label: chosen.classes.indexOf(sample.label), image: read.value.image });
  }
  const plane = 32 * 32;
  return {
    readings: readings.map((reading) => ({
      ...reading,
      parts: reading.parts.map(({ name, role, samples, unlabelled }) => ({
        name,
        role,
        unlabelled,
        images: reading.classes.map((one) => samples.filter(({ label }) => label === one).length),
      })),
    })),
    isQuestion: question !== undefined && labels === undefined,
    samples: {
      shape: SAMPLE_SHAPE,
      labels: Uint8Array.from(shown, ({ label }) => label),
      images: new Uint8Array(shown.flatMap(({ image }) => [...image])),
    },
    isGrey: shown.every(({ image }) =>
      image
        .subarray(0, plane)
        .every((level, i) => level === image[plane + i] && level === image[2 * plane + i]),
    ),
    skipped: skipped.length,
  };
}

/** @throws Failure `bad-file` with a reason that completes a sentence after the file's name */
export const preparedFile = (file: Blob, target: ImageTarget): Promise<Prepared> =>
  imageOf(
    { path: '', bytes: file.size, read: async () => new Uint8Array(await readable('it', file)) },
    target,
    decodePicture,
  );

export function reportOf({ info, counts, skipped }: OwnDataset): OwnReport {
  return {
    counts: info.classes.map((name, i) => ({ name, images: counts[i] })),
    skipped: skipped.slice(0, MAX_LISTED),
    more: Math.max(0, skipped.length - MAX_LISTED),
  };
}

async function readable(path: string, file: Blob): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch (cause) {
    throw new Failure('bad-file', `${path} cannot be read`, 'Do not move it during import.', { cause });
  }
}

/** Data sets whose files have labels and images together, as CIFAR-10's; apart from load.ts, because digits are not such. */
import { elements } from '../base/shape.ts';
import type { DatasetInfo, FileRole, ImageSet } from './dataset.ts';
import { publishedCount, splitOf, type Split } from './files.ts';
import { countRecords } from './formats/record-count.ts';
import { splitRecords } from './formats/records.ts';
import { plainBytes } from './load.ts';

/** A set of records with label and image, in one or several files. */
export async function assembleBatches(
  info: DatasetInfo,
  files: ReadonlyMap<FileRole, Uint8Array>,
  split: Split,
  counts: 'published' | 'any',
): Promise<ImageSet> {
  const pixels = elements(info.shape);
  const roles = info.files.map(({ role }) => role).filter((role) => splitOf(role) === split);
  // A reduced set may have fewer files, but without gaps.
  const last = counts === 'published' ? roles.length - 1 : roles.findLastIndex((role) => files.has(role));
  const parts: { name: string; plain: Uint8Array; count: number }[] = [];
  for (const role of roles.slice(0, Math.max(last, 0) + 1)) {
    const { name, plain } = await plainBytes(info, files, role, counts);
    const expected = counts === 'published' ? publishedCount(info, role) : null;
    parts.push({ name, plain, count: countRecords(name, plain, pixels, expected) });
  }
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const set = { images: new Uint8Array(count * pixels), labels: new Uint8Array(count), count };
  let first = 0;
  for (const part of parts) {
    splitRecords(part.name, part.plain, set, first, info.classes.length);
    first += part.count;
  }
  return set;
}

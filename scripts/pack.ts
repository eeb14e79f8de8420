/** How scripts write the data sets that the page ships with. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Shape } from '../src/base/shape.ts';
import { statistics } from './statistics.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Writes a file of `folder`, gzipped, and prints what the set's catalogue entry says of it. */
export function writePacked(folder: string, name: string, plain: Uint8Array): void {
  const bytes = gzipSync(plain, { level: 9 });
  // Operating system "unknown", as there is no time either: the bytes tell nothing of where they were made.
  bytes[9] = 255;
  writeFileSync(path.join(folder, name), bytes);
  console.log(`${name}: bytes ${bytes.length}, sha256 ${sha256(bytes)}, unpacked sha256 ${sha256(plain)}`);
}

/** Prints each channel's mean and deviation. */
export function printStatistics(name: string, images: Uint8Array, shape: Shape): void {
  for (const { mean, std } of statistics(images, shape)) {
    console.log(`${name}: mean ${mean.toFixed(4)}, std ${std.toFixed(4)}`);
  }
}

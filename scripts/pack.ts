/** Writes the data sets that the page ships. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Shape } from '../src/base/shape.ts';
import { statistics } from './statistics.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Writes a gzipped file to `folder` and prints its catalogue entry. */
export function writePacked(folder: string, name: string, plain: Uint8Array): void {
  const bytes = gzipSync(plain, { level: 9 });
  // No time, and operating system "unknown", so that the bytes do not depend on the machine.
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

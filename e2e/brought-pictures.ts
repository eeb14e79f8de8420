/** Small pictures in the formats that people bring, written here or, where that takes a codec, by the browser. */
import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { crc32 } from '../src/data/formats/zip.ts';

const [WIDTH, HEIGHT] = [48, 36];

/** Red, green and blue of a picture that differs in all its corners, and has no sharp edges that a lossy format would lose. */
export const levelsAt = (x: number, y: number): number[] => [
  Math.round(255 * (x / WIDTH)),
  Math.round(255 * (y / HEIGHT)),
  Math.round(127 + 100 * Math.sin(x / 6) * Math.cos(y / 7)),
];

/** A PNG of the picture, or of another one. @param note Exif's orientation */
export function png(note?: number, width = WIDTH, height = HEIGHT, at = levelsAt): Buffer {
  const picture = new PNG({ width, height });
  for (let i = 0; i < width * height; i++)
    picture.data.set([...at(i % width, Math.floor(i / width)), 255], 4 * i);
  const file = PNG.sync.write(picture);
  if (note === undefined) return file;
  const afterHeader = 33;
  const content = Buffer.concat([Buffer.from('eXIf'), exif(note)]);
  const chunk = Buffer.concat([u32(content.length - 4), content, u32(crc32(content))]);
  return Buffer.concat([file.subarray(0, afterHeader), chunk, file.subarray(afterHeader)]);
}

/** The same in another format, by the browser. Of WebP, the best quality loses nothing. */
export async function encoded(
  page: Page,
  type: 'image/jpeg' | 'image/webp',
  quality: number,
): Promise<Buffer> {
  const encode = async ([bytes, format, level]: [number[], string, number]) => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(bytes)]));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext('2d')?.drawImage(picture, 0, 0);
    const blob = await canvas.convertToBlob({ type: format, quality: level });
    return [...new Uint8Array(await blob.arrayBuffer())];
  };
  return Buffer.from(await page.evaluate(encode, [[...png()], type, quality] as [number[], string, number]));
}

/** A JPEG with a camera's note of how it was held. */
export function turnedJpeg(file: Buffer, note: number): Buffer {
  const content = Buffer.concat([Buffer.from('Exif\0\0'), exif(note)]);
  const head = Buffer.from([0xff, 0xe1, 0, content.length + 2]);
  return Buffer.concat([file.subarray(0, 2), head, content, file.subarray(2)]);
}

/** Uncompressed, 24 bits a pixel, the last row first. */
export function bmp(): Buffer {
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE(54 + 3 * WIDTH * HEIGHT, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(WIDTH, 18);
  header.writeInt32LE(HEIGHT, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  const pixels = Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
    levelsAt(i % WIDTH, HEIGHT - 1 - Math.floor(i / WIDTH)).toReversed(),
  );
  return Buffer.concat([header, Buffer.from(pixels.flat())]);
}

/** One red pixel: a palette of red and black, and the codes "clear", 0 and "end" of three bits each. */
export const gif = (): Buffer =>
  Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 0]),
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0b01_000_100, 0b1, 0, 0x3b]),
  ]);

/** Exif's directory with one entry, the orientation. */
const exif = (orientation: number): Buffer =>
  Buffer.from([
    ...[0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1],
    ...[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
    ...[0, 0, 0, 0],
  ]);

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

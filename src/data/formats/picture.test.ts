import { expect, test } from 'vitest';
import { pictureHeader } from './picture.ts';

const PNG = [
  0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 2, 0, 0, 0, 9,
];
/** A comment, a restart, a table, then the frame. */
const JPEG = [
  ...[0xff, 0xd8, 0xff, 0xfe, 0, 4, 0xff, 0xc0, 0xff, 0xff, 0xd0, 0xff, 0xc4, 0, 3, 7],
  ...[0xff, 0xc2, 0, 11, 8, 1, 44, 2, 88, 1, 0, 0, 0],
];
const header = (bytes: readonly number[]) => pictureHeader('x', Uint8Array.from(bytes));

test('the sizes of a PNG and a JPEG', () => {
  expect(header(PNG)).toEqual({ kind: 'PNG', width: 258, height: 9 });
  expect(header(JPEG)).toEqual({ kind: 'JPEG', width: 600, height: 300 });
});

test.each([[[]], [[0x47, 0x49, 0x46]], [[0xff, 0xd8]]])('%j is neither', (bytes) => {
  expect(header(bytes)).toBeUndefined();
});

test.each([
  [PNG.slice(0, 20), /expected 4 bytes of the height|the width/],
  [[...PNG.slice(0, 12), 1, 2, 3, 4], /expected a PNG to begin with IHDR/],
  [JPEG.slice(0, 18), /before the end of the file/],
  [[0xff, 0xd8, 0xff, 0xd9], /expected the size of a JPEG before its image/],
  [[0xff, 0xd8, 0xff, 0xe0, 0, 1], /expected a length of at least 2/],
  [[0xff, 0xd8, 0xff, 0xe0, 0, 2, 7], /expected a marker/],
])('%j is refused', (bytes, message) => {
  expect(() => header(bytes)).toThrow(message);
});

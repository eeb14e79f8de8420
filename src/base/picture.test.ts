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
  const png = { kind: 'PNG', width: 258, height: 9, orientation: 1, scans: 1 };
  expect(header([...PNG, 8, 2])).toEqual({ ...png, samples: 3 * 258 * 9 });
  expect(header([...PNG, 16, 6])).toEqual({ ...png, samples: 8 * 258 * 9 });
  expect(header([...PNG, 1, 3])).toEqual({ ...png, samples: 258 * 9 });
  const size = { kind: 'JPEG', width: 600, height: 300, orientation: 1, scans: 0 };
  expect(header(JPEG)).toEqual({ ...size, samples: 600 * 300 });
  const components = (...shares: number[]) => [
    ...JPEG.slice(0, 17),
    ...[0xc2, 0, 8 + 3 * shares.length, 8, 1, 44, 2, 88, shares.length],
    ...shares.flatMap((share, i) => [i, share, 0]),
  ];
  expect(header(components(0x11, 0x11, 0x11))).toEqual({ ...size, samples: 3 * 600 * 300 });
  expect(header(components(0x22, 0x11, 0x11))).toEqual({ ...size, samples: 1.5 * 600 * 300 });
  expect(header(components(0x21, 0x11, 0x11))).toEqual({ ...size, samples: 2 * 600 * 300 });
});

/** A scan whose bytes contain a stuffed ff, and a restart. */
const SCAN = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 7, 0xff, 0, 0xff, 0xd3, 9];

test('the scans of a JPEG: not those of a thumbnail in it, nor what comes after its end', () => {
  const thumbnail = [0xff, 0xe1, 0, 2 + SCAN.length, ...SCAN];
  const after = [0xff, 0xd9, ...SCAN];
  expect(header([...JPEG, ...SCAN, ...after])?.scans).toBe(1);
  expect(header([...JPEG, ...thumbnail, ...SCAN, 0xff, 0xff, ...SCAN.slice(1), ...after])?.scans).toBe(2);
  for (let cut = 0; cut < SCAN.length; cut++)
    expect(header([...JPEG, ...SCAN.slice(0, cut)])?.scans).toBe(cut < 2 ? 0 : 1);
});

test.each([[[]], [[0x47, 0x49, 0x46]], [[0xff, 0xd8]]])('%j is neither', (bytes) => {
  expect(header(bytes)).toBeUndefined();
});

test.each([
  [PNG.slice(0, 20), /expected 4 bytes of the height|the width/],
  [[...PNG.slice(0, 12), 1, 2, 3, 4], /expected a PNG to start with IHDR/],
  [JPEG.slice(0, 18), /before the end of the file/],
  [[...JPEG, ...SCAN, ...JPEG.slice(2)], /expected one frame in a JPEG/],
  [[0xff, 0xd8, 0xff, 0xd9], /expected the size of a JPEG before its image/],
  [[0xff, 0xd8, 0xff, 0xe0, 0, 1], /expected a length of at least 2/],
  [[0xff, 0xd8, 0xff, 0xe0, 0, 2, 7], /expected a marker/],
])('%j is refused', (bytes, message) => {
  expect(() => header(bytes)).toThrow(message);
});

test.each([
  ['little end first', 0x49, (v: number) => [v & 255, v >> 8]],
  ['big end first', 0x4d, (v: number) => [v >> 8, v & 255]],
])('the turn that a camera notes, %s', (_, mark, two) => {
  const four = (v: number) => (mark === 0x49 ? [...two(v), 0, 0] : [0, 0, ...two(v)]);
  const exif = (value: number, first = 8) => [
    ...[0x45, 0x78, 0x69, 0x66, 0, 0, mark, mark, ...two(42), ...four(first), ...two(2)],
    ...[...two(0x010f), ...two(2), ...four(1), ...four(6)],
    ...[...two(0x0112), ...two(3), ...four(1), ...two(value), 0, 0],
  ];
  const jpeg = (segment: number[]) => [
    0xff,
    0xd8,
    0xff,
    0xe1,
    0,
    segment.length + 2,
    ...segment,
    ...JPEG.slice(2),
  ];
  expect(header(jpeg(exif(6)))?.orientation).toBe(6);
  expect(header(jpeg(exif(9)))?.orientation).toBe(1);
  expect(header(jpeg(exif(6, 4000)))?.orientation).toBe(1);
  for (let cut = 0; cut < exif(6).length - 4; cut++)
    expect(header(jpeg(exif(6).slice(0, cut)))?.orientation).toBe(1);
});

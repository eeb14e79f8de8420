import { describe, expect, it } from 'vitest';
import { countRecords } from './record-count.ts';
import { splitRecords, writeRecords } from './records.ts';

const images = Uint8Array.of(1, 2, 3, 4, 5, 6);
const labels = Uint8Array.of(9, 8);
const file = writeRecords(images, labels);

describe('records of a label and an image', () => {
  it('have the published layout', () => {
    expect([...file]).toEqual([9, 1, 2, 3, 8, 4, 5, 6]);
  });

  it('are copied to their place in a whole set', () => {
    const set = { images: new Uint8Array(9), labels: new Uint8Array(3) };
    expect(countRecords('file', file, 3, 2)).toBe(2);
    splitRecords('file', file, set, 1, 10);
    expect(set).toEqual({ images: Uint8Array.of(0, 0, 0, ...images), labels: Uint8Array.of(0, 9, 8) });
  });

  it('are refused if a label is not a class, naming the byte', () => {
    const set = { images: new Uint8Array(6), labels: new Uint8Array(2) };
    expect(() => splitRecords('file', file, set, 0, 9)).toThrow(
      'file, byte 0: expected labels from 0 to 8, found 9',
    );
  });

  it('are refused in files of the wrong length', () => {
    expect(() => countRecords('file', file, 3, 3)).toThrow(
      'file, byte 8: expected 3 records of 4 bytes, found 2',
    );
    expect(() => countRecords('file', file, 3, 1)).toThrow('file, byte 4: expected 1 records');
    expect(() => countRecords('file', file, 4, null)).toThrow('file, byte 5: expected records of 5 bytes');
  });
});

import { describe, expect, it } from 'vitest';
import { idxBytes, looksLikeIdx, readIdx, writeIdx } from './idx.ts';

describe('IDX', () => {
  it('writes the published layout', () => {
    const bytes = writeIdx([2, 1, 3], Uint8Array.of(1, 2, 3, 4, 5, 6));
    expect([...bytes]).toEqual([0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6]);
    expect(bytes.length).toBe(idxBytes([2, 1, 3]));
  });

  it('reads what it wrote, without a copy', () => {
    const bytes = writeIdx([3], Uint8Array.of(7, 8, 9));
    const { shape, data } = readIdx('labels', bytes, [null]);
    expect(shape).toEqual([3]);
    expect(data).toEqual(Uint8Array.of(7, 8, 9));
    expect(data.buffer).toBe(bytes.buffer);
  });

  it('reports which size is not the expected one, and its place', () => {
    const bytes = writeIdx([2, 2, 2], new Uint8Array(8));
    expect(() => readIdx('images', bytes, [null, 28, 28])).toThrow(
      'images, byte 8: expected size 28 in dimension 1, found 2',
    );
    const empty = Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 0);
    expect(() => readIdx('labels', empty)).toThrow(
      'labels, byte 4: expected at least one element, found size 0',
    );
    expect(() => readIdx('images', bytes, [null])).toThrow('images, byte 3: expected 1 dimensions, found 3');
  });

  it('is recognised by its first bytes', () => {
    expect(looksLikeIdx(writeIdx([1], new Uint8Array(1)))).toBe(true);
    expect(looksLikeIdx(Uint8Array.of(0, 0, 8))).toBe(false);
    expect(looksLikeIdx(new TextEncoder().encode('<!doctype html>'))).toBe(false);
  });
});

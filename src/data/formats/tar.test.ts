import { describe, expect, it } from 'vitest';
import { tarOf } from '../testing.ts';
import { looksLikeTar, readTar } from './tar.ts';

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);

describe('tar', () => {
  it('reads files of all sizes, in order, without a copy', () => {
    const contents = [0, 1, 511, 512, 513].map((length) => bytes(length, 7));
    const archive = tarOf(contents.map((data, i) => ({ name: `folder/${i}`, data })));
    const files = readTar('archive', archive);
    expect(files.map(({ name }) => name)).toEqual(contents.map((_, i) => `folder/${i}`));
    expect(files.map(({ data }) => data)).toEqual(contents);
    expect(files[1].data.buffer).toBe(archive.buffer);
  });

  it('skips entries that are not plain files, and bytes after the end', () => {
    const archive = tarOf([
      { name: 'folder/', data: bytes(0, 0), type: '5' },
      { name: 'pax', data: bytes(30, 65), type: 'x' },
      { name: 'link', data: bytes(0, 0), type: '2' },
      { name: 'old', data: bytes(3, 1), type: '\0' },
    ]);
    const longer = new Uint8Array(archive.length + 10_240);
    longer.set(archive);
    expect(readTar('archive', longer)).toEqual([{ name: 'old', data: bytes(3, 1) }]);
  });

  it('is recognised by the checksum of its first header', () => {
    const archive = tarOf([{ name: 'a', data: bytes(3, 1) }]);
    expect(looksLikeTar(archive)).toBe(true);
    expect(looksLikeTar(archive.subarray(0, 511))).toBe(false);
    expect(looksLikeTar(bytes(1024, 0))).toBe(false);
    archive[0] ^= 1;
    expect(looksLikeTar(archive)).toBe(false);
    expect(() => readTar('archive', archive)).toThrow('archive, byte 0: expected the header of a file');
  });
});

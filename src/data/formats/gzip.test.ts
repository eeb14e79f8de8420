import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Random } from '../../base/random.ts';
import { gunzip, gunzipIfNeeded, isGzip } from './gzip.ts';

const noise = (length: number) => {
  const random = new Random(1);
  return Uint8Array.from({ length }, () => random.below(256));
};

describe('gzip', () => {
  it.each([0, 1, 4096, 300_001])('unpacks %d bytes', async (length) => {
    const data = noise(length);
    expect(Buffer.compare(await gunzip('file', gzipSync(data), length), data)).toBe(0);
  });

  it('unpacks highly compressed data up to the limit, and not a byte more', async () => {
    const packed = gzipSync(new Uint8Array(5_000_000));
    expect((await gunzip('file', packed, 5_000_000)).length).toBe(5_000_000);
    await expect(gunzip('file', packed, 4_999_999)).rejects.toThrow(
      'expected at most 4999999 bytes unpacked',
    );
  });

  it('reads a header with a name and a comment', async () => {
    const plain = gzipSync('hello');
    const named = Uint8Array.from([
      ...plain.subarray(0, 3),
      0x18,
      ...plain.subarray(4, 10),
      65,
      0,
      66,
      0,
      ...plain.subarray(10),
    ]);
    expect(new TextDecoder().decode(await gunzip('file', named, 100))).toBe('hello');
  });

  it('passes through files that are not gzip', async () => {
    const bytes = noise(100);
    bytes[0] = 0;
    expect(isGzip(bytes)).toBe(false);
    expect(await gunzipIfNeeded('file', bytes, 10)).toBe(bytes);
    expect(await gunzipIfNeeded('file', gzipSync(bytes), 100)).toEqual(bytes);
  });

  it('says of a part of a file that it is cut short, whatever its last bytes are', async () => {
    // What does not compress: any four bytes of it are a length.
    const packed = gzipSync(noise(5000));
    for (const length of [100, 1000, packed.length - 9, packed.length - 4])
      await expect(gunzip('x.gz', packed.subarray(0, length), 5000)).rejects.toMatchObject({
        message: expect.stringContaining('cut short'),
      });
  });
});

import { describe, expect, it } from 'vitest';
import { ByteReader } from './bytes.ts';
import { Failure } from './result.ts';

const reader = (...bytes: number[]) => new ByteReader('file', Uint8Array.from(bytes));

describe('ByteReader', () => {
  it('reads numbers in both byte orders', () => {
    const file = reader(1, 2, 3, 0, 0, 1, 0, 0x78, 0x56, 0x34, 0x12, 9, 0, 0, 0, 0, 0, 0, 0);
    expect(file.u8('a')).toBe(1);
    expect(file.u16le('b')).toBe(0x0302);
    expect(file.u32be('c')).toBe(0x100);
    expect(file.u32le('d')).toBe(0x12345678);
    expect(file.u64le('e')).toBe(9);
    expect(() => file.end()).not.toThrow();
  });

  it('reads a view at the right place of its buffer', () => {
    const whole = Uint8Array.from([9, 9, 0, 0, 0, 7, 5]);
    const file = new ByteReader('file', whole.subarray(2));
    expect(file.u32be('a')).toBe(7);
    const rest = file.take(1, 'rest');
    expect(rest).toEqual(Uint8Array.of(5));
    expect(rest.buffer).toBe(whole.buffer);
  });

  it('names the file, the place and the thing when the file is too short, and does not move', () => {
    const file = reader(1, 2, 3);
    file.u8('a');
    expect(() => file.u32be('the size')).toThrow('file, byte 1: expected 4 bytes of the size, found 2');
    expect(file.offset).toBe(1);
    expect(() => file.take(Number.MAX_SAFE_INTEGER, 'pixels')).toThrow(Failure);
    expect(() => file.take(NaN, 'pixels')).toThrow(Failure);
  });

  it('refuses lengths above 2^53 and bytes left over', () => {
    expect(() => reader(0, 0, 0, 0, 0, 0, 0x20, 0).u64le('length')).toThrow(
      'byte 0: length is 9007199254740992',
    );
    const file = reader(1, 2, 3);
    file.u8('a');
    expect(() => file.end()).toThrow('byte 1: expected the end of the file, found 2 more bytes');
  });
});

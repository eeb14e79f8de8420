import { describe, expect, it } from 'vitest';
import { Random } from '../../base/random.ts';
import { Memory } from './memory.ts';

const bytesOf = (memory: Memory) => memory.raw.buffer.byteLength;

function take(memory: Memory, bytes: number): number {
  const address = memory.take(bytes);
  if (address === undefined) throw new Error('no memory');
  return address;
}

describe("a device's memory", () => {
  it('gives zeros at aligned addresses, never 0', () => {
    const memory = new Memory(false);
    const first = take(memory, 10);
    const second = take(memory, 0);
    expect([first % 256, second % 256]).toEqual([0, 0]);
    expect(first).toBeGreaterThan(0);
    expect(second).toBeGreaterThan(first);
    memory.bytes.fill(7, first, first + 256);
    memory.free(first, 10);
    expect(take(memory, 256)).toBe(first);
    expect([...memory.bytes.subarray(first, first + 256)].every((byte) => byte === 0)).toBe(true);
  });

  it('joins what is freed side by side, in any order, and grows only when it has to', () => {
    const memory = new Memory(false);
    const parts = Array.from({ length: 6 }, () => take(memory, 65536));
    const whole = bytesOf(memory);
    for (const i of [1, 3, 2, 5, 0, 4]) memory.free(parts[i], 65536);
    expect(take(memory, 6 * 65536)).toBe(parts[0]);
    expect(bytesOf(memory)).toBe(whole);
    take(memory, 3 * 65536);
    expect(bytesOf(memory)).toBeLessThanOrEqual(whole + 3 * 65536);
  });

  it('never gives a place twice, and keeps what lies in it when it grows', () => {
    const memory = new Memory(false);
    const random = new Random(1);
    const held: { address: number; bytes: number; mark: number }[] = [];
    for (let round = 0; round < 1500; round++) {
      if (held.length > 0 && random.below(5) < 2) {
        const [{ address, bytes, mark }] = held.splice(random.below(held.length), 1);
        const part = memory.bytes.subarray(address, address + bytes);
        expect(part.every((byte) => byte === mark)).toBe(true);
        memory.free(address, bytes);
      } else {
        const bytes = random.below(4) === 0 ? 1 + random.below(100_000) : 1 + random.below(2000);
        const mark = 1 + (round % 255);
        const address = take(memory, bytes);
        memory.bytes.fill(mark, address, address + bytes);
        held.push({ address, bytes, mark });
      }
    }
    for (const { address, bytes } of held) memory.free(address, bytes);
    const whole = bytesOf(memory);
    take(memory, whole - 256);
    expect(bytesOf(memory)).toBe(whole);
  });

  it('has no more than there is', () => {
    const memory = new Memory(false);
    const first = take(memory, 1000);
    expect(memory.take(2 ** 33)).toBeUndefined();
    expect(take(memory, 1000)).toBeGreaterThan(first);
  });
});

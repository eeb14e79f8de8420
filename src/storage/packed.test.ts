import { expect, test } from 'vitest';
import { sha256 } from '../base/sha256.ts';
import { readSafetensors, writeSafetensors } from '../data/formats/safetensors.ts';
import { pack, unpack } from './packed.ts';

const value = {
  step: 7,
  words: 'ein Ümlaut',
  nothing: null,
  list: [1, -0.5, 1e-300],
  inner: { floats: Float32Array.of(1, NaN, -Infinity, 1e-45), bytes: Uint8Array.of(1, 2, 3) },
  none: new Float32Array(),
  words32: Uint32Array.of(0xffffffff, 0),
  doubles: Float64Array.of(Math.PI, -0),
};

test('survives a round trip, to the bit', async () => {
  const bits = Float32Array.from(value.inner.floats);
  new Uint32Array(bits.buffer)[1] = 0x7fc12345;
  const packed = await pack({ ...value, bits, left: undefined });
  expect(await unpack('run', packed)).toEqual({ ...value, bits });
  const found = (await unpack('run', packed)) as { bits: Float32Array };
  expect(new Uint32Array(found.bits.buffer)).toEqual(new Uint32Array(bits.buffer));
  // Any reader of safetensors finds the arrays under their names.
  expect(readSafetensors('run', packed).tensors.get('inner.bytes')?.data).toEqual(Float32Array.of(1, 2, 3));
  // Also from the middle of other bytes.
  const among = new Uint8Array(packed.length + 5);
  among.set(packed, 3);
  expect(await unpack('run', among.subarray(3, -2))).toEqual({ ...value, bits });
  expect(await unpack('run', Buffer.from(packed))).toEqual({ ...value, bits });
});

test('is refused if truncated anywhere, and with bytes after it', async () => {
  const packed = await pack(value);
  for (let length = 0; length < packed.length; length += length < 64 ? 1 : 13) {
    await expect(unpack('run', packed.subarray(0, length))).rejects.toMatchObject({ code: 'bad-file' });
  }
  await expect(unpack('run', packed.subarray(0, -1))).rejects.toThrow(
    /run, byte \d+: expected 32 bytes of tensor "sha256", found 31/,
  );
  await expect(unpack('run', Uint8Array.of(...packed, 0))).rejects.toMatchObject({ code: 'bad-file' });
});

test('is refused with any bit flipped', async () => {
  const packed = await pack(value);
  for (let place = 0; place < packed.length; place++) {
    const altered = packed.slice();
    altered[place] ^= 1 << (place % 8);
    await expect(unpack('run', altered), `byte ${place}`).rejects.toMatchObject({ code: 'bad-file' });
  }
  const altered = packed.slice();
  altered[packed.length - 40] ^= 1;
  await expect(unpack('run', altered)).rejects.toThrow(/was altered: .* SHA-256/);
});

test('other files and other versions are distinguished', async () => {
  await expect(unpack('cat.jpg', new Uint8Array(100))).rejects.toThrow(/cat.jpg, byte 8: expected/);
  const weights = writeSafetensors(new Map([['w', { shape: [1], data: Float32Array.of(1) }]]));
  await expect(unpack('w', weights)).rejects.toThrow(/w, byte 8: expected a file that wgrad packed/);
  const text = new TextDecoder('latin1').decode(await pack(value)).replace('"version":"2"', '"version":"9"');
  const newer = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  await expect(unpack('run', newer)).rejects.toThrow(/expected version 2 of the format, found 9/);
  const before = new TextEncoder().encode(`wgradrun${' '.repeat(100)}`);
  await expect(unpack('run', before)).rejects.toMatchObject({
    message: expect.stringContaining('expected version 2 of the format, found 1') as string,
    advice: 'Open it with the version of wgrad that wrote it.',
  });
});

test('a right checksum is no reason to trust the content', async () => {
  const sealed = async (json: string) => {
    const entries = [
      ['json', new TextEncoder().encode(json)],
      ['sha256', new Uint8Array(32)],
    ] as const;
    const bytes = writeSafetensors(
      new Map(entries.map(([name, data]) => [name, { shape: [data.length], data }])),
      new Map([
        ['format', 'wgrad'],
        ['version', '2'],
      ]),
    );
    bytes.set(await sha256(bytes.subarray(0, -32)), bytes.length - 32);
    return bytes;
  };
  expect(await unpack('run', await sealed('{"a":1}'))).toEqual({ a: 1 });
  const odd = ['', '{', '{"a":{"$":"none"}}', '{"a":{"$":[]}}', '['.repeat(200_000)];
  for (const json of odd) {
    await expect(unpack('run', await sealed(json)), json.slice(0, 20)).rejects.toMatchObject({
      code: 'bad-file',
    });
  }
});

test('numbers that JSON cannot hold are a bug', async () => {
  await expect(pack({ loss: NaN })).rejects.toThrow(/"loss" is NaN/);
});

import { createHash } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { ownSha256 } from './own-sha256.ts';
import { sha256 } from './sha256.ts';

afterEach(() => vi.unstubAllGlobals());

const expected = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());

test('our own SHA-256 is the standard one, for all lengths around a block', () => {
  for (const length of [...Array.from({ length: 130 }, (_, i) => i), 100_003]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) % 256);
    expect(ownSha256(bytes), `${length} bytes`).toEqual(expected(bytes));
  }
});

test('pages that were loaded over HTTP have it, too', async () => {
  const bytes = Uint8Array.of(1, 2, 3);
  expect(await sha256(bytes)).toEqual(expected(bytes));
  vi.stubGlobal('crypto', {});
  expect(await sha256(bytes)).toEqual(expected(bytes));
});

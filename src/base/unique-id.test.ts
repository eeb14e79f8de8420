import { afterEach, expect, test, vi } from 'vitest';
import { uniqueId } from './unique-id.ts';

afterEach(() => vi.unstubAllGlobals());

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids are UUIDs, with and without the platform’s own', () => {
  const ids = [uniqueId(), uniqueId()];
  const random = crypto;
  vi.stubGlobal('crypto', {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => random.getRandomValues(bytes),
  });
  ids.push(uniqueId(), uniqueId());
  for (const id of ids) expect(id).toMatch(UUID);
  expect(new Set(ids).size).toBe(4);
});

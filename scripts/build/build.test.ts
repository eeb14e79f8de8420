import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { firstLoad, MOST_BYTES } from './first-load.ts';
import { workerOf } from './offline.ts';

test('what the entries load at once is counted, each once, and what is lazy is not', () => {
  const chunk = (fileName: string, imports: string[], isEntry = false) => ({
    ...{ fileName, imports, isEntry, code: randomBytes(500).toString('hex') },
  });
  const sizes = firstLoad([
    chunk('page.js', ['shared.js', 'react.js'], true),
    chunk('shared.js', ['react.js']),
    chunk('react.js', ['shared.js']),
    chunk('lazy.js', ['shared.js']),
  ]);
  expect([...sizes.keys()]).toEqual(['page.js', 'shared.js', 'react.js']);
  for (const bytes of sizes.values()) expect(bytes).toBeGreaterThan(500);
  expect(MOST_BYTES).toBeLessThanOrEqual(250_000);
});

test('the service worker has the files and the version', () => {
  const source = workerOf(['index.html', 'a b.js'], 'abc123');
  expect(source).toContain('const FILES = ["index.html","a b.js"];');
  expect(source).toContain('`${PREFIX}abc123`');
  expect(source).not.toMatch(/VERSION|'FILES'/);
});

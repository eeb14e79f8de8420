import { expect, test } from 'vitest';

test('every part of the API is answered', () => {
  const folders = (files: Record<string, unknown>) =>
    Object.keys(files).map((file) => file.split('/').slice(0, -1).join('/'));
  const apis = folders(import.meta.glob('./*/api.ts'));
  expect(apis.length).toBeGreaterThan(0);
  expect(folders(import.meta.glob('./*/*.part.ts'))).toEqual(apis);
});

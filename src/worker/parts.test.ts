import { expect, test } from 'vitest';

test('every part of the API has handlers', () => {
  const folders = (files: Record<string, unknown>) =>
    Object.keys(files).map((file) => file.split('/').slice(0, -1).join('/'));
  const apis = folders(import.meta.glob('./*/api.ts'));
  expect(apis.length).toBeGreaterThan(0);
  expect(folders(import.meta.glob('./*/handlers.ts'))).toEqual(apis);
});

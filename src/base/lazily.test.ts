import { expect, test } from 'vitest';
import { lazily } from './lazily.ts';

test('loads a module on request, and fails if it cannot be fetched', async () => {
  const asked: string[] = [];
  const part = lazily(async () => {
    asked.push('part');
    return { answer: 42 };
  });
  expect(asked).toEqual([]);
  expect((await part()).answer).toBe(42);
  expect(asked).toEqual(['part']);
  const missing = lazily(() => Promise.reject(new TypeError('Failed to fetch part.js')));
  await expect(missing()).rejects.toMatchObject({
    name: 'Failure',
    code: 'download',
    message: 'Could not load part of the app: Failed to fetch part.js',
  });
});

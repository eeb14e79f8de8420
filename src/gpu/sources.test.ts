import { expect, test } from 'vitest';
import type * as Sources from './sources.ts';

/** A copy, because a file that is added stays. */
const COPY = './sources.ts?copy';

test('a file that is generated after its folder was fetched is fetched, too', async () => {
  const sources = (await import(COPY)) as typeof Sources;
  await sources.fetchShaders();
  sources.generateShader('conv/winograd/late', () => Promise.resolve('// late'));
  expect(sources.isFetchedLater('conv/winograd/filter:late')).toBe(true);
  await sources.fetchShaders('conv/winograd/filter:late');
  expect(sources.shaderSource('conv/winograd/late')).toBe('// late');
  expect(sources.shaderNames()).toContain('conv/winograd/late');
});

import { expect, test } from 'vitest';
import type * as Sources from './sources.ts';

/** A copy, because a file that is added stays. */
const COPY = './sources.ts?copy';

test('all but the first shaders are fetched later, and those with computed texts only when they are needed', async () => {
  const sources = (await import(COPY)) as typeof Sources;
  expect(sources.isFetchedLater('gemm/tile')).toBe(false);
  expect(sources.isFetchedLater('conv/winograd/filter')).toBe(true);
  let computed = 0;
  const text = () => Promise.resolve(`// number ${++computed}`);
  sources.generateShader('conv/winograd/one', text);
  sources.generateShader('conv/winograd/two', text);
  await sources.fetchShaders(['conv/winograd/filter', 'conv/winograd/two']);
  expect(sources.isFetchedLater('conv/winograd/filter')).toBe(false);
  expect(sources.isFetchedLater('conv/winograd/one')).toBe(true);
  expect(sources.shaderSource('conv/winograd/two')).toBe('// number 1');
  expect(
    ['conv/fft/forward', 'batch_norm/fprop', 'relu/backward'].filter(sources.isFetchedLater),
    'other groups stay away',
  ).toHaveLength(3);
  expect(() => sources.shaderNames()).toThrow('not all shaders are here yet');
  await sources.fetchShaders();
  expect(sources.shaderNames()).toEqual(expect.arrayContaining(['conv/winograd/one', 'conv/fft/forward']));
  expect(computed).toBe(2);
});

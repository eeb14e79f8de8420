import { expect, test } from 'vitest';
import { ops } from './registry.ts';

test('every folder with an index.ts is an op', () => {
  const folders = Object.keys(import.meta.glob('./*/index.ts')).map((path) => path.split('/')[1]);
  expect(folders).toEqual(expect.arrayContaining(['conv', 'flatten', 'linear', 'max_pool', 'relu']));
  expect(ops.names()).toEqual(folders.sort());
});

test('flatten keeps N and refuses what has none', () => {
  const flatten = ops.get('flatten');
  expect(flatten.isView).toBe(true);
  expect(flatten.outputShape({}, [3, 4, 5, 6])).toEqual([3, 120]);
  expect(flatten.outputShape({}, [3, 4])).toEqual([3, 4]);
  expect(() => flatten.outputShape({}, [3])).toThrow(/expected an input of shape \[N, ...\], found \[3\]/);
});

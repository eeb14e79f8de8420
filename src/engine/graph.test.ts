import { describe, expect, test } from 'vitest';
import { sourcesOf, type Layer } from './graph.ts';

const layer = (name: string, ...inputs: string[]): Layer => ({
  name,
  op: 'relu',
  ...(inputs.length > 0 ? { inputs } : {}),
});

test('a layer reads the one before it, unless it names its inputs', () => {
  const layers = [layer('a'), layer('b'), layer('c', 'input'), layer('d', 'c', 'b'), layer('e')];
  expect(sourcesOf(layers)).toEqual([[-1], [0], [-1], [2, 1], [3]]);
});

describe('invalid graphs are refused, with the place', () => {
  test.each<[string, Layer[], RegExp]>([
    ['two of a name', [layer('a'), layer('a')], /layers\[1\] "a": duplicate layer name/],
    ['the images as a layer', [layer('input')], /layers\[0\] "input": "input" is reserved for the input/],
    ['an unknown name', [layer('a'), layer('b', 'x')], /layers\[1\] "b": inputs: no layer is named "x"/],
    [
      'a later name',
      [layer('a', 'b'), layer('b', 'input'), layer('c', 'a')],
      /layers\[0\] "a": inputs: "b" is layers\[1\], which comes later/,
    ],
    ['itself', [layer('a', 'a')], /layers\[0\] "a": inputs: a cycle: a reads a/],
    [
      'a circle',
      [layer('a', 'input', 'c'), layer('b'), layer('c')],
      /layers\[0\] "a": inputs: a cycle: a reads c reads b reads a/,
    ],
    ['what nobody takes', [layer('a'), layer('b', 'input')], /layers\[0\] "a": its output is not used/],
    ['no inputs', [{ ...layer('a'), inputs: [] }], /layers\[0\] "a": inputs: expected at least one name/],
  ])('%s', (_, layers, message) => expect(() => sourcesOf(layers)).toThrow(message));
});

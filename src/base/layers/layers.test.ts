import { describe, expect, test } from 'vitest';
import { findBlocks } from '../../ops/blocks.ts';
import {
  duplicate,
  insertAfter,
  insertBefore,
  remove,
  rename,
  setAttributes,
  setInputs,
  swap,
} from './edit.ts';
import { shorten, spellOut, type LayerData } from './layer.ts';
import { freshName, nextName } from './names.ts';

/** "a b c=a,b": layers by name, with their inputs if those are not the layer before. */
const list = (text: string): LayerData[] =>
  text.split(' ').map((word) => {
    const [name, inputs] = word.split('=');
    return {
      name,
      op: inputs?.includes(',') ? 'add' : name.replace(/[\d.]+$/, ''),
      ...(inputs ? { inputs: inputs.split(',') } : {}),
    };
  });
const shown = (layers: readonly LayerData[] | undefined) =>
  layers?.map(({ name, inputs }) => (inputs ? `${name}=${inputs.join(',')}` : name)).join(' ');

const RESIDUAL = list('conv relu b.conv1 b.relu1 b.conv2 b.add=b.conv2,relu b.relu2 fc');
const RELU = { op: 'relu' };
const residual = RESIDUAL.map((layer) => (layer.name.includes('relu') ? { ...layer, ...RELU } : layer));

describe('blocks', () => {
  test('a residual block with its activation, by the names that its layers share', () => {
    expect(findBlocks(residual)).toEqual([{ first: 2, last: 6, join: 5, name: 'b', inner: [] }]);
  });

  test('a shortcut with a layer, listed after the main branch', () => {
    const projected = list('relu b.c1 b.c2 b.down=relu b.add=b.c2,b.down relu2');
    expect(findBlocks(projected)).toMatchObject([{ first: 1, last: 5, join: 4, name: 'b' }]);
  });

  test('one inside another, and one next to it', () => {
    const nested = list('a b c=b,a d e=d,c f=e,input g h=g,f');
    const [outer, beside] = findBlocks(nested);
    expect([outer.first, outer.last]).toEqual([0, 5]);
    expect(outer.inner.map(({ first, last }) => [first, last])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect([beside.first, beside.last]).toEqual([6, 7]);
  });

  test('none if something inside is read after it, nor without a join', () => {
    expect(findBlocks(list('a b c d=c,a e=d,b'))).toMatchObject([{ first: 1, last: 4 }]);
    expect(findBlocks(list('a b c'))).toEqual([]);
  });

  test('none for unknown names', () => {
    expect(findBlocks(list('a b=a,nowhere'))).toEqual([]);
  });
});

test('explicit and shortened inputs are inverses', () => {
  expect(shorten(spellOut(residual))).toEqual(residual);
  expect(spellOut(residual)[0].inputs).toEqual(['input']);
});

describe('edits', () => {
  test('a layer inserted after another is read by all its consumers', () => {
    expect(shown(insertAfter(residual, 1, list('pool')))).toBe(
      'conv relu pool b.conv1 b.relu1 b.conv2 b.add=b.conv2,pool b.relu2 fc',
    );
    expect(shown(insertAfter([], -1, list('a b c=b,input')))).toBe('a b c=b,input');
    expect(shown(insertAfter(list('x'), -1, list('a b=a,input')))).toBe('a b=a,input x');
    expect(shown(insertAfter(list('x y'), 0, list('a b=a,input')))).toBe('x a b=a,x y');
  });

  test('before a layer, at the given input', () => {
    expect(shown(insertBefore(residual, 5, list('down'), 'relu'))).toBe(
      'conv relu b.conv1 b.relu1 b.conv2 down=relu b.add=b.conv2,down b.relu2 fc',
    );
    expect(shown(insertBefore(residual, 5, list('bn')))).toContain('b.conv2 bn b.add=bn,relu');
  });

  test('consumers of a removed layer read its input', () => {
    expect(shown(remove(residual, { first: 1, last: 1 }))).toBe(
      'conv b.conv1 b.relu1 b.conv2 b.add=b.conv2,conv b.relu2 fc',
    );
    expect(shown(remove(residual, { first: 2, last: 6 }))).toBe('conv relu fc');
    // A branch that is now empty counts once.
    expect(shown(remove(list('a b c=b,a'), { first: 1, last: 1 }))).toBe('a c');
    expect(shown(remove(list('a'), { first: 0, last: 0 }))).toBe('');
  });

  test('a copy is inserted after the part, with continued numbers', () => {
    expect(shown(duplicate(residual, { first: 2, last: 6 }, 'b'))).toBe(
      'conv relu b.conv1 b.relu1 b.conv2 b.add=b.conv2,relu b.relu2 ' +
        'b2.conv1 b2.relu1 b2.conv2 b2.add=b2.conv2,b.relu2 b2.relu2 fc',
    );
    expect(shown(duplicate(list('conv1 conv2 fc'), { first: 0, last: 0 }, 'conv1'))).toBe(
      'conv1 conv3 conv2 fc',
    );
    const blocks = list('l.0.a l.0.b=l.0.a,input l.1.a l.1.b=l.1.a,l.0.b');
    expect(shown(duplicate(blocks, { first: 0, last: 1 }, 'l.0'))).toContain('l.2.a l.2.b=l.2.a,l.0.b l.1.a');
  });

  test('neighbours are swapped in the graph', () => {
    expect(shown(swap(list('a b c d'), { first: 1, last: 1 }, { first: 2, last: 2 }))).toBe('a c b d');
    expect(shown(swap(list('a b'), { first: 0, last: 0 }, { first: 1, last: 1 }))).toBe('b a');
    // A block with the layer before it: its side inputs move along.
    expect(shown(swap(residual, { first: 1, last: 1 }, { first: 2, last: 6 }))).toBe(
      'conv b.conv1 b.relu1 b.conv2 b.add=b.conv2,conv b.relu2 relu fc',
    );
    // A sum and the activation after it.
    expect(shown(swap(residual, { first: 5, last: 5 }, { first: 6, last: 6 }))).toBe(
      'conv relu b.conv1 b.relu1 b.conv2 b.relu2 b.add=b.relu2,relu fc',
    );
    // Parallel branches are only swapped in the list.
    const beside = list('x a b=x c=a,b');
    expect(shown(swap(beside, { first: 1, last: 1 }, { first: 2, last: 2 }))).toBe('x b a=x c=a,b');
  });

  test('a swap that would split a block is refused', () => {
    const taken = list('x a b c=b,a');
    expect(swap(taken, { first: 1, last: 2 }, { first: 3, last: 3 })).toBeUndefined();
  });

  test('swapping twice restores the list', () => {
    const swapped = swap(residual, { first: 1, last: 1 }, { first: 2, last: 6 })!;
    expect(swap(swapped, { first: 1, last: 5 }, { first: 6, last: 6 })).toEqual(residual);
  });

  test('a new name is used everywhere', () => {
    expect(shown(rename(residual, 1, 'r'))).toContain('b.add=b.conv2,r');
    expect(setInputs(residual, 2, ['conv'])[2].inputs).toEqual(['conv']);
    expect(setInputs(residual, 2, ['relu'])[2].inputs).toBeUndefined();
  });

  test('attributes are set and removed', () => {
    const [layer] = setAttributes(list('a'), 0, { p: 1, q: undefined });
    expect(layer.attributes).toEqual({ p: 1 });
    expect(setAttributes([layer], 0, { p: undefined })[0]).toEqual({ name: 'a', op: 'a' });
  });

  test('names continue after those in use', () => {
    const taken = new Set(['conv1', 'conv2', 'fc']);
    expect(freshName(taken, 'conv')).toBe('conv3');
    expect(nextName(taken, 'conv1')).toBe('conv3');
    expect(nextName(taken, 'fc')).toBe('fc2');
  });
});

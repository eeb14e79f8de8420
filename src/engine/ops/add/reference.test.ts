import { expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { addForward } from './reference.ts';

test('by hand', () => expect([...addForward([1, 2], [3, 4], [5, 6])]).toEqual([9, 12]));

test("each term's gradient equals the sum's", () => {
  const other = normals(2, [7]).data;
  gradcheck(
    'add',
    normals(1, [7]).data,
    (v) => addForward(other, v, other),
    (dy) => dy,
  );
});

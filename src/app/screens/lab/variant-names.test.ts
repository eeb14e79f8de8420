import { expect, test } from 'vitest';
import { legendOf } from './variant-names.ts';

test('an example of each part that occurs', () => {
  const legend = legendOf(['one thread per output', '64x128x16 8x8, 4 slices', 'transposed, 32x32x16 4x4']);
  expect(legend.map(([example]) => example)).toEqual(['64x128x16 8x8', '4 slices', 'transposed']);
  const unstaged = legendOf(['non-fused, 8x64 8x8 unstaged, 4 a sum']);
  expect(unstaged.map(([example]) => example)).toEqual(['8x64 8x8 unstaged', '4 threads per sum']);
  expect(legendOf(['one thread per output'])).toEqual([]);
});

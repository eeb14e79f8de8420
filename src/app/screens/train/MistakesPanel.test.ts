import { beforeAll, expect, test, vi } from 'vitest';
import type * as Module from './MistakesPanel.tsx';

let commonest: typeof Module.commonest;
beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  ({ commonest } = await import('./MistakesPanel.tsx'));
});

test('the cells off the diagonal, most frequent first', () => {
  const counts = Uint32Array.of(90, 3, 0, 7, 80, 1, 0, 2, 95);
  expect(commonest(counts, 3, 2)).toEqual([
    { label: 1, prediction: 0, count: 7 },
    { label: 0, prediction: 1, count: 3 },
  ]);
  expect(commonest(Uint32Array.of(5, 0, 0, 5), 2, 3)).toEqual([]);
});

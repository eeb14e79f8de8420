import { beforeEach, expect, test, vi } from 'vitest';
import { ok, type Result } from '../../base/result.ts';
import type { DatasetEntry, ImagePage, WorkerApi } from '../../worker/api.ts';
import { usePad } from './pad-store.ts';
import { showTestImage } from './test-image.ts';
import { anyPart } from '../testing/any-part.ts';

const images = vi.fn<WorkerApi['data']['images']>();
vi.mock('../client.ts', () => ({
  ask: <T,>(question: (api: unknown) => Promise<Result<T>>) =>
    question(anyPart({ images, predictTrained: () => new Promise(() => undefined) })),
}));

beforeEach(() => {
  images.mockImplementation(async ({ first }) =>
    ok({
      images: Uint8Array.of(first),
      labels: Uint8Array.of(1),
      indices: Uint32Array.of(first),
      shape: [1, 1, 1],
      classes: ['zero', 'one'],
    } as Partial<ImagePage> as ImagePage),
  );
});

// Own images just taken: the entry is not yet of these.
const dataset = { name: 'own', classes: [] as string[], counts: { train: 100, test: 3 } } as DatasetEntry;

test('samples for the pad are test images, in turn', async () => {
  const origins = [];
  for (let at = 0; at < 4; at++) {
    await showTestImage(dataset, at);
    origins.push(usePad.getState().origin);
  }
  expect(origins).toEqual([0, 1, 2, 0].map((index) => `Test image ${index}: one`));
  expect(images.mock.calls.every(([query]) => query.split === 'test')).toBe(true);
});

import { expect, test } from 'vitest';
import { readJsonSample } from '../../../e2e/saved-by-0.1/samples.ts';
import type { SavedStorage } from '../../../e2e/saved-by-0.1/storage.ts';
import type { DbEntry } from '../../engine/ops/conv/choice/db.ts';
import { readDb } from '../../engine/ops/conv/choice/read-db.ts';
import { TuningResults } from '../../engine/ops/conv/choice/tuning-results.ts';

const { indexedDb } = readJsonSample<SavedStorage>('storage.json');
const entries = indexedDb.find(({ database }) => database === 'keyval-store')?.entries ?? [];
const kept = new Map(entries).get('find-db') as string;
const found = (JSON.parse(kept) as { entries: DbEntry[] }).entries;

test('tuning results of version 0.1 are read, and preserved when they are saved again', async () => {
  expect(found).toMatchObject([{ direction: 'fprop', best: { algorithm: expect.any(String) as string } }]);
  let text: string | undefined = kept;
  const results = new TuningResults(
    {
      read: async () => text,
      update: async (change) => {
        text = change(text);
      },
    },
    {
      runtime: found[0].runtime,
      name: 'find-db',
      onFailure: (failure) => {
        throw failure;
      },
    },
  );
  expect(readDb('find-db', await results.export()).entries).toEqual(found);
  expect(await results.import('found.json', kept)).toBe(found.length);
  expect(readDb('find-db', text).entries).toEqual(found);
});

import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJsonSample, samplePath } from '../../e2e/saved-by-0.1/samples.ts';
import { FindDb, type DbEntry } from '../engine/ops/conv/choice/db.ts';
import { readDb } from '../engine/ops/conv/choice/read-db.ts';
import { DIRECTIONS, convProblem } from '../engine/ops/conv/problem.ts';
import type { Device } from '../gpu/device.ts';
import { openTuningResults } from './tuning-results.ts';

const SAMPLE = 'cli/find-db.json';
const { entries } = readJsonSample<{ entries: DbEntry[] }>(SAMPLE);
const problem = convProblem({ N: 2, C: 4, H: 8, W: 8, K: 8, R: 3, S: 3, padding: [1, 1] });

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wgrad-'));
  file = join(folder, 'find-db.json');
  await copyFile(samplePath(SAMPLE), file);
});
afterAll(() => rm(folder, { recursive: true }));

test('a find-db of version 0.1 keeps its entries, and new ones are added', async () => {
  const text = JSON.stringify(readJsonSample(SAMPLE));
  expect(readDb('find-db.json', text).entries).toEqual(entries);
  const [vendor, architecture, description, driver] = entries[0].adapter.split(', ');
  const device = {
    adapter: { vendor, architecture, description, driver },
    kernels: { version: entries[0].kernels },
  } as unknown as Device;
  const db = await openTuningResults(file);
  const place = db.environmentOf(device);
  expect(place.adapter).toBe(entries[0].adapter);
  for (const [i, direction] of DIRECTIONS.entries()) {
    const known = new FindDb(entries).at({ ...place, runtime: entries[0].runtime });
    expect(known.entry(problem, direction, 'f32', 2 ** 26)).toEqual(entries[i]);
    // Another version of Dawn needs its own measurements.
    const here = place.runtime === entries[0].runtime ? entries[i] : undefined;
    expect(db.known(device).entry(problem, direction, 'f32', 2 ** 26)).toEqual(here);
  }

  await db.record(device, {
    problem,
    direction: 'fprop',
    number: 'f32',
    workspace: 7,
    tried: [],
    absent: [],
    ties: [],
    unclear: [],
    elapsedMs: 1,
  });
  const after = await openTuningResults(file);
  expect(after.known(device).entry(problem, 'fprop', 'f32', 7)).toBeDefined();
  expect(after.known(device).entry(problem, 'wgrad', 'f32', 2 ** 26)).toEqual(
    db.known(device).entry(problem, 'wgrad', 'f32', 2 ** 26),
  );
});

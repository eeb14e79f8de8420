import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { count } from '../base/testing/tier.ts';
import { readDb } from '../engine/ops/conv/choice/read-db.ts';
import type { FindResult } from '../engine/ops/conv/choice/types.ts';
import { convProblem } from '../engine/ops/conv/problem.ts';
import type { Device } from '../gpu/device.ts';
import { builtProgram, start } from './testing/program.ts';
import { openTuningResults } from './tuning-results.ts';

const writer = builtProgram('testing/find-db-writer.ts');
const problem = convProblem({ N: 2, C: 3, H: 8, W: 8, K: 4, R: 3, S: 3 });
const found = (direction: FindResult['direction']): FindResult => ({
  problem,
  direction,
  number: 'f32',
  workspace: 7,
  tried: [],
  absent: [],
  ties: [],
  unclear: [],
  elapsedMs: 1,
});
const device = {
  adapter: { vendor: 'v', architecture: 'a', description: 'd', driver: '' },
  kernels: { version: 'k' },
} as unknown as Device;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wgrad-'));
  file = join(folder, 'a folder', 'find-db.json');
});
afterEach(() => rm(folder, { recursive: true }));

describe('the find-db file', () => {
  it('is created by the first result, and read by the next process', async () => {
    const db = await openTuningResults(file);
    expect(db.known(device).entry(problem, 'fprop', 'f32', 7)).toBeUndefined();
    await db.record(device, found('fprop'));
    const next = await openTuningResults(file);
    expect(next.known(device).entry(problem, 'fprop', 'f32', 7)).toMatchObject({
      adapter: 'v, a, d',
      kernels: 'k',
      quarantine: [],
      runtime: expect.stringMatching(/^Node, webgpu \d+\.\d+\.\d+$/) as string,
    });
    expect(await readdir(join(folder, 'a folder'))).toEqual(['find-db.json']);
  });

  it('preserves what others wrote meanwhile, and reads it', async () => {
    const [a, b] = [await openTuningResults(file), await openTuningResults(file)];
    await a.record(device, found('fprop'));
    await b.record(device, found('wgrad'));
    for (const db of [b, await openTuningResults(file)]) {
      for (const direction of ['fprop', 'wgrad'] as const) {
        expect(db.known(device).entry(problem, direction, 'f32', 7)).toBeDefined();
      }
    }
  });

  it('loses nothing that several processes record at the same time', async () => {
    const PROCESSES = 5;
    const RECORDS = 6;
    for (let round = 0; round < count(2, 2, 20); round++) {
      const shared = join(folder, `${round}.json`);
      const ended = await Promise.all(
        Array.from({ length: PROCESSES }, (_, i) =>
          start(writer, [shared, String(i * RECORDS), String(RECORDS)]),
        ),
      );
      expect(ended.map(({ status, err }) => [status, err])).toEqual(ended.map(() => [0, '']));
      const { entries } = readDb(shared, await readFile(shared, 'utf8'));
      expect(entries, `in round ${round}`).toHaveLength(PROCESSES * RECORDS);
    }
  });

  it('replaces a result dated by a clock ahead', async () => {
    const ahead = new Date(Date.now() + 86_400_000).toISOString();
    await (await openTuningResults(file)).record(device, found('fprop'));
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/"date": "[^"]*"/, `"date": "${ahead}"`));
    const db = await openTuningResults(file);
    const date = () => db.known(device).entry(problem, 'fprop', 'f32', 7)?.date;
    expect(date()).toBe(ahead);
    await db.record(device, found('fprop'));
    expect(date()?.slice(0, 4)).toBe(String(new Date().getUTCFullYear()));
    expect(date()).not.toBe(ahead);
    expect(await readFile(file, 'utf8')).not.toContain(ahead);
  });

  it('that is another kind of file is refused and not changed', async () => {
    const other = join(folder, 'other.json');
    await writeFile(other, '{"format":"else"}');
    await expect(openTuningResults(other)).rejects.toMatchObject({
      code: 'bad-file',
      message: `${other}: expected format to be "wgrad find-db", found "else"`,
    });
    expect(await readFile(other, 'utf8')).toBe('{"format":"else"}');
  });

  it('whose folder is a file is a failure that names it', async () => {
    await writeFile(join(folder, 'a folder'), 'a file');
    await expect(openTuningResults(file)).rejects.toMatchObject({
      message: expect.stringContaining(file) as string,
    });
  });
});

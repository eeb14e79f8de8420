import { expect, test } from 'vitest';
import { readJsonSample, readSample } from '../../../../e2e/saved-by-0.1/samples.ts';
import { readSafetensors } from '../../../data/formats/safetensors.ts';
import { parseModel } from '../../../models/file/parse.ts';
import { withStoredSettings } from '../../../run/settings/stored.ts';
import type { Points } from '../../../run/metrics/points.ts';
import type { RunConfig, StoredRun } from '../../api.ts';
import { unpackRun } from './unzip.ts';
import { readArchive } from './format.ts';

/** A record of version 0.1. */
type OldRecord = Partial<Omit<StoredRun, 'confusion'>> & {
  points: Points;
  confusion?: Uint32Array;
  weights?: { step: number; bytes: number };
};

/** What the page of version 0.1 had of each once it was imported. */
const records = readJsonSample<Record<string, OldRecord>>('archives.json');

test.each(Object.keys(records))('%s.zip of version 0.1 is the same run here', async (name) => {
  const files = await unpackRun(name, readSample(`archives/${name}.zip`));
  const { record, points, weights } = await readArchive(files, async (text) =>
    parseModel('model.json', text),
  );
  const { weights: saved, points: curve, confusion, ...run } = records[name];
  const config = withStoredSettings<RunConfig>(name, run.config);
  const matrix = confusion ? { confusion: [...confusion] } : {};
  expect(record).toEqual({ ...run, ...matrix, config, kept: record.kept });
  expect(points).toEqual(curve);
  expect(points.step.length).toBeGreaterThan(10);
  expect({ step: weights?.step, bytes: weights?.bytes.length }).toEqual(saved);
  const { tensors } = readSafetensors(name, weights?.bytes ?? new Uint8Array());
  expect(tensors.size).toBeGreaterThan(1);
});

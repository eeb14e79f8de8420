import { expect, test } from 'vitest';
import { readJsonSample, readSample } from '../../../../e2e/saved-by-0.1/samples.ts';
import { readSafetensors } from '../../../data/formats/safetensors.ts';
import { parseModel } from '../../../models/file/parse.ts';
import { withStoredSettings } from '../../../run/settings/stored.ts';
import type { RunConfig } from '../../../worker/api.ts';
import { unpackRun } from '../../../worker/runs/archive.ts';
import { readRun } from './archive.ts';
import type { RunRecord } from '../../journal/record.ts';

/** What the page of version 0.1 had of each once it was imported. */
const records = readJsonSample<Record<string, Partial<RunRecord>>>('archives.json');

test.each(Object.keys(records))('%s.zip of version 0.1 is the same run here', async (name) => {
  const files = await unpackRun(name, readSample(`archives/${name}.zip`));
  const { record, weights } = await readRun(files, async (text) => parseModel('model.json', text));
  const { weights: saved, ...run } = records[name];
  const config = withStoredSettings<RunConfig>(name, run.config);
  expect(record).toEqual({ ...run, config, kept: record.kept });
  expect(record.points.step.length).toBeGreaterThan(10);
  expect({ step: weights?.step, bytes: weights?.bytes.length }).toEqual(saved);
  const { tensors } = readSafetensors(name, weights?.bytes ?? new Uint8Array());
  expect(tensors.size).toBeGreaterThan(1);
});

/** Kept runs as zip archives, and back. */
import { unlessFailure } from '../../../base/result.ts';
import { uniqueId } from '../../../base/unique-id.ts';
import { writeZip } from '../../../data/formats/zip-write.ts';
import { parseModel } from '../../../models/file/parse.ts';
import { toJson } from '../../../models/file/write.ts';
import { pack, unpack } from '../../../storage/packed.ts';
import type { HistogramRecord } from '../../../run/metrics/histograms.ts';
import { modelOf } from '../../builder/choice.ts';
import { filesOf, readArchive } from './format.ts';
import { asRunCheckpoint } from '../stored/checkpoint.ts';
import type { RunStore } from '../store.ts';
import { unpackRun } from './unzip.ts';

/** Everything that is kept of a run. */
export async function packRun(store: RunStore, id: string): Promise<Uint8Array<ArrayBuffer>> {
  const record = await store.get(id);
  const weights = await store.files.weights(id).catch(unlessFailure);
  const checkpoint = record.checkpoint && (await store.files.checkpoint(id));
  const histograms = await store.files.histograms(id);
  const files = filesOf(record, toJson(await modelOf(record.config.model)), {
    points: await store.files.curves(id),
    weights,
    checkpoint: checkpoint && Uint8Array.from(checkpoint.bytes),
    ...(histograms.length > 0 ? { histograms: await pack(histograms) } : {}),
  });
  return writeZip(files);
}

/** Keeps a run from an archive. Returns its name. @throws Failure that says what is wrong with the archive */
export async function importRun(store: RunStore, name: string, bytes: Uint8Array): Promise<string> {
  const files = await unpackRun(name, bytes);
  const read = await readArchive(files, async (text) => parseModel('model.json', text));
  const { record, points, weights, checkpoint } = read;
  const saved =
    checkpoint &&
    asRunCheckpoint('checkpoint.safetensors', await unpack('checkpoint.safetensors', checkpoint));
  const run = {
    ...record,
    sketch: [],
    ...(weights ? { weights: { step: weights.step } } : {}),
    ...(saved ? { checkpoint: { step: saved.step } } : {}),
  };
  const added = await store.add(run, uniqueId(), { points, weights: weights?.bytes, checkpoint });
  if (read.histograms) {
    const histograms = await unpack('histograms.safetensors', read.histograms);
    await store.files.keepHistograms(added.id, histograms as HistogramRecord[]);
  }
  return added.name;
}

import { expect, test } from 'vitest';
import { CurveLog } from '../run/metrics/curve-log.ts';
import type { StepRow } from '../run/metrics/rows.ts';
import { MemoryFileStore } from './file-store.ts';
import { RunFolder } from './run-folder.ts';

const rows = (from: number, to: number): StepRow[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({
    step: from + i,
    loss: 1 / (from + i),
    accuracy: 0.5,
    imagesPerSecond: 100,
    learningRate: 0.1,
  }));

/** A store that notes what is written. */
function make() {
  const store = new MemoryFileStore();
  const written: string[] = [];
  const write = store.write.bind(store);
  store.write = (path, ...rest) => {
    written.push(path);
    return write(path, ...rest);
  };
  return { store, written, folder: new RunFolder(store, 'a') };
}

test('curves are appended in chunks: only what has changed is written', async () => {
  const { written, folder } = make();
  const log = new CurveLog(10);
  log.add(rows(1, 5000));
  await folder.writeCurve(log);
  expect(written.splice(0)).toHaveLength(3);
  log.add(rows(5001, 5100));
  await folder.writeCurve(log);
  await folder.writeCurve(log);
  expect(written.splice(0)).toEqual(['a/curve-2.safetensors']);
  expect(await folder.readCurve()).toEqual(log.points());
});

test('what a rolled-back run had beyond its checkpoint goes, also after a crash in between', async () => {
  const { store, folder } = make();
  const log = new CurveLog(10);
  log.add(rows(1, 7000));
  await folder.writeCurve(log);
  const old = await store.read('a/curve-2.safetensors');
  log.cut(3000);
  log.add(rows(3001, 4096));
  await folder.writeCurve(log);
  expect((await store.list('a')).length).toBe(2);
  expect(await folder.readCurve()).toEqual(log.points());
  await store.write('a/curve-2.safetensors', old!);
  log.cut(3500);
  await folder.writeCurve(log);
  expect((await folder.readCurve()).step.at(-1)).toBe(3500);
});

test('a damaged chunk costs what comes from there on', async () => {
  const { store, folder } = make();
  const log = new CurveLog(10);
  log.add(rows(1, 5000));
  await folder.writeCurve(log);
  await store.write('a/curve-1.safetensors', Uint8Array.of(1, 2, 3));
  expect((await folder.readCurve()).step).toHaveLength(2048);
  await store.write('a/run.json', new TextEncoder().encode('{'));
  await expect(folder.readRecord()).rejects.toMatchObject({ code: 'bad-file' });
});

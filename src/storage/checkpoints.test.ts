import { expect, test } from 'vitest';
import { CheckpointFile } from './checkpoint-file.ts';
import { CheckpointWriter, newestWhole } from './checkpoints.ts';
import { OpfsFileStore } from './opfs.ts';
import { pack } from './packed.ts';
import { FakeDirectory, type FakeFile } from './testing.ts';

interface Run {
  step: number;
}
const check = (_: string, value: unknown) => value as Run;

function make() {
  const folder = new FakeDirectory();
  const store = new OpfsFileStore(async () => folder.handle);
  const open = () => new CheckpointFile(store, 'run');
  const file = (name: string) => folder.children.get(name) as FakeFile;
  const write = async (checkpoints: CheckpointFile, step: number) => checkpoints.write(await pack({ step }));
  return { folder, open, file, write, newest: () => newestWhole(open(), check) };
}

test('there is nothing at first, then always the newest, and nothing once it is deleted', async () => {
  const { open, write, newest } = make();
  expect(await newest()).toBeUndefined();
  const checkpoints = open();
  for (let step = 1; step <= 5; step++) {
    await write(checkpoints, step);
    expect(await newest()).toMatchObject({ value: { step }, skipped: [] });
  }
  // Another visit continues.
  await write(open(), 6);
  expect((await newest())?.value).toEqual({ step: 6 });
  expect(await open().read()).toHaveLength(2);
  await checkpoints.remove();
  expect(await newest()).toBeUndefined();
  await write(checkpoints, 7);
  expect((await newest())?.value).toEqual({ step: 7 });
});

test('a truncated or altered one is skipped, and overwritten by the next visit', async () => {
  const { open, file, write, newest } = make();
  const first = open();
  for (let step = 1; step <= 2; step++) await write(first, step);
  file('run').content = file('run').content.slice(0, -3);
  const found = await newest();
  expect(found).toMatchObject({ value: { step: 1 }, name: 'run.previous', skipped: [{ code: 'bad-file' }] });
  expect(found?.skipped[0].message).toMatch(/expected 32 bytes of tensor "sha256", found 29/);
  await write(open(), 3);
  expect(await newest()).toMatchObject({ value: { step: 3 }, name: 'run' });
  for (const name of ['run', 'run.previous']) file(name).content[140] ^= 1;
  await expect(newest()).rejects.toMatchObject({ code: 'bad-file' });
});

test('storage that fails halfway costs only the new one, and gives the reason', async () => {
  const { folder, open, write, newest } = make();
  const checkpoints = open();
  await write(checkpoints, 1);
  await write(checkpoints, 2);
  folder.faults.onWrite = new DOMException('quota', 'QuotaExceededError');
  await expect(write(checkpoints, 3)).rejects.toMatchObject({
    code: 'storage',
    message: "the checkpoint could not be written: the browser's storage could not write run: it is full",
  });
  expect((await newest())?.value).toEqual({ step: 2 });
  delete folder.faults.onWrite;
  await write(checkpoints, 4);
  expect((await newest())?.value).toEqual({ step: 4 });
});

test('a writer writes only the newest of those offered meanwhile, and continues after a failure', async () => {
  const { folder, open, newest } = make();
  const reported: (number | string)[] = [];
  const writer = new CheckpointWriter<Run>(
    open(),
    ({ step }) => reported.push(step),
    ({ message }) => reported.push(message),
  );
  for (let step = 1; step <= 4; step++) writer.offer({ step });
  await writer.done();
  expect(reported).toEqual([1, 4]);
  folder.faults.onWrite = new DOMException('quota', 'QuotaExceededError');
  writer.offer({ step: 5 });
  await writer.done();
  expect(reported.at(-1)).toMatch(/it is full/);
  delete folder.faults.onWrite;
  writer.offer({ step: 6 });
  await writer.done();
  expect(reported.at(-1)).toBe(6);
  expect((await newest())?.value).toEqual({ step: 6 });
});

import { expect, test } from 'vitest';
import { CheckpointSlots } from './checkpoint-slots.ts';
import { CheckpointWriter, newestWhole } from './checkpoints.ts';
import { pack } from './packed.ts';
import { FakeDirectory, type FakeFile } from './testing.ts';

interface Run {
  step: number;
}
const check = (_: string, value: unknown) => value as Run;

function make() {
  const folder = new FakeDirectory();
  const open = () => new CheckpointSlots(folder.handle);
  const file = (name: string) => folder.children.get(name) as FakeFile;
  const write = async (slots: CheckpointSlots, step: number) => slots.write(await pack({ step }));
  return { folder, open, file, write, newest: () => newestWhole(open(), check) };
}

test('there is nothing at first, then always the newest, and nothing once it is deleted', async () => {
  const { open, write, newest } = make();
  expect(await newest()).toBeUndefined();
  const slots = open();
  for (let step = 1; step <= 5; step++) {
    await write(slots, step);
    expect(await newest()).toMatchObject({ value: { step }, skipped: [] });
  }
  // Another visit continues in the same order.
  await write(open(), 6);
  expect((await newest())?.value).toEqual({ step: 6 });
  expect(await open().read()).toHaveLength(2);
  await slots.remove();
  expect(await newest()).toBeUndefined();
  await write(slots, 7);
  expect((await newest())?.value).toEqual({ step: 7 });
});

test('a truncated or altered one is skipped, and overwritten by the next visit', async () => {
  const { open, file, write, newest } = make();
  for (let step = 1; step <= 2; step++) await write(open(), step);
  const [{ name: damaged }] = await open().read();
  file(damaged).content = file(damaged).content.slice(0, -3);
  const found = await newest();
  expect(found).toMatchObject({ value: { step: 1 }, skipped: [{ code: 'bad-file' }] });
  expect(found?.skipped[0].message).toMatch(/the file is cut/);
  await write(open(), 3);
  expect(await newest()).toMatchObject({ value: { step: 3 }, name: damaged });
  const [, { name: other }] = await open().read();
  for (const name of [damaged, other]) file(name).content[40] ^= 1;
  await expect(newest()).rejects.toMatchObject({ code: 'bad-file' });
});

test('storage that fails halfway costs only the new one, and gives the reason', async () => {
  const { folder, open, write, newest } = make();
  const slots = open();
  await write(slots, 1);
  await write(slots, 2);
  folder.faults.onWrite = new DOMException('quota', 'QuotaExceededError');
  await expect(write(slots, 3)).rejects.toMatchObject({
    code: 'storage',
    message: "the browser's storage could not save the run: it is full",
  });
  expect((await newest())?.value).toEqual({ step: 2 });
  delete folder.faults.onWrite;
  await write(slots, 4);
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

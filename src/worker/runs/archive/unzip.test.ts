import { expect, test } from 'vitest';
import { expectWithin, processorTime } from '../../../base/testing/processor-time.ts';
import { writeZip } from '../../../data/formats/zip-write.ts';
import { unpackRun } from './unzip.ts';

test.each([
  ['config.json', 50e6],
  ['metrics.csv', 70e6],
  ['weights.safetensors', 60e6],
  ['checkpoint.safetensors', 60e6],
])('an archive whose %s would unpack to %d bytes is refused before it is unpacked', async (path, bytes) => {
  const bomb = await writeZip([{ path, bytes: new Uint8Array(bytes) }]);
  const began = processorTime();
  // Should it be unpacked, the test says so by name: to print the bytes would take minutes.
  const paths = unpackRun('bomb.zip', bomb).then((files) => files.map((file) => file.path));
  await expect(paths).rejects.toMatchObject({
    code: 'bad-file',
    message: expect.stringMatching(new RegExp(`^bomb.zip: ${path}: expected at most`)),
  });
  expectWithin(150, began);
});

test('other files of an archive are not unpacked', async () => {
  const archive = await writeZip([
    { path: 'movie.bin', bytes: new Uint8Array(50e6) },
    { path: 'config.json', bytes: Uint8Array.of(1) },
  ]);
  expect((await unpackRun('run.zip', archive)).map(({ path }) => path)).toEqual(['config.json']);
});

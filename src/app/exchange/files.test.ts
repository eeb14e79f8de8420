import { expect, test } from 'vitest';
import { zipOf } from '../../data/testing.ts';
import { isRunArchive } from './files.ts';

const archive = (name: string, ...paths: string[]) =>
  new File([zipOf(paths.map((path) => ({ path, data: new Uint8Array(3) })))], name);

test('the archive of a run is known by what is in it, whatever its name', async () => {
  const files = ['config.json', 'timings.json', 'weights.safetensors'];
  for (const name of ['run.zip', 'run.json', 'run'])
    expect(await isRunArchive(archive(name, ...files))).toBe(true);
  expect(await isRunArchive(archive('teachable.zip', 'model.json', 'weights.bin'))).toBe(false);
  expect(await isRunArchive(archive('net.pt', 'net/data.pkl', 'net/data/0'))).toBe(false);
  expect(await isRunArchive(archive('lenet5-notebook.zip', 'lenet5.ipynb', 'data/x'))).toBe(false);
  expect(await isRunArchive(new File(['{"timings.json": 1}'], 'log.json'))).toBe(false);
  // Its reader says what was expected.
  expect(await isRunArchive(archive('other.zip', 'words.txt'))).toBe(true);
});

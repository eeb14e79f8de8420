import { expect, test } from 'vitest';
import { writeZip } from './zip-write.ts';
import { readZip } from './zip.ts';

const LIMITS = { files: 10, bytes: 1e6 };

test('a written archive can be read, deflated or stored, in order', async () => {
  const text = new TextEncoder().encode('step,loss\n'.repeat(1000));
  const noise = Uint8Array.from({ length: 999 }, (_, i) => (i * 2654435761) >>> 13);
  const empty = new Uint8Array();
  const archive = await writeZip([
    { path: 'metrics.csv', bytes: text },
    { path: 'folder/näme.bin', bytes: noise },
    { path: 'empty', bytes: empty },
  ]);
  expect(archive.length).toBeLessThan(2000);
  const files = readZip('run.zip', archive, LIMITS);
  expect(files.map(({ path }) => path)).toEqual(['metrics.csv', 'folder/näme.bin', 'empty']);
  const contents = await Promise.all(files.map((file) => file.read()));
  expect(contents).toEqual([text, noise, empty]);
});

test('a changed byte is detected', async () => {
  const archive = await writeZip([{ path: 'a', bytes: Uint8Array.of(1, 2, 3) }]);
  archive[31]++;
  await expect(readZip('run.zip', archive, LIMITS)[0].read()).rejects.toThrow(/damaged/);
});

test('equal files give equal archives, also without files', async () => {
  const file = () => ({ path: 'a', bytes: new Uint8Array(100) });
  expect(await writeZip([file()])).toEqual(await writeZip([file()]));
  expect(readZip('none.zip', await writeZip([]), LIMITS)).toEqual([]);
});

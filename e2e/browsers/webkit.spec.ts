import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { zipOf } from '../../src/data/testing.ts';
import { trainDrawResume } from './processor.ts';
import { expect, test } from './visit.ts';

/** A picture of one colour. */
function png(colour: number): Buffer {
  const picture = new PNG({ width: 30, height: 30 });
  picture.data.fill(colour);
  return PNG.sync.write(picture);
}

const DATA = `[...document.querySelectorAll('button')].find((one) => one.textContent.startsWith('Data:'))`;
const USE = `[...document.querySelectorAll('button')].find((one) => one.textContent.startsWith('Use these images'))`;
const OWN = `[...document.querySelectorAll('label')].find((one) => one.textContent.startsWith('Your images'))`;

test('WebKitGTK: a person trains on the processor, draws, and resumes; own images are kept without private files', async ({
  visit,
}) => {
  const tab = await visit('WebKitGTK');
  await tab.open();
  const shown = () => tab.evaluate<string>('document.body.innerText');
  await tab.evaluate('navigator.serviceWorker.ready.then(() => null)');
  expect(await shown(), 'the first build is new itself').not.toContain('A new version is available');
  await trainDrawResume('WebKitGTK', tab);

  const root = mkdtempSync(join(tmpdir(), 'wgrad-webkit-'));
  const members = ['bright', 'dark'].flatMap((kind, k) =>
    [0, 1, 2].map((i) => ({ path: `${kind}/${i}.png`, data: png(120 * k + i), deflate: true })),
  );
  expect(await tab.evaluate(`'getDirectory' in (navigator.storage ?? {})`)).toBe(false);
  await tab.clickOn(DATA);
  await expect.poll(shown).toContain('Your images');
  await tab.clickOn(OWN);
  for (const name of ['first.zip', 'second.zip']) {
    writeFileSync(join(root, name), zipOf(members));
    await tab.upload('Files of images', join(root, name));
    await expect.poll(shown).toContain('Use these images');
    await tab.clickOn(USE);
    await expect.poll(shown).toContain(`From ${name}: `);
  }
  await tab.reload();
  await tab.clickOn(DATA);
  await expect.poll(shown).toContain('Your images');
  await tab.clickOn(OWN);
  await expect.poll(shown).toContain('From second.zip: bright (3), dark (3).');
  expect(await shown()).not.toContain('no longer available');
  rmSync(root, { recursive: true });
});

import { expect, test } from 'vitest';
import { writeZip } from '../../data/formats/zip-write.ts';
import { submissionOf, submissionText } from '../../lessons/submission.ts';
import { readSubmissions } from './read-files.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (name: string) =>
  submissionText(
    submissionOf({
      wgrad: '1.0.0',
      lesson: { name: 'loss', title: 'Loss', content: '0'.repeat(16) },
      name,
      began: '2026-03-01T12:00:00.000Z',
      answers: [],
      done: [],
      runs: [],
    }),
  );

test('files and archives of them are read; each that is wrong says so by its name', async () => {
  const zip = await writeZip([
    { path: 'class/ada.json', bytes: bytesOf(textOf('Ada')) },
    { path: 'class/photo.png', bytes: new Uint8Array(9) },
    { path: '__MACOSX/class/._ada.json', bytes: new Uint8Array(9) },
    { path: 'class/long.json', bytes: new Uint8Array(2e6) },
  ]);
  const files = [
    { name: 'class.zip', bytes: zip },
    { name: 'half.json', bytes: bytesOf('{') },
    { name: 'half.zip', bytes: zip.slice(0, 200) },
    { name: 'empty.zip', bytes: await writeZip([{ path: 'a.txt', bytes: new Uint8Array(1) }]) },
  ];
  const read = (await Promise.all(files.map(readSubmissions))).flat();
  expect(read.map(({ read: one }) => (one.ok ? one.value.submission.name : one.error.message))).toEqual([
    'Ada',
    'class/long.json: expected at most 400,000 characters, found 400,001',
    expect.stringMatching(/^half\.json: expected JSON/),
    expect.stringMatching(/^half\.zip/),
    'empty.zip: expected results of lessons in it, found none',
  ]);
});

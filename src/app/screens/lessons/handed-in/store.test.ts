import { beforeEach, expect, test, vi } from 'vitest';
import { attempt } from '../../../../base/result.ts';
import { handInOf, handInText } from '../../../../run/handed-in/format.ts';
import { readHandIns } from '../../../../worker/handing-in/read-files.ts';
import { clearHandIns, takeHandIns, useHandedIn } from './store.ts';

vi.mock('../../../client.ts', () => ({
  ask: (question: (api: unknown) => Promise<unknown>) =>
    attempt(() => question({ 'handing-in': { readHandIns } })),
}));

const text = handInText(
  handInOf({
    wgrad: '1.0.0',
    lesson: { name: 'loss', title: 'Loss', content: '0'.repeat(16) },
    name: 'Ada',
    began: '2026-03-01T12:00:00.000Z',
    answers: [],
    done: [],
    runs: [],
  }),
);
const given = (path: string, content: string) => ({
  path,
  file: new File([content], path.replace(/.*\//, '')),
});
const messages = () => useHandedIn.getState().failures.map(({ error }) => error.message);

beforeEach(clearHandIns);

test('a file that cannot be read, or is empty, says so beside the others, which are read', async () => {
  const gone = given('gone.json', text);
  gone.file.arrayBuffer = () => Promise.reject(new DOMException('it is not there', 'NotFoundError'));
  await takeHandIns([gone, given('empty.json', ''), given('ada.json', text)]);
  expect(useHandedIn.getState()).toMatchObject({ reading: false, entries: [{ handIn: { name: 'Ada' } }] });
  expect(messages()).toEqual([
    'gone.json: expected a file that can be read, found “it is not there”',
    expect.stringMatching(/^empty\.json: expected JSON/),
  ]);
});

test('of a folder, results are read, and two bad files of one name are distinguished; nothing is added twice', async () => {
  const folder = [
    given('class/ada/result.json', text),
    given('class/bob/result.json', '{'),
    given('class/eve/result.json', '{'),
    given('class/photo.png', 'a picture'),
  ];
  await takeHandIns(folder);
  await takeHandIns(folder);
  expect(useHandedIn.getState().entries).toHaveLength(1);
  expect(messages()).toEqual([
    expect.stringMatching(/^class\/bob\/result\.json: /),
    expect.stringMatching(/^class\/eve\/result\.json: /),
  ]);
});

test('a file larger than a school has is not read', async () => {
  const huge = given('huge.zip', '');
  Object.defineProperty(huge.file, 'size', { value: 2 ** 40 });
  huge.file.arrayBuffer = () => Promise.reject(new Error('It was read.'));
  await takeHandIns([huge]);
  expect(messages()).toEqual([`huge.zip: expected at most ${2 ** 28} bytes, found ${2 ** 40}`]);
});

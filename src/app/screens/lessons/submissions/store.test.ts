import { beforeEach, expect, test, vi } from 'vitest';
import { attempt } from '../../../../base/result.ts';
import { submissionOf, submissionText } from '../../../../lessons/submission.ts';
import { readSubmissions } from '../../../../worker/submission/read-files.ts';
import { clearSubmissions, addSubmissions, useSubmissions } from './store.ts';

vi.mock('../../../client.ts', () => ({
  ask: (question: (api: unknown) => Promise<unknown>) =>
    attempt(() => question({ submission: { readSubmissions } })),
}));

const text = submissionText(
  submissionOf({
    wgrad: '1.0.0',
    lesson: { name: 'loss', title: 'Loss', content: '0'.repeat(16) },
    name: 'Ada',
    began: '2026-03-01T12:00:00.000Z',
    answers: [],
    done: [],
    runs: [],
  }),
);
const given = (name: string, content: string) => new File([content], name);
const messages = () => useSubmissions.getState().failures.map(({ error }) => error.message);

beforeEach(clearSubmissions);

test('a file that cannot be read, or is empty, says so beside the others, which are read', async () => {
  const gone = given('gone.json', text);
  gone.arrayBuffer = () => Promise.reject(new DOMException('it is not there', 'NotFoundError'));
  await addSubmissions([gone, given('empty.json', ''), given('ada.json', text)]);
  expect(useSubmissions.getState()).toMatchObject({
    reading: false,
    entries: [{ submission: { name: 'Ada' } }],
  });
  expect(messages()).toEqual([
    'gone.json: expected a file that can be read, found “it is not there”',
    expect.stringMatching(/^empty\.json: expected JSON/),
  ]);
});

test('nothing is added twice', async () => {
  for (let i = 0; i < 2; i++) await addSubmissions([given('ada.json', text), given('bob.json', '{')]);
  expect(useSubmissions.getState().entries).toHaveLength(1);
  expect(messages()).toEqual([expect.stringMatching(/^bob\.json: /)]);
});

test('a file larger than a school has is not read', async () => {
  const huge = given('huge.zip', '');
  Object.defineProperty(huge, 'size', { value: 2 ** 40 });
  huge.arrayBuffer = () => Promise.reject(new Error('It was read.'));
  await addSubmissions([huge]);
  expect(messages()).toEqual([`huge.zip: expected at most ${2 ** 28} bytes, found ${2 ** 40}`]);
});

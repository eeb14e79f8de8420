import { expect, test } from 'vitest';
import { completed } from '../run/settings/rules.ts';
import {
  codeOf,
  fingerprintOf,
  submissionOf,
  submissionText,
  readSubmission,
  type Submission,
} from './submission.ts';
import type { Lesson } from './format.ts';
import { MAX_LOSSES, packLosses, unpackLosses } from './losses.ts';

const draft = async (): Promise<Submission> =>
  submissionOf({
    wgrad: '1.0.0',
    lesson: { name: 'loss', title: 'What a loss is', content: '0123456789abcdef' },
    name: 'Ada <b>L.</b>',
    began: '2026-03-01T12:00:00.000Z',
    prediction: 2,
    answers: [[], [1, 2]],
    done: [{ at: '2026-03-01T12:01:00.000Z', run: 0 }, null],
    runs: [
      {
        engine: 'cpu',
        adapter: 'CPU',
        model: 'lenet5',
        dataset: 'digits',
        images: '0'.repeat(64),
        settings: completed({ lr: 0.1, seed: 7 }),
        adjustments: [{ step: 2, lr: 0.2 }],
        pins: [{ layer: 'conv1', direction: 'fprop', algorithm: 'direct', launch: 'a' }],
        steps: 3,
        losses: await packLosses(Float32Array.of(2, 1, NaN)),
        test: { step: 3, testLoss: null, testAccuracy: 0.5 },
      },
    ],
  });

test('a submission is the same written and read again', async () => {
  const given = await draft();
  expect(await readSubmission('ada.json', submissionText(given))).toEqual({ ok: true, value: given });
});

test.each(['علی\u200cرضا', '👩\u200d🔬 Ada', 'Anne\u00admarie', 'नरेन्द्र', 'Đặng Thị Hường', '王小明'])(
  'the name %s is taken',
  async (name) => {
    expect(await readSubmission('ada.json', submissionText({ ...(await draft()), name }))).toMatchObject({
      ok: true,
      value: { name },
    });
  },
);

test('code and fingerprint are those of the content, in whichever order, the fingerprint’s in whichever language', async () => {
  const given = await draft();
  const code = await codeOf(given);
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  const turned = Object.fromEntries(Object.entries(given).toReversed()) as Submission;
  expect(await codeOf(turned)).toBe(code);
  expect(await codeOf({ ...given, prediction: 1 })).not.toBe(code);

  const lesson = { right: 1, settings: {}, texts: { title: 'Eine' } } as Lesson;
  const fingerprint = await fingerprintOf(lesson);
  expect(fingerprint).toMatch(/^[\da-f]{16}$/);
  expect(await fingerprintOf({ settings: {}, right: 1 } as Lesson)).toBe(fingerprint);
  expect(await fingerprintOf({ ...lesson, right: 2 })).not.toBe(fingerprint);
});

test.each([
  [1, 1],
  [MAX_LOSSES, 1],
  [MAX_LOSSES + 1, 2],
  [16_383, 17],
])('of %d steps every %dth loss is kept, and the last', async (steps, every) => {
  const losses = Float32Array.from({ length: steps }, (_, i) => i + 1);
  const packed = await packLosses(losses);
  const kept = unpackLosses(packed) ?? [];
  expect(packed.every).toBe(every);
  expect([kept[0], kept.at(-1), kept.length]).toEqual([every, steps, Math.ceil(steps / every)]);
  expect(packed.values.length).toBeLessThan(5500);
});

test('what is not a number has one form, so that its checksum is the same on every machine', async () => {
  const odd = new Float32Array(new Uint32Array([0xffc00001]).buffer);
  expect(await packLosses(odd)).toEqual(await packLosses(Float32Array.of(NaN)));
});

type Change = (submission: Submission & Record<string, unknown>) => unknown;

test.each<[string, Change, RegExp]>([
  [
    'another format',
    (h) => (h.format = 'lesson' as Submission['format']),
    /format to be "wgrad lesson result"/,
  ],
  ['another version', (h) => (h.version = 2 as 1), /version to be 1, found 2/],
  ['an unknown part', (h) => (h['script'] = 'alert(1)'), /script/],
  ['a name on two lines', (h) => (h.name = 'a\nb'), /name to be a text on one line/],
  ['a name that turns', (h) => (h.name = 'a\u202Eb'), /name to be a text on one line/],
  ['a name that nobody sees', (h) => (h.name = '\u3164\u2800'), /name to be a text with a letter that shows/],
  [
    'a name that covers others',
    (h) => (h.name = `a${'\u0310'.repeat(20)}`),
    /name to be a text without letters that cover/,
  ],
  ['a long name', (h) => (h.name = 'a'.repeat(81)), /name to be a text of at most 80 characters/],
  ['no date', (h) => (h.began = 'yesterday'), /began to be a date/],
  ['a fingerprint that is none', (h) => (h.lesson.content = 'x'), /lesson\.content to be 16 hexadecimal/],
  ['half an answer', (h) => (h.answers = [[0.5]]), /answers\.0\.0 to be a whole number/],
  ['a run that is not there', (h) => (h.done[0] = { at: h.began, run: 1 }), /done\.0\.run to be one of 1/],
  [
    'many runs',
    (h) => (h.runs = Array<Submission['runs'][0]>(13).fill(h.runs[0])),
    /runs to be a list of at most/,
  ],
  ['a setting out of range', (h) => (h.runs[0].settings.lr = -1), /runs\.0\.settings: expected lr to be/],
  [
    'a change out of range',
    (h) => (h.runs[0].adjustments[0].lr = 'fast' as unknown as number),
    /runs\.0\.adjustments\.0\.lr/,
  ],
  [
    'a change of what cannot change',
    (h) => Object.assign(h.runs[0].adjustments[0], { batchSize: 3 }),
    /runs\.0\.adjustments\.0\.batchSize/,
  ],
  ['no steps', (h) => (h.runs[0].steps = 0), /runs\.0\.steps to be at least one step/],
  [
    'steps without end',
    (h) => (h.runs[0].steps = 1e9),
    /runs\.0\.steps to be a whole number from 0 to 16383/,
  ],
  ['too few losses', (h) => (h.runs[0].steps = 4), /runs\.0 to be a loss for each of its steps/],
  ['losses of no step', (h) => (h.runs[0].losses.every = 0), /runs\.0 to be losses\.every to be what/],
  [
    'fewer losses than the format has',
    (h) => (h.runs[0].losses.every = 3),
    /runs\.0 to be losses\.every to be what/,
  ],
  [
    'losses that are none',
    (h) => (h.runs[0].losses.values = 'https://x'),
    /runs\.0\.losses\.values to be 32-bit numbers in base64/,
  ],
  ['bytes beyond', (h) => (h.runs[0].losses.values = 'AAAAAAA='), /losses\.values to be 32-bit/],
  ['a network without layers', (h) => (h.runs[0].model = {} as 'lenet5'), /runs\.0\.model/],
])('%s is refused', async (_, change, message) => {
  const given = (await draft()) as Submission & Record<string, unknown>;
  change(given);
  const read = await readSubmission('ada.json', submissionText(given));
  expect(read.ok ? 'it was taken' : read.error.message).toMatch(
    /^ada\.json: (runs\.0\.settings: )?expected /,
  );
  expect(read.ok ? 'it was taken' : read.error.message).toMatch(message);
});

test.each([
  ['nothing', '', /^ada\.json: expected JSON/],
  ['half a file', '{"format":', /^ada\.json: expected JSON/],
  ['a list', '[]', /^ada\.json: expected a value for format/],
  ['another file', '{"lesson":1}', /^ada\.json: expected a value for format/],
  ['depth', `${'['.repeat(1e5)}`, /^ada\.json: expected JSON.*64 levels/],
  ['length', ' '.repeat(400_001), /^ada\.json: expected at most 400,000 characters, found 400,001/],
])('%s in place of a file is refused', async (_, text, message) => {
  const read = await readSubmission('ada.json', text);
  expect(read.ok ? 'it was taken' : read.error.message).toMatch(message);
});

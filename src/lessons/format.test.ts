import { expect, test } from 'vitest';
import { readLink, VERSION } from '../app/share/link.ts';
import { lessonText, readLesson, type Lesson, type LessonNames } from './format.ts';

const KNOWN = {
  models: [{ name: 'lenet5', title: 'LeNet-5' }],
  datasets: [{ name: 'digits', title: 'Synthetic digits' }],
};
const NAMES: LessonNames = {
  screens: ['train', 'build', 'inspect', 'lessons'],
  mistakesIn: (settings) => readLink({ ...settings, v: VERSION }, KNOWN).mistakes,
};

/** A valid lesson, for tests to break. */
const draft = (): Lesson => ({
  lesson: 1,
  settings: { optimiser: 'sgd', lr: '0.1' },
  right: 2,
  tasks: [
    { show: 'lr', checks: [{ check: 'test-accuracy', atLeast: 0.9 }] },
    { screen: 'inspect/image', checks: [{ check: 'answer', of: '2' }] },
  ],
  texts: {
    title: 'A lesson',
    about: 'What a < b means, and 2 > 1.',
    intro: ['One.', 'Two.'],
    question: 'Which?',
    choices: ['This', 'That'],
    tasks: [
      { title: 'Train', text: 'Select Train.', done: 'Good.' },
      { title: 'Answer', text: 'Which?', choices: ['a', 'b'], done: 'Yes.' },
    ],
    explanation: ['Because.'],
  },
});

type Change = (lesson: Lesson & Record<string, unknown>) => unknown;

async function messageOf(text: string): Promise<string> {
  const read = await readLesson('mine.json', text, NAMES);
  return read.ok ? 'it was taken' : read.error.message;
}

const refusal = (change: Change): Promise<string> => {
  const lesson = draft() as Lesson & Record<string, unknown>;
  change(lesson);
  return messageOf(lessonText(lesson));
};

test('a lesson is the same written and read again', async () => {
  expect(await readLesson('mine.json', lessonText(draft()), NAMES)).toEqual({ ok: true, value: draft() });
});

test.each<[string, Change, RegExp]>([
  ['another version', (l) => Object.assign(l, { lesson: 2 }), /expected lesson to be 1, .*found 2/],
  ['an unknown part', (l) => (l['script'] = 'alert(1)'), /script/],
  ['an unknown part of a task', (l) => Object.assign(l.tasks[0], { run: true }), /tasks\.0\.run/],
  ['no tasks', (l) => (l.tasks = []), /tasks to be a list of 1 to 12/],
  ['a missing text', (l) => Reflect.deleteProperty(l.texts, 'title'), /texts\.title/],
  ['an empty text', (l) => (l.texts.title = ' '), /texts\.title to be a text that is not empty/],
  [
    'a long text',
    (l) => (l.texts.title = 'a'.repeat(81)),
    /texts\.title to be a text of at most 80 characters/,
  ],
  [
    'HTML',
    (l) => (l.texts.intro[1] = 'x <img src=a onerror=b> y'),
    /texts\.intro\.1 to be plain text, without HTML/,
  ],
  ['a closing tag', (l) => (l.texts.tasks[0].done = '</script>'), /texts\.tasks\.0\.done to be plain text/],
  [
    'an address',
    (l) => (l.texts.tasks[0].text = 'See https://example.org'),
    /texts\.tasks\.0\.text to be a text without addresses/,
  ],
  [
    'an address without its scheme',
    (l) => (l.texts.about = 'www.example.org'),
    /texts\.about to be a text without addresses/,
  ],
  [
    'a scheme that runs',
    (l) => (l.texts.question = 'javascript:alert(1)'),
    /texts\.question to be a text without addresses/,
  ],
  ['a choice that is not there', (l) => (l.right = 3), /right to be one of the 2 choices, found 3/],
  ['half a choice', (l) => (l.right = 1.5), /right to be the number of a choice/],
  [
    'texts for other tasks',
    (l) => l.texts.tasks.pop(),
    /texts\.tasks to have one entry for each of the 2 tasks, found 1/,
  ],
  [
    'an answer without choices',
    (l) => Reflect.deleteProperty(l.texts.tasks[1], 'choices'),
    /texts\.tasks\.1 to have choices/,
  ],
  [
    'choices without an answer',
    (l) => (l.texts.tasks[0].choices = ['a', 'b']),
    /texts\.tasks\.0 to have choices/,
  ],
  [
    'an answer that is not there',
    (l) => (l.tasks[1].checks[0].of = '3'),
    /tasks\.1\.checks to name one of the 2 choices, found 3/,
  ],
  [
    'an unknown check',
    (l) => Object.assign(l.tasks[0].checks[0], { check: 'eval' }),
    /tasks\.0\.checks\.0\.check to be \("loss" \| /,
  ],
  [
    'a check without a limit',
    (l) => Reflect.deleteProperty(l.tasks[0].checks[0], 'atLeast'),
    /tasks\.0\.checks\.0 to be the check test-accuracy with "atLeast" or "atMost"/,
  ],
  ['limits that cross', (l) => (l.tasks[0].checks[0].atMost = 0.1), /"atLeast" below "atMost"/],
  [
    'a check about nothing',
    (l) => (l.tasks[0].checks[0] = { check: 'layers', atLeast: 1 }),
    /the check layers with "of", an op/,
  ],
  [
    'an unknown op',
    (l) => (l.tasks[0].checks[0] = { check: 'layers', of: 'magic', atLeast: 1 }),
    /with "of", an op such as max_pool/,
  ],
  [
    'an unknown setting in a check',
    (l) => (l.tasks[0].checks[0] = { check: 'setting', of: 'colour', is: 'red' }),
    /a setting’s name in links/,
  ],
  [
    'a limit on a fact',
    (l) => (l.tasks[0].checks[0] = { check: 'diverged', atLeast: 1 }),
    /the check diverged without limits/,
  ],
  [
    'a limit that is a text',
    (l) => Object.assign(l.tasks[0].checks[0], { atLeast: '0.9' }),
    /tasks\.0\.checks\.0\.atLeast to be number, found "0\.9"/,
  ],
  [
    'a place that is a selector',
    (l) => (l.tasks[0].show = 'body *'),
    /tasks\.0\.show to be one of train, step, /,
  ],
  [
    'a screen elsewhere',
    (l) => (l.tasks[1].screen = 'https://example.org'),
    /tasks\.1\.screen to be a screen of this page/,
  ],
  [
    'a screen with parameters',
    (l) => (l.tasks[1].screen = 'train?v=2&lr=1'),
    /tasks\.1\.screen to be a screen of this page/,
  ],
  ['an unknown setting', (l) => (l.settings['colour'] = 'red'), /settings: colour: unknown setting/],
  ['a wrong setting', (l) => (l.settings['lr'] = 'fast'), /settings: lr: expected .* found "fast"/],
  [
    'a wrong setting of a task',
    (l) => (l.tasks[1].settings = { data: 'mnist' }),
    /tasks\.1\.settings: data: "mnist" is not available/,
  ],
  [
    'a setting that is a number',
    (l) => Object.assign(l.settings, { lr: 0.1 }),
    /settings\.lr to be string, found 0\.1/,
  ],
  [
    'a part of a link that is no setting',
    (l) => (l.settings['net'] = 'abc'),
    /settings: net: unknown setting/,
  ],
  ['a network that is none', (l) => Object.assign(l, { network: 'lenet5' }), /network/],
])('%s is refused at its place', async (_, change, message) => {
  const said = await refusal(change);
  expect(said).toMatch(message);
  expect(said).toMatch(/^mine\.json: /);
  expect(said.length).toBeLessThan(400);
});

test.each<[string, string, RegExp]>([
  ['nothing', '', /expected JSON/],
  ['no JSON', '{"lesson": 1,', /expected JSON/],
  ['no object', '[]', /expected a value for lesson/],
  ['too much', `"${'a'.repeat(300_000)}"`, /at most 200,000 characters, found 300,002/],
  ['nested deep', '['.repeat(100_000), /levels/],
  ['a prototype', `{"__proto__": {"lesson": 1}}`, /expected/],
])('%s is refused', async (_, text, message) => expect(await messageOf(text)).toMatch(message));

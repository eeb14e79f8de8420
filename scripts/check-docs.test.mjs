import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { checkDocs, filesOf } from './check-docs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
let files;
beforeAll(() => {
  files = filesOf(root);
});

/** What is said of a document that is this project's with a change. */
const check = (path, change) => {
  const text = change(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));
  return checkDocs(new Map([...files, [path, () => text]]))
    .filter(({ file }) => file === path)
    .map(({ message }) => message);
};
const saying = (sentence) => check('CONTRIBUTING.md', (text) => `${text}\n${sentence}\n`);

it('refuses what is not there', () => {
  const wrong = [
    ['The ink is in `base/ink.ts`.', 'there is no base/ink.ts'],
    ['It is a folder: `src/gpu/later.ts`', 'there is no src/gpu/later.ts'],
    ['See `src/nowhere/`.', 'there is no src/nowhere/'],
    ['`src/train/recipes/<name>.ts`', 'there is no src/train/recipes/<name>.ts'],
    ['`npm run polish`', 'package.json has no script polish'],
    ['`npm run -s wgrad -- fly`', 'wgrad has no command fly'],
    ['    npm run -s wgrad -- train --quietly', 'nothing has an option --quietly'],
    ['`WGRAD_NOTHING=1`', 'nothing reads WGRAD_NOTHING'],
    ['[A file](docs/nothing.md)', 'there is no docs/nothing.md'],
    ['[A heading](docs/models.md#nothing)', 'docs/models.md has no #nothing'],
  ];
  const [sentences, messages] = [0, 1].map((at) => wrong.map((one) => one[at]));
  expect(saying(sentences.join('\n'))).toEqual(messages);
});

it('allows what is there, by a part of its path, and what is built', () => {
  expect(
    saying(
      '`train/run.ts`, `shaders/<op>/`, `common/number`, `dist/x.js`, [a list](docs/models.md#ops-and-their-attributes), `npm run -s wgrad -- train --batch-size 8`, `WGRAD_SEED`',
    ),
  ).toEqual([]);
});

it('refuses a count that the code does not have', () => {
  const said = check('docs/features.md', (text) => text.replace('makes nine checks', 'makes ten checks'));
  expect(said).toEqual(['expected 9, found "makes ten checks"']);
});

it('refuses a sentence that it cannot find', () => {
  const said = check('docs/features.md', (text) => text.replace('makes nine checks', 'checks nine times'));
  expect(said).toEqual([expect.stringContaining('found none')]);
});

it('refuses a list that lacks something, or has something else', () => {
  expect(check('docs/models.md', (text) => text.replace('`dirac`', '`delta`'))).toEqual([
    'a list lacks dirac',
    'there is no delta any more',
  ]);
});

it('finds nothing in this project', () => {
  expect(checkDocs(files)).toEqual([]);
});

import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BuiltFrom } from './built-from.mjs';

/** A page like wgrad's in what it is made of. */
const FILES = {
  'index.html': '<script type="module" src="src/page.js"></script>',
  'package.json': '{"type": "module"}',
  'package-lock.json': '{}',
  'vite.config.js': `import { name } from './config/name.js'; export default { plugins: [{ name }] };`,
  'config/name.js': `export const name = 'own';`,
  'public/picture.svg': '<svg/>',
  'docs/glossary.md': '# Words',
  'lessons/en/one.json': '{"title": "One"}',
  'results/studies/first/gpu.jsonl': '{}',
  'shaders/gather/batch.wgsl': 'fn f() {}',
  'src/page.js': `import words from '../docs/glossary.md?raw'; import './look/page.css';
    console.log(words, import.meta.glob('../lessons/*/*.json', { eager: true }));
    console.log(import.meta.glob('../results/studies/*/*.jsonl', { query: '?raw' }));
    new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });`,
  'src/worker.js': `console.log(import.meta.glob('/shaders/**/*.wgsl', { eager: true, query: '?raw' }));`,
  'src/look/page.css': `@import './colours.css'; p { color: red }`,
  'src/look/colours.css': 'b { color: blue }',
  'deps/.installed': '1',
  // Not of the page.
  'src/page.test.js': '',
  'tools/measure.js': '',
  'node_modules/other/index.js': '',
};

let root;
let builtFrom;
const at = (file) => join(root, file);
function write(file, text) {
  mkdirSync(dirname(at(file)), { recursive: true });
  writeFileSync(at(file), text);
}
/** A while ago, as sources are. */
const age = (file) => utimesSync(at(file), 1e9, 1e9);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'wgrad built from '));
  for (const [file, text] of Object.entries(FILES)) {
    write(file, text);
    age(file);
  }
  builtFrom = new BuiltFrom(root, at('out/.stamp'), [at('deps/.installed')]);
  expect(builtFrom.isFresh()).toBe(false);
  await make();
});
afterAll(() => rmSync(root, { recursive: true }));

const make = (meanwhile = () => undefined) =>
  builtFrom.build(async ({ page, worker }) => {
    await build({
      root,
      logLevel: 'silent',
      plugins: [page],
      worker: { format: 'es', plugins: () => [worker()] },
      build: { outDir: 'out' },
    });
    meanwhile();
  });

test('nothing has changed, or only what the page is not made of', () => {
  expect(builtFrom.isFresh()).toBe(true);
  for (const file of ['src/page.test.js', 'tools/measure.js', 'node_modules/other/index.js'])
    write(file, '1');
  write('test-results/new.txt', '');
  write('src/new.test.js', '');
  expect(builtFrom.isFresh()).toBe(true);
});

test.each(Object.keys(FILES).slice(0, -3))('%s has changed, or is gone', (file) => {
  const { atime, mtime } = statSync(at(file));
  utimesSync(at(file), atime, new Date(+mtime + 1000));
  expect(builtFrom.isFresh()).toBe(false);
  rmSync(at(file));
  expect(builtFrom.isFresh()).toBe(false);
  write(file, FILES[file]);
  utimesSync(at(file), atime, mtime);
  expect(builtFrom.isFresh()).toBe(true);
});

test.each([
  'lessons/en/two.json',
  'lessons/fr/one.json',
  'results/studies/second/gpu.jsonl',
  'shaders/gather/other.wgsl',
  'shaders/new/deep/other.wgsl',
  'public/new/icon.svg',
  'vite.config.ts',
])('%s has appeared', (file) => {
  write(file, '');
  expect(builtFrom.isFresh()).toBe(false);
  rmSync(at(file));
  expect(builtFrom.isFresh()).toBe(true);
});

test('a build that fails, and one during which something changed, are not taken for the page', async () => {
  await expect(
    builtFrom.build(() => {
      throw new Error('a mistake');
    }),
  ).rejects.toThrow('a mistake');
  expect(builtFrom.isFresh()).toBe(false);
  await make(() => write('docs/glossary.md', '# More words'));
  expect(builtFrom.isFresh()).toBe(false);
  age('docs/glossary.md');
  await make();
  expect(builtFrom.isFresh()).toBe(true);
});

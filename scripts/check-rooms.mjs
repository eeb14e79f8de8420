// Checks the rules of the folders under src/, and of peers/: which room may import which, that only src/gpu names the raw GPU device,
// and that the folders of shaders/ mirror the engine's. Prints each violation and exits with status 1 if there are any.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ file: string, line: number, message: string }} Breach */

/** Rooms that compute: everything that the worker and the command line use. */
const BELOW = [
  'base',
  'run',
  'ops',
  'lessons',
  'gpu',
  'engine',
  'models',
  'train',
  'data',
  'exchange',
  'storage',
  'studies',
];

/**
 * For each room, the rooms that it may import, and those of which it may only import types, which vanish when built.
 */
export const ROOMS = {
  base: { imports: [], types: [] },
  run: { imports: ['base'], types: [] },
  ops: { imports: ['base'], types: [] },
  lessons: { imports: ['base', 'run', 'ops'], types: [] },
  gpu: { imports: ['base', 'run'], types: [] },
  cpu: { imports: ['base', 'gpu'], types: [] },
  engine: { imports: ['base', 'run', 'ops', 'gpu'], types: [] },
  models: { imports: ['base', 'run', 'ops', 'engine'], types: [] },
  train: { imports: ['base', 'run', 'lessons', 'gpu', 'engine', 'models'], types: ['data'] },
  data: { imports: ['base', 'run'], types: [] },
  exchange: { imports: ['base', 'run', 'ops', 'gpu', 'cpu', 'engine', 'models', 'data', 'train'], types: [] },
  storage: { imports: ['base', 'run', 'data'], types: [] },
  peers: {
    imports: ['base', 'run', 'gpu', 'cpu', 'engine', 'models', 'train', 'exchange', 'node'],
    types: [],
  },
  studies: { imports: ['base', 'run', 'gpu', 'engine', 'models', 'peers'], types: [] },
  'kernel-lessons': { imports: ['base', 'gpu', 'engine'], types: [] },
  worker: { imports: [...BELOW, 'cpu', 'kernel-lessons'], types: [] },
  node: { imports: ['base', 'run', 'gpu', 'cpu'], types: ['storage'] },
  cli: { imports: [...BELOW, 'node'], types: [] },
  app: { imports: ['base', 'run', 'ops', 'lessons'], types: [...BELOW, 'kernel-lessons'] },
};

/**
 * The types of the API between page and worker, which is all that the page sees of the worker. They may import what the
 * page may.
 */
const isApi = (file) => /^src\/worker\/([a-z-]+\/)?api\.ts$/.test(file);

/** Documents that rooms show. */
const SHOWN = { app: ['docs/glossary.md'], run: ['docs/pytorch.md'] };

/** Tests, and code that only tests use, may import anything. */
const isTest = (file) => /\.test\.tsx?$|\/testing(\/|\.ts$)/.test(file);

/** Static and dynamic imports and re-exports; group 1 is "type" for type-only imports. */
const IMPORT =
  /(?:\b(?:import|export)\s+(type\s)?\s*(?:[\w*${}\s,]+?\sfrom\s*)?|\bimport\s*\(\s*)['"]([^'"\n]+)['"]/g;

/**
 * @param {ReadonlyMap<string, string>} files text by path from the project's root, like "src/base/assert.ts"
 * @returns {Breach[]}
 */
export function checkImports(files) {
  const breaches = [];
  for (const [file, text] of files) {
    const code = withoutComments(text);
    const lineOf = (index) => code.slice(0, index).split('\n').length;
    for (const match of code.matchAll(IMPORT)) {
      const [, type, specifier] = match;
      if (!specifier.startsWith('.')) continue;
      const target = posix.join(posix.dirname(file), specifier.replace(/\?.*$/, ''));
      const message = isTest(file) ? undefined : refuse(file, target, type !== undefined);
      if (message) breaches.push({ file, line: lineOf(match.index), message });
    }
    if (!file.startsWith('src/gpu/') && !isTest(file)) {
      const found = /\bGPUDevice\b/.exec(code);
      if (found)
        breaches.push({ file, line: lineOf(found.index), message: 'only src/gpu may name GPUDevice' });
    }
  }
  return breaches;
}

/** Of "src/base/assert.ts": base. The peers have a folder of their own, beside the libraries that they need. */
const roomOf = (file) => file.replace(/^src\//, '').split('/')[0];

/** Why `file` may not import `target`; undefined if it may. */
function refuse(file, target, typeOnly) {
  const room = isApi(file) ? 'app' : roomOf(file);
  if (room === 'app' && isApi(target)) return undefined;
  const rules = ROOMS[room];
  if (!rules) return `src/${room} is no room: say in scripts/check-rooms.mjs what it may import`;
  // Help and the command line show them.
  if (SHOWN[room]?.includes(target)) return undefined;
  if (!/^(src|peers)\//.test(target)) return `imports ${target}, which is outside src and peers`;
  if (isTest(target) && !typeOnly) return `imports ${target}, which is only for tests`;
  const within = target.replace(/^src\//, '');
  const other = roomOf(target);
  const listed = (names) => names.includes(other) || names.includes(within);
  const own = roomOf(file) === other && !isApi(file);
  if (own || listed(rules.imports) || (typeOnly && listed(rules.types))) return undefined;
  const allowed =
    [...rules.imports, ...rules.types.map((name) => `types of ${name}`)].join(', ') || 'nothing';
  return `${room} may not import ${target} (it may import ${allowed})`;
}

/** Blanks out comments, without changing line numbers. */
function withoutComments(text) {
  return text.replace(
    /\/\*[\s\S]*?\*\/|(^|[^:'"])\/\/.*$/gm,
    (comment, before = '') => before + comment.replace(/[^\n]/g, ' ').slice(before.length),
  );
}

/**
 * Every folder of shaders/ but common has a counterpart under src/engine or src/train: shaders/conv/direct belongs to
 * src/engine/ops/conv/algorithms/direct. Its names occur in that path in order, the last one as a folder or a file.
 * @param {readonly string[]} shaderFolders like "conv/direct"
 * @param {readonly string[]} sources like "src/engine/ops/conv/algorithms/direct/index.ts"
 * @returns {Breach[]}
 */
export function checkMirror(shaderFolders, sources) {
  const paths = sources
    .filter((file) => /^src\/(engine|train)\//.test(file) && !isTest(file))
    .map((file) => file.replace(/\.ts$/, '').split('/'));
  return shaderFolders
    .filter((folder) => folder.split('/')[0] !== 'common')
    .filter((folder) => !paths.some((path) => inOrder(folder.split('/'), path)))
    .map((folder) => ({
      file: `shaders/${folder}`,
      line: 1,
      message: `no folder or file under src/engine or src/train is its counterpart`,
    }));
}

function inOrder(names, path) {
  let at = 0;
  for (const part of path) if (part === names[at]) at++;
  return at === names.length;
}

/** Paths below `root`/`folder`, from `root`, with slashes. */
function filesUnder(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      posix.join(
        folder,
        join(entry.parentPath ?? entry.path, entry.name)
          .slice(join(root, folder).length)
          .replaceAll('\\', '/'),
      ),
    );
}

/** @returns {Breach[]} */
export function checkProject(root) {
  const sources = ['src', 'peers']
    .flatMap((folder) => (existsSync(join(root, folder)) ? filesUnder(root, folder) : []))
    .filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$|\/node_modules\//.test(file));
  const files = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const shaders = existsSync(join(root, 'shaders')) ? filesUnder(root, 'shaders') : [];
  const folders = [...new Set(shaders.map((file) => dirname(file).slice('shaders/'.length)))].filter(Boolean);
  return [...checkImports(files), ...checkMirror(folders, sources)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const breaches = checkProject(fileURLToPath(new URL('..', import.meta.url)));
  for (const { file, line, message } of breaches) console.error(`${file}:${line}: ${message}`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
}

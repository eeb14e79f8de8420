// Checks what documents say of the project: the files, links, scripts, commands and options that they name exist, and
// counts and lists agree with the code. Prints each violation and exits with status 1 if there are any.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {ReadonlyMap<string, () => string>} Files texts by path */

const COUNT_WORDS =
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen'.split(' ');
const countOf = (word) =>
  /\d/.test(word) ? Number(word.replace(',', '')) : COUNT_WORDS.indexOf(word.toLowerCase());

/** The part of each path that a pattern's group matches: of `src/cli/commands/(\w+).ts`, the commands. */
const named = (files, pattern) => [
  ...new Set([...files.keys()].flatMap((path) => pattern.exec(path)?.slice(1, 2) ?? [])),
];

/** What a pattern's group matches in files, or after a string in them and up to the next "]". */
const found = (files, paths, pattern, after = '') =>
  [...files].flatMap(([path, text]) =>
    paths.test(path)
      ? [...(after ? text().split(after)[1].split(']')[0] : text()).matchAll(pattern)].map(([, name]) => name)
      : [],
  );

/** Names in backticks in the first column of the table with this head. */
const column = (head) => (text) =>
  text
    .split(new RegExp(`^\\| ${head} *\\|.*$`, 'm'))[1]
    .split('\n\n')[0]
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w./-]+)/g)].map(([, name]) => name));

const commandsOf = (files) => named(files, /^src\/cli\/commands\/(\w+)\.ts$/);
const settingsOf = (files) => found(files, /^src\/run\/settings\/table\.ts$/, /^ {2}(\w+): \{/gm);
const activationsOf = (files) => named(files, /^src\/ops\/activation\/(\w+)\.ts$/);

/** Counts: a document, where it says how many, and what there are. */
const COUNTS = [
  [
    'docs/features.md',
    /makes (\w+) checks/,
    (files) => named(files, /^src\/train\/doctor\/checks\/([\w-]+)\.ts$/),
  ],
  ['README.md', /(\w+) lessons lead from/, (files) => named(files, /^src\/kernel-lessons\/lessons\/(\w+)\//)],
  ['README.md', /(\w+)\s+studies measure/, (files) => named(files, /^src\/studies\/([\w-]+)\/index\.ts$/)],
  [
    'docs/features.md',
    /(\w+) (?:of five minutes )?that check/,
    (files) => named(files, /^lessons\/([\w-]+)\.json$/),
  ],
  [
    'docs/features.md',
    /(\w+) other activations/,
    (files) => activationsOf(files).filter((op) => op !== 'scale'),
  ],
];

/** Lists: a document, the names that it has, and what there are. */
const LISTS = [
  ['ARCHITECTURE.md', column('room'), (files) => [...named(files, /^(src\/[\w-]+)\//), 'shaders', 'peers']],
  [
    'docs/models.md',
    (text) =>
      [.../^- `weightsInit` .*?(?=^- )/ms.exec(text)[0].matchAll(/`([a-z_]+)`/g)].map(([, name]) => name),
    (files) => found(files, /^src\/engine\/init\.ts$/, /'(\w+)'/g, 'WEIGHTS_INITS = ['),
  ],
  [
    'docs/models.md',
    column('op'),
    (files) => [...found(files, /^src\/ops\/\w+\/index\.ts$/, /^ +op: '(\w+)'/gm), ...activationsOf(files)],
  ],
  ['docs/command-line.md', column('command'), commandsOf],
  [
    'docs/command-line.md',
    column('`--to`'),
    (files) => found(files, /^src\/exchange\/exporters\.ts$/, /^ {2}(\w+): \{$/gm),
  ],
  [
    'docs/hosting.md',
    column('`card`'),
    (files) => found(files, /^src\/app\/embed\/cards\.ts$/, /'(\w+)'/g, 'CARD_NAMES = ['),
  ],
];

/** What a document names that is not in the project: what is built, and what exports contain. */
const ELSEWHERE = /^(?:dist|\/|(?:model|load_weights|train)\.py$|peers\/node_modules)/;
/** Options of the programs that they start: Node, torchrun, Chromium. */
const OTHERS = /^(?:jitless|no-opt|single-threaded-gc|nproc|use-angle|(?:en|dis)able-.*)$/;
const EXTENSION = /\.(?:tsx?|mjs|js|py|wgsl|md|css|json)$/;

/** @param {Files} files @returns {{ file: string, line: number, message: string }[]} */
export function checkDocs(files) {
  const breaches = [];
  const paths = [...new Set([...files.keys()].flatMap((path) => [path, ...foldersOf(path)]))];
  const rooms = new Set(paths.map((path) => /^(?:(?:src|shaders|e2e|bench)\/)?([\w.-]+)$/.exec(path)?.[1]));
  const { scripts: byName, homepage } = JSON.parse(files.get('package.json')());
  const scripts = Object.keys(byName);
  const commands = commandsOf(files);
  const options = new Set([
    ...settingsOf(files).map((key) => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)),
    ...found(files, /^src\/run\/settings\/table\.ts$/, /option: '([\w-]+)'/g),
    ...found(files, /^(?:src\/cli|bench)\/.*\.(?:ts|mjs)$/, /^ +'?([a-z][a-z\d-]*)'?[:,]/gm),
    ...found(
      files,
      /^(?:scripts|bench|src\/cli|src\/exchange\/pytorch)\/.*(?<!\.test)\.(?:ts|mjs|py)$|theme\.css$/,
      /--([a-z][\w-]+)/g,
    ),
  ]);

  const variables = new Set(found(files, /(?<!\.test)\.(?:tsx?|mjs)$/, /\b(WGRAD_\w+)/g));

  /** Whether a path, which may be short for one further down, and may have <names>, is one of a file or folder. */
  const exists = (path) => {
    const pattern = path
      .replaceAll(/[.$+]/g, '\\$&')
      .replaceAll(/<\w+>|\*|NAME/g, '[^/]+')
      .replace(/\/$/, '');
    const whole = new RegExp(`(?:^|/)${pattern}${EXTENSION.test(path) ? '' : '(?:\\.[\\w.]+)?'}$`);
    return paths.some((one) => whole.test(one));
  };
  const isPath = (word) =>
    /^[\w.<>*-]+(?:\/[\w.<>*-]+)*\/?$/.test(word) &&
    !ELSEWHERE.test(word) &&
    (/\.(?:tsx?|mjs|py|wgsl)$/.test(word) || (word.includes('/') && rooms.has(word.split('/')[0])));

  for (const [file, read] of files) {
    if (!isDocument(file)) continue;
    const text = read();
    const refuse = ({ index }, message) =>
      breaches.push({ file, line: text.slice(0, index).split('\n').length, message });
    for (const match of text.matchAll(/`([^`\n]+)`|^ {4}(.+)$/gm)) {
      const code = match[1] ?? match[2];
      for (const word of code.split(/[\s,;()"]+/)) {
        if (isPath(word) && !exists(word)) refuse(match, `there is no ${word}`);
      }
      for (const [, script] of code.matchAll(/\bnpm (?:--prefix \S+ )?run (?:-s )?([\w:-]+)/g))
        if (!scripts.includes(script)) refuse(match, `package.json has no script ${script}`);
      for (const [, command] of code.matchAll(/\bwgrad -- ([a-z]\w*)/g))
        if (!commands.includes(command)) refuse(match, `wgrad has no command ${command}`);
      for (const [, option] of code.matchAll(/(?<=^|\s|\[)--([a-z][a-z\d-]+)/g))
        if (!options.has(option) && !OTHERS.test(option)) refuse(match, `nothing has an option --${option}`);
    }
    for (const match of text.matchAll(/\bWGRAD_\w+/g))
      if (!variables.has(match[0])) refuse(match, `nothing reads ${match[0]}`);
    for (const match of text.matchAll(/\]\(([^)\s:]*?)(?:#([\w-]+))?\)/g)) {
      const path = match[1] ? posix.join(posix.dirname(file), match[1]).replace(/\/$/, '') : file;
      if (!paths.includes(path)) refuse(match, `there is no ${path}`);
      else if (match[2] && !anchorsOf(files.get(path)()).includes(match[2]))
        refuse(match, `${path} has no #${match[2]}`);
    }
    if (file === 'README.md' && homepage && !text.includes(`](${homepage})`))
      refuse({ index: 0 }, `expected a link to ${homepage}, found none`);
    for (const [document, pattern, there] of COUNTS) {
      if (document !== file) continue;
      const match = pattern.exec(text);
      const { length } = there(files);
      if (!match) refuse({ index: 0 }, `expected a sentence like ${pattern}, found none`);
      else if (countOf(match[1]) !== length) refuse(match, `expected ${length}, found "${match[0]}"`);
    }
    for (const [document, names, there] of LISTS) {
      if (document !== file) continue;
      const [has, wanted] = [names(text), there(files)];
      for (const name of wanted) if (!has.includes(name)) refuse({ index: 0 }, `a list lacks ${name}`);
      for (const name of has)
        if (!wanted.includes(name)) refuse({ index: 0 }, `there is no ${name} any more`);
    }
  }
  return breaches;
}

const isDocument = (path) => /^(?:[A-Z]+|docs\/.*|bench\/[A-Z]+)\.md$/.test(path);
const foldersOf = (path) =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, i, parts) => parts.slice(0, i + 1).join('/'));
const anchorsOf = (text) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, head]) =>
    head
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

const BUILT = /(?:^|\/)(?:node_modules|dist[\w-]*|\.git|__pycache__|test-results|playwright-report)(?:\/|$)/;

/** All files of the project. @returns {Files} */
export function filesOf(root) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'));
  return new Map(
    paths
      .filter((path) => !BUILT.test(path))
      .map((path) => {
        let text;
        return [path, () => (text ??= readFileSync(join(root, path), 'utf8'))];
      }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const breaches = checkDocs(filesOf(fileURLToPath(new URL('..', import.meta.url))));
  for (const { file, line, message } of breaches) console.error(`${file}:${line}: ${message}`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
}

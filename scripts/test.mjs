// `npm test`, `npm run test:all` and `npm run test:exhaustive`: checks and tests, as test-plan.mjs lists them. A failure does not
// skip later stages.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countPlaywright, countVitest, slowest } from './test-reports.mjs';
import { V8_OPTIONS } from './v8-options.mjs';

/**
 * @typedef {import('./test-reports.mjs').Count} Count
 * @typedef {object} Stage
 * @property {string} name
 * @property {string[]} command the script that Node runs, and its arguments
 * @property {string[]} [options] of Node, also for the processes that it forks
 * @property {(stdout: string) => void} [take] receives its output
 * @property {boolean} [live] prints while it runs, also beside others
 * @property {Record<string, string>} [env]
 * @property {(report: any) => Count} [count] reads its report, a JSON file
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'wgrad-test-'));
const reportOf = (name) => join(reports, `${name}.json`);
const SLOWEST = 5;

/**
 * SwiftShader allocates for every kernel that it compiles. With these, glibc keeps what is freed, instead of getting it from
 * the system again: a twentieth of its CPU time. https://man7.org/linux/man-pages/man3/mallopt.3.html
 */
const KEEPS_MEMORY = { MALLOC_TRIM_THRESHOLD_: String(2 ** 30), MALLOC_MMAP_THRESHOLD_: String(2 ** 25) };

const [tier = 'quick'] = process.argv.slice(2);
process.env.WGRAD_TESTS = tier;
process.env.WGRAD_SEED ??= tier === 'exhaustive' || process.env.CI ? String(randomInt(2 ** 31)) : '1';
const { PATHS, JOURNEYS } = await import('./test-plan.mjs');

/** @returns {Stage} */
const vitest = (...files) => ({
  name: 'tests',
  live: true,
  command: [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...files,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportOf('tests')}`,
  ],
  options: V8_OPTIONS,
  env: KEEPS_MEMORY,
  count: countVitest,
});

/** @returns {Stage} */
const journeys = (name, words) => ({
  name,
  command: [
    'node_modules/@playwright/test/cli.js',
    'test',
    ...words,
    '--reporter=list,json',
    `--output=test-results/${name.replaceAll(' ', '-')}`,
  ],
  options: V8_OPTIONS,
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf(name) },
  count: countPlaywright,
});

/** @type {Stage} */
const peers = { name: 'peers', command: ['scripts/peers.mjs'] };
/** @type {Stage} */
const build = {
  name: 'build',
  command: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  options: V8_OPTIONS,
};
/** @type {Stage} */
const browser = {
  name: 'browser',
  command: ['scripts/install-browsers.mjs'],
  take: (stdout) => (process.env.CHROME_PATH = stdout.trim()),
};

const projects = Object.keys(JOURNEYS).filter((name) => name !== 'exhaustive');

/** Stages of one row run in parallel. A row starts when the one before has ended. @type {Stage[][]} */
const ALL = [
  [peers],
  [
    { name: 'format', command: ['node_modules/oxfmt/bin/oxfmt', '--check'] },
    { name: 'lint', command: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'] },
    { name: 'rooms', command: ['scripts/check-rooms.mjs'] },
    { name: 'styles', command: ['scripts/check-styles.mjs'] },
    { name: 'names', command: ['scripts/check-types.mjs'] },
    { name: 'docs', command: ['scripts/check-docs.mjs'] },
    { name: 'types', command: ['node_modules/typescript/bin/tsc', '--noEmit'] },
    build,
    browser,
  ],
  // Pages wait for what they show, and tests for what they start: side by side, each computes while the other waits.
  [
    vitest(),
    journeys(
      'e2e',
      projects.map((name) => `--project=${name}`),
    ),
  ],
];

/** @type {Stage[][]} */
const EXHAUSTIVE = PATHS && [
  [peers],
  [build, browser],
  [vitest(...PATHS.vitest)],
  // What is quick must catch every fault put in, and at the usual counts, no kernel may race.
  [{ name: 'faults', command: ['scripts/mutants/run.mjs'], env: { WGRAD_TESTS: 'quick' } }],
  [
    {
      name: 'races',
      command: ['node_modules/vitest/vitest.mjs', 'run', '--project=cpu', '--reporter=dot', 'src/engine'],
      env: { WGRAD_TESTS: 'all', WGRAD_RACES: '1' },
    },
  ],
  // Both train for half an hour, at whatever speed.
  [{ name: 'soak', command: ['scripts/soak.mjs'] }, journeys('e2e', ['--workers=1', ...PATHS.journeys])],
];

/** Runs a stage. In parallel with others, its output is printed at once when it ends, unless it is live. */
async function run({ name, command: [script, ...words], options = [], take, live, env, count }, beside) {
  const start = performance.now();
  const inherits = live === true || !beside;
  if (inherits) console.log(`\n== ${name}`);
  const child = spawn(process.execPath, [...options, join(root, script), ...words], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: inherits ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let stdout = '';
  child.stdout?.on('data', (text) => {
    printed += text;
    stdout += text;
  });
  child.stderr?.on('data', (text) => (printed += text));
  let ok = await new Promise((resolve) => {
    child.on('error', (error) => {
      printed += error.message;
      resolve(false);
    });
    child.on('close', (status) => resolve(status === 0));
  });
  if (!inherits) console.log(`\n== ${name}\n${printed.trimEnd()}`);
  if (ok) take?.(stdout);
  const seconds = (performance.now() - start) / 1000;
  if (!count) return { name, seconds, ok };
  /** @type {Count} */
  let counted = { passed: 0, failed: 0, failures: [], flaky: [], skipped: [], files: new Map() };
  try {
    counted = count(JSON.parse(readFileSync(reportOf(name), 'utf8')));
  } catch (error) {
    console.error(`${name} left no report: ${error.message}`);
    ok = false;
  }
  // A failure before any test counts as one.
  return { name, seconds, ok, ...counted, failed: ok ? counted.failed : Math.max(1, counted.failed) };
}

/**
 * Processor time of this process and of all below it that have ended, in seconds; NaN where there is no /proc. See utime to
 * cstime in https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, in hundredths.
 */
function processorSeconds() {
  if (!existsSync('/proc/self/stat')) return NaN;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

const start = performance.now();
const results = [];
for (const row of PATHS ? EXHAUSTIVE : ALL)
  results.push(...(await Promise.all(row.map((stage) => run(stage, row.length > 1)))));
rmSync(reports, { recursive: true, force: true });

console.log();
for (const { name, seconds, ok, passed, failed } of results) {
  const tests = passed === undefined ? '' : `  ${passed} passed, ${failed} failed`;
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(10)}${seconds.toFixed(1).padStart(7)} s${tests}`);
}
const counted = (...names) => results.filter((result) => result.files && names.includes(result.name));
for (const [title, counts] of [
  ['unit and GPU tests', counted('tests')],
  ['journeys', counted('e2e')],
]) {
  if (counts.length === 0) continue;
  console.log(`\nThe slowest files of the ${title}:`);
  for (const [file, seconds] of slowest(counts, SLOWEST))
    console.log(`${seconds.toFixed(1).padStart(9)} s  ${file.replace(root, '')}`);
}
for (const reason of new Set(results.flatMap(({ skipped = [] }) => skipped)))
  console.log(`\nSKIPPED: ${reason}`);
// The end of the output is what is read first, and may be all that was kept of it.
for (const [title, key] of [
  ['PASSED ONLY WHEN TRIED AGAIN', 'flaky'],
  ['FAILED', 'failures'],
])
  for (const test of results.flatMap((result) => result[key] ?? []))
    console.log(`\n${title}: ${test.replaceAll(root, '')}`);
const total = (key) => results.reduce((sum, result) => sum + (result[key] ?? 0), 0);
const seconds = Math.round((performance.now() - start) / 1000);
console.log(
  `\n${total('passed')} passed, ${total('failed')} failed, in ${Math.floor(seconds / 60)} min ${seconds % 60} s ` +
    `and ${processorSeconds().toFixed(0)} s of processor time; seed ${process.env.WGRAD_SEED}`,
);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;

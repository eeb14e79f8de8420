// Runs the tests of a folder once for each fault of list.mjs, on the CPU engine, and prints which are caught.
// `node scripts/mutants/run.mjs [text]`: only those whose file or text contains it.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MUTANTS } from './list.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'wgrad-mutants-'));
let reportCount = 0;
const [wanted = ''] = process.argv.slice(2);
/** Tests that take much longer with a fault than without hang, which is a failure, too. */
const limitMs = (withoutFault) => 60_000 + 5 * withoutFault;
const MOST_MS = 1_800_000;

/** What a test's message looks like if the fault is not even WGSL or TypeScript. */
const INVALID = /no pipeline|does not compile|\.wgsl:\d+: |SyntaxError|Transform failed|ReferenceError/;

/** Processes that run: none of them outlives this one. */
const children = new Set();
process.on('exit', () => {
  for (const { pid } of children) process.kill(-pid, 'SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/**
 * The first failure of tests; undefined if they pass.
 * @param tests folders and beginnings of paths
 * @param limit milliseconds
 * @param number of the fault, if there is one
 */
async function firstFailure(tests, limit, number) {
  const report = join(reports, `${reportCount++}.json`);
  const child = spawn(
    process.execPath,
    [
      ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', root],
      ...['--config', join(root, 'scripts/mutants/vitest.config.ts'), '--project=cpu', '--project=unit'],
      ...['--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`],
      ...tests.split(' '),
    ],
    {
      cwd: root,
      env: { ...process.env, WGRAD_MUTANT: String(number ?? '') },
      stdio: 'ignore',
      detached: true,
    },
  );
  children.add(child);
  let hangs = false;
  const timer = setTimeout(() => {
    hangs = true;
    process.kill(-child.pid, 'SIGKILL');
  }, limit);
  await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  children.delete(child);
  if (hangs) return { test: 'they hang', message: '' };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  for (const { assertionResults, message } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    if (failed) return { test: failed.fullName, message: failed.failureMessages[0] };
    if (message) return { test: 'a file does not load', message };
  }
  if (testResults.every(({ assertionResults }) => assertionResults.length === 0))
    throw new Error(`no tests in ${tests}`);
  return undefined;
}

const numbers = [...MUTANTS.keys()].filter((number) => JSON.stringify(MUTANTS[number]).includes(wanted));
for (const { file, replace } of numbers.map((number) => MUTANTS[number])) {
  const found = readFileSync(join(root, file), 'utf8').split(replace).length - 1;
  if (found !== 1) throw new Error(`${file} has ${found} times what is to be replaced: ${replace}`);
}

/** How long tests take without a fault, in milliseconds. @type {Map<string, Promise<number>>} */
const clean = new Map();
async function timeWithoutFault(tests) {
  const start = performance.now();
  const broken = await firstFailure(tests, MOST_MS);
  if (broken) throw new Error(`without a fault, ${broken.test} fails: ${broken.message}`);
  const ms = performance.now() - start;
  console.log(`no fault ${(ms / 1000).toFixed(0).padStart(3)} s  ${tests}`);
  return ms;
}

const open = [...numbers];
let caught = 0;
async function work() {
  for (let number = open.shift(); number !== undefined; number = open.shift()) {
    const { file, replace, by, tests } = MUTANTS[number];
    if (!clean.has(tests)) clean.set(tests, timeWithoutFault(tests));
    const limit = limitMs(await clean.get(tests));
    const start = performance.now();
    const failure = await firstFailure(tests, limit, number);
    const invalid = failure !== undefined && INVALID.test(failure.message);
    if (failure && !invalid) caught++;
    const verdict = invalid ? 'INVALID ' : failure ? 'caught  ' : 'SURVIVED';
    const seconds = ((performance.now() - start) / 1000).toFixed(0).padStart(3);
    const where = failure
      ? `${failure.test}: ${failure.message.split('\n')[0].slice(0, 100)}`
      : `"${replace}" as "${by}"`;
    console.log(`${verdict} ${seconds} s  ${file}: ${where}`);
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
rmSync(reports, { recursive: true, force: true });
console.log(`\n${caught} of ${numbers.length} faults caught`);
process.exitCode = caught === numbers.length ? 0 : 1;

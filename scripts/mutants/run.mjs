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
const [wanted = ''] = process.argv.slice(2);
/** Tests of a folder that take longer hang, which is a failure, too. */
const LIMIT_MS = 300_000;

/** What a test's message looks like if the fault is not even WGSL or TypeScript. */
const INVALID = /no pipeline|does not compile|\.wgsl:\d+: |SyntaxError|Transform failed|ReferenceError/;

/** The first failure of a fault's tests, or without a fault those of all; undefined if they pass. */
async function firstFailure(number) {
  const tests =
    number === undefined
      ? [...new Set(numbers.flatMap((one) => MUTANTS[one].tests.split(' ')))]
      : MUTANTS[number].tests.split(' ');
  const report = join(reports, `${number}.json`);
  const child = spawn(
    process.execPath,
    [
      ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', root],
      ...['--config', join(root, 'scripts/mutants/vitest.config.ts'), '--project=cpu', '--project=unit'],
      ...['--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`],
      ...tests,
    ],
    {
      cwd: root,
      env: { ...process.env, WGRAD_MUTANT: String(number ?? '') },
      stdio: 'ignore',
      detached: true,
    },
  );
  let hangs = false;
  const timer = setTimeout(() => {
    hangs = true;
    process.kill(-child.pid, 'SIGKILL');
  }, LIMIT_MS);
  await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  if (hangs) return { test: 'they hang', message: '' };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  for (const { assertionResults, message } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    if (failed) return { test: failed.fullName, message: failed.failureMessages[0] };
    if (message) return { test: 'a file does not load', message };
  }
  if (testResults.every(({ assertionResults }) => assertionResults.length === 0))
    throw new Error(`no tests in ${tests.join(' ')}`);
  return undefined;
}

const numbers = [...MUTANTS.keys()].filter((number) => JSON.stringify(MUTANTS[number]).includes(wanted));
for (const { file, replace } of numbers.map((number) => MUTANTS[number])) {
  const found = readFileSync(join(root, file), 'utf8').split(replace).length - 1;
  if (found !== 1) throw new Error(`${file} has ${found} times what is to be replaced: ${replace}`);
}

const broken = await firstFailure(undefined);
if (broken) throw new Error(`without a fault, ${broken.test} fails: ${broken.message}`);

const open = [...numbers];
let caught = 0;
async function work() {
  for (let number = open.shift(); number !== undefined; number = open.shift()) {
    const { file, replace, by } = MUTANTS[number];
    const start = performance.now();
    const failure = await firstFailure(number);
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

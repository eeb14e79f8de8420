// `npm test`: all that says whether wgrad is in order, one stage after the other; a failure does not hide the next.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBrowser } from './browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'wgrad-test-'));
const reportOf = (name) => join(reports, `${name}.json`);
const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf('e2e') };

/** Runs a program of node_modules or of the project; true if it ended well. */
function node(script, ...words) {
  return (
    spawnSync(process.execPath, [join(root, script), ...words], { cwd: root, env, stdio: 'inherit' })
      .status === 0
  );
}

const stages = {
  format: () => node('node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
  lint: () => node('node_modules/oxlint/bin/oxlint', '--deny-warnings'),
  rooms: () => node('scripts/check-rooms.mjs'),
  types: () => node('node_modules/typescript/bin/tsc', '--noEmit'),
  browser: () => {
    env.CHROME_PATH = ensureBrowser();
    console.log(env.CHROME_PATH);
    return true;
  },
  tests: () =>
    node(
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportOf('tests')}`,
    ),
  build: () => node('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'),
  e2e: () => node('node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'),
};

/** Passed and failed tests of a stage that counts them. A failure before any test counts as one. */
const counts = {
  tests: ({ numPassedTests, numFailedTests }) => [numPassedTests, numFailedTests],
  e2e: ({ stats, errors }) => [stats.expected + stats.flaky, stats.unexpected + errors.length],
};

function count(name, ok) {
  let passed = 0;
  let failed = 0;
  try {
    [passed, failed] = counts[name](JSON.parse(readFileSync(reportOf(name), 'utf8')));
  } catch (error) {
    console.error(`${name} left no report: ${error.message}`);
    ok = false;
  }
  return { passed, failed: ok ? failed : Math.max(1, failed), ok };
}

const results = Object.entries(stages).map(([name, run]) => {
  console.log(`\n== ${name}`);
  const start = performance.now();
  let ok;
  try {
    ok = run();
  } catch (error) {
    console.error(error.message);
    ok = false;
  }
  const seconds = (performance.now() - start) / 1000;
  return { name, seconds, ok, ...(name in counts ? count(name, ok) : {}) };
});
rmSync(reports, { recursive: true, force: true });

console.log();
for (const { name, seconds, ok, passed, failed } of results) {
  const tests = passed === undefined ? '' : `  ${passed} passed, ${failed} failed`;
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(8)}${seconds.toFixed(1).padStart(7)} s${tests}`);
}
const total = (key) => results.reduce((sum, result) => sum + (result[key] ?? 0), 0);
console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;

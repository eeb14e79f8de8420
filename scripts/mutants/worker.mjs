// Runs tests with one fault after the other: a child process of run.mjs, so that it can be killed when they hang. Vite and
// what it transforms stay; the file with the fault is loaded again.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import { MUTANTS } from './all.mjs';

/**
 * @typedef {object} Task
 * @property {number} [number] among all faults; absent: without a fault
 * @property {string} tests as in mutant.mjs
 * @property {string[]} [only] ids of the tests to run
 *
 * @typedef {object} Outcome
 * @property {number} ran how many tests ended
 * @property {Failed} [failed] the first test that failed
 *
 * @typedef {object} Failed
 * @property {string} [file] its path; absent if that does not load
 * @property {string} test its name
 * @property {string} [id] absent if its file does not load
 * @property {string} message
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Of the task that runs: what Vitest returns contains tests of earlier ones. @type {Outcome} */
let outcome = { ran: 0 };
const reporter = {
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result();
    if (state === 'passed' || state === 'failed') outcome.ran++;
    if (state !== 'failed') return;
    outcome.failed ??= {
      file: relative(root, test.module.moduleId),
      test: test.fullName,
      id: test.id,
      message: errors[0]?.message ?? '',
    };
    // Nothing is left to learn from the others.
    void vitest.cancelCurrentRun('test-failure');
  },
  onTestModuleEnd(module) {
    const [error] = module.errors();
    if (error) outcome.failed ??= { test: 'a file does not load', message: error.message };
  },
};
// Each time the same random networks.
process.env.WGRAD_SEED = '1';
const vitest = await createVitest('test', {
  root,
  config: fileURLToPath(new URL('vitest.config.ts', import.meta.url)),
  project: ['cpu', 'unit', 'components'],
  watch: false,
  maxWorkers: 1,
  reporters: [reporter],
});

/** @param {Task} task @returns {Promise<Outcome>} */
async function run({ number, tests, only }) {
  process.env.WGRAD_MUTANT = String(number ?? '');
  const file =
    number === undefined
      ? undefined
      : fileURLToPath(new URL(`../../${MUTANTS[number].file}`, import.meta.url));
  if (file) vitest.invalidateFile(file);
  const found = await vitest.globTestSpecifications(tests.split(' '));
  const specifications = only
    ? found.map(({ project, moduleId }) => project.createSpecification(moduleId, { testIds: only }))
    : found;
  outcome = { ran: 0 };
  await vitest.runTestSpecifications(specifications);
  // The next task finds it without the fault.
  if (file) vitest.invalidateFile(file);
  return outcome;
}

process.on('message', async (/** @type {Task} */ task) => process.send?.(await run(task)));
process.on('disconnect', () => process.exit());
process.send?.('ready');

// Reads the reports of Vitest and Playwright into one form.

/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} failures each failed test by name, with the beginning of its message
 * @property {string[]} flaky tests that passed only when tried again
 * @property {string[]} skipped why tests were skipped, each reason once
 * @property {Map<string, number>} files seconds by test file
 */

/** @returns {Count} of Vitest's JSON report */
export function countVitest({ numPassedTests, numFailedTests, testResults }) {
  const files = new Map(
    testResults.map(({ name, startTime, endTime }) => [name, (endTime - startTime) / 1000]),
  );
  const failures = testResults.flatMap(({ name, status, message, assertionResults = [] }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that could not be read has no tests.
    if (status === 'failed' && failed.length === 0) return [failure(name, message)];
    return failed.map(({ fullName, failureMessages }) =>
      failure(`${name} › ${fullName}`, failureMessages[0]),
    );
  });
  return { passed: numPassedTests, failed: numFailedTests, failures, flaky: [], skipped: [], files };
}

/** @returns {Count} of Playwright's JSON report */
export function countPlaywright({ stats, errors, suites }) {
  const files = new Map(suites.map((suite) => [suite.file, secondsOf(suite)]));
  const failed = stats.unexpected + errors.length;
  const tests = suites.flatMap(testsOf);
  const named = (status) =>
    tests
      .filter((test) => test.status === status)
      .map(({ name, results }) =>
        failure(name, results.find(({ errors: own = [] }) => own.length > 0)?.errors[0].message),
      );
  return {
    passed: stats.expected + stats.flaky,
    failed,
    failures: [...named('unexpected'), ...errors.map(({ message }) => failure('before any test', message))],
    flaky: named('flaky'),
    skipped: reasons(suites),
    files,
  };
}

/** The tests of a suite and of its nested suites, each with its name. */
function testsOf({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests.map((test) => ({ ...test, name: `${file}:${line} › ${title}` })),
  );
  return [...own, ...suites.flatMap(testsOf)];
}

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
const LINES = 6;

/** A failed test: its name, and the first lines of its message. */
function failure(name, message = '') {
  const lines = message.replace(COLOURS, '').trim().split('\n').slice(0, LINES);
  return [name, ...lines.map((line) => `    ${line}`)].join('\n');
}

/** Why tests were skipped, each reason once. */
function reasons(suites) {
  const all = suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs.flatMap(({ tests }) => tests.flatMap(({ annotations = [] }) => annotations)),
    ...reasons(inner).map((description) => ({ type: 'skip', description })),
  ]);
  return [...new Set(all.filter(({ type }) => type === 'skip').map(({ description }) => description))];
}

/** Counts all tests of a suite and of its nested suites. */
function secondsOf({ specs = [], suites = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  const own = results.reduce((sum, { duration }) => sum + duration / 1000, 0);
  return suites.reduce((sum, suite) => sum + secondsOf(suite), own);
}

/**
 * The slowest files, slowest first.
 * @param {Count[]} counts
 * @param {number} most
 */
export function slowest(counts, most) {
  return counts
    .flatMap(({ files }) => [...files])
    .sort(([, a], [, b]) => b - a)
    .slice(0, most);
}

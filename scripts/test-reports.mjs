// Reads the reports of Vitest and Playwright into one form.

/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} skipped why tests were skipped, each reason once
 * @property {Map<string, number>} files seconds by test file
 */

/** @returns {Count} of Vitest's JSON report */
export function countVitest({ numPassedTests, numFailedTests, testResults }) {
  const files = new Map(
    testResults.map(({ name, startTime, endTime }) => [name, (endTime - startTime) / 1000]),
  );
  return { passed: numPassedTests, failed: numFailedTests, skipped: [], files };
}

/** @returns {Count} of Playwright's JSON report */
export function countPlaywright({ stats, errors, suites }) {
  const files = new Map(suites.map((suite) => [suite.file, secondsOf(suite)]));
  const failed = stats.unexpected + errors.length;
  return { passed: stats.expected + stats.flaky, failed, skipped: reasons(suites), files };
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

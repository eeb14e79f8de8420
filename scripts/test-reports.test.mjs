import { describe, expect, it } from 'vitest';
import { countPlaywright, countVitest, slowest } from './test-reports.mjs';

const vitest = {
  numPassedTests: 7,
  numFailedTests: 1,
  testResults: [
    { name: '/a/quick.test.ts', startTime: 1000, endTime: 1500 },
    {
      name: '/a/slow.test.ts',
      startTime: 1000,
      endTime: 9000,
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'a sum is exact', failureMessages: [] },
        { status: 'failed', fullName: 'a sum has an end', failureMessages: ['expected 1\n  at line 2'] },
      ],
    },
    { name: '/a/broken.test.ts', startTime: 0, endTime: 0, status: 'failed', message: 'no such module' },
  ],
};
const spec = (...durations) => ({ tests: [{ results: durations.map((duration) => ({ duration })) }] });
const skipped = (description) => ({ tests: [{ results: [], annotations: [{ type: 'skip', description }] }] });
const judged = (title, status, ...messages) => ({
  title,
  file: `${title}.spec.ts`,
  line: 7,
  tests: [
    {
      status,
      results: messages.map((errors) => ({ duration: 0, errors: errors.map((message) => ({ message })) })),
    },
  ],
});
const playwright = {
  stats: { expected: 3, flaky: 1, unexpected: 2, skipped: 0 },
  errors: [{ message: 'no such file' }],
  suites: [
    { file: 'lab.spec.ts', specs: [spec(1000), spec(500, 500)], suites: [{ specs: [spec(3000)] }] },
    { file: 'runs.spec.ts', specs: [spec(6000)] },
    { file: 'late.spec.ts', specs: [judged('late', 'flaky', ['\u001b[31mtoo late\u001b[39m'], [])] },
    { file: 'wrong.spec.ts', specs: [judged('wrong', 'unexpected', ['expected 1\nfound 2'])] },
    { file: 'no-fox.spec.ts', specs: [skipped('no fox')], suites: [{ specs: [skipped('no fox')] }] },
  ],
};

describe('reports', () => {
  it('count tests and the seconds of each file', () => {
    const { passed, failed, files } = countVitest(vitest);
    expect([passed, failed]).toEqual([7, 1]);
    expect([...files]).toEqual([
      ['/a/quick.test.ts', 0.5],
      ['/a/slow.test.ts', 8],
      ['/a/broken.test.ts', 0],
    ]);
  });

  it('count journeys, retries and errors before any test', () => {
    const counted = countPlaywright(playwright);
    expect(counted).toMatchObject({ passed: 4, failed: 3, skipped: ['no fox'] });
    expect([...counted.files]).toEqual([
      ['lab.spec.ts', 5],
      ['runs.spec.ts', 6],
      ['late.spec.ts', 0],
      ['wrong.spec.ts', 0],
      ['no-fox.spec.ts', 0],
    ]);
  });

  it('name what failed, with its message', () => {
    expect(countVitest(vitest).failures).toEqual([
      '/a/slow.test.ts › a sum has an end\n    expected 1\n      at line 2',
      '/a/broken.test.ts\n    no such module',
    ]);
    const counted = countPlaywright(playwright);
    expect(counted.failures).toEqual([
      'wrong.spec.ts:7 › wrong\n    expected 1\n    found 2',
      'before any test\n    no such file',
    ]);
    expect(counted.flaky).toEqual(['late.spec.ts:7 › late\n    too late']);
  });

  it('list the slowest files', () => {
    const counts = [countVitest(vitest), countPlaywright(playwright)];
    expect(slowest(counts, 2).map(([file]) => file)).toEqual(['/a/slow.test.ts', 'runs.spec.ts']);
  });
});

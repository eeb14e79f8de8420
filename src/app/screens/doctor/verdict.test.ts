import { expect, test } from 'vitest';
import type { Finding, Light } from '../../../worker/api.ts';
import { verdictOf } from './verdict.ts';

const findings = (...lights: Light[]): Finding[] =>
  lights.map((light) => ({ name: light, title: '', about: '', light, found: '', numbers: {}, ms: 1 }));
const verdict = (of: Finding[], more: { busy?: boolean; started?: boolean } = {}) =>
  verdictOf({ findings: of, checks: 3, busy: false, started: true, ...more });

test.each([
  [findings('good', 'good', 'good'), 'All 3 checks passed.'],
  [findings('good', 'skipped', 'good'), 'No problems: 2 passed, 1 skipped.'],
  [findings('good', 'watch', 'good'), 'No problems, but warnings: 1 warning, 2 passed.'],
  [findings('bad', 'watch', 'watch'), 'Problems found: 1 failed, 2 warnings.'],
  [findings('bad'), 'Problems found: 1 failed. Stopped after 1 of 3 checks.'],
  [findings('good'), 'No problems so far: 1 passed. Stopped after 1 of 3 checks.'],
  [findings(), 'No results. Stopped after 0 of 3 checks.'],
])('%#: in a sentence', (of, expected) => {
  expect(verdict(of)).toBe(expected);
});

test('before the first check, and while one runs', () => {
  expect(verdict([], { started: false })).toContain('No checks run yet');
  expect(verdict(findings('good'), { busy: true })).toBe('Running check 2 of 3…');
});

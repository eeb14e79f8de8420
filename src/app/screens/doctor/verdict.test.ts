import { expect, test } from 'vitest';
import type { Finding, Light } from '../../../worker/api.ts';
import { verdictOf } from './verdict.ts';

const findings = (...lights: Light[]): Finding[] =>
  lights.map((light) => ({ name: light, title: '', about: '', light, found: '', numbers: {}, ms: 1 }));
const verdict = (of: Finding[], more: { busy?: boolean; examined?: boolean } = {}) =>
  verdictOf({ findings: of, checks: 3, busy: false, examined: true, ...more });

test.each([
  [findings('good', 'good', 'good'), 'All is well: 3 fine.'],
  [findings('good', 'skipped', 'good'), 'All is well: 2 fine, 1 not checked.'],
  [findings('good', 'watch', 'good'), 'Nothing is wrong, but look at this: 1 worth a look, 2 fine.'],
  [findings('bad', 'watch', 'good'), 'Something is wrong: 1 wrong, 1 worth a look, 1 fine.'],
  [findings('bad'), 'Something is wrong: 1 wrong. Ended after 1 of 3 checks.'],
])('%#: in a sentence', (of, expected) => {
  expect(verdict(of)).toBe(expected);
});

test('before, and meanwhile', () => {
  expect(verdict([], { examined: false })).toContain('Nothing examined yet');
  expect(verdict(findings('good'), { busy: true })).toBe('Check 2 of 3 is being made.');
});

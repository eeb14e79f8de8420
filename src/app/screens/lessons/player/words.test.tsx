import { beforeEach, expect, test } from 'vitest';
import { useApp } from '../../../state/store.ts';
import type { LessonCheck } from '../../../../lessons/checks.ts';
import { holds } from '../../../../lessons/checks.ts';
import { foundOf, wantedOf } from './words.ts';

beforeEach(() => useApp.setState(useApp.getInitialState(), true));

const now = (check: LessonCheck, value: number | string) =>
  foundOf({ check, value, holds: holds(check, value) }, 'now');

test.each<[LessonCheck, number, string, string]>([
  [{ check: 'test-accuracy', atLeast: 0.95 }, 0.9496, 'now 94.96 %', 'wanted: 95 % or more'],
  [{ check: 'test-accuracy', atLeast: 0.95 }, 0.95, 'now 95 %', 'wanted: 95 % or more'],
  [{ check: 'loss', atMost: 0.5 }, 0.50004, 'now 0.50004', 'wanted: 0.5 or less'],
  [{ check: 'loss', atMost: 0.5 }, 0.28341, 'now 0.2834', 'wanted: 0.5 or less'],
  [{ check: 'gap', atLeast: 0.05 }, -0.016, 'now −1.6 %', 'wanted: 5 % or more'],
  [{ check: 'loss', atMost: 0.5 }, NaN, 'now NaN', 'wanted: 0.5 or less'],
])('what is rounded agrees with whether it holds: %o of %d', (check, value, found, wanted) => {
  expect([now(check, value), wantedOf(check)]).toEqual([found, wanted]);
});

test('a setting’s value has its title', () => {
  const check: LessonCheck = { check: 'setting', of: 'init', is: 'kaiming_normal_fan_in' };
  expect(wantedOf(check)).toBe('wanted: Kaiming normal, fan in');
  expect(now(check, 'xavier_normal')).toBe('now Xavier normal');
  expect(now({ check: 'setting', of: 'lr', atMost: 0.1 }, '0.2')).toBe('now 0.2');
});

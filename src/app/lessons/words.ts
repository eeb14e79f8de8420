/** A check in words: what it is about, what is wanted, and what is there now. */
import { titleOf } from '../../run/settings/text.ts';
import * as format from '../format.ts';
import { lessons as texts } from '../messages/lessons.ts';
import { SCREENS } from '../screens/index.ts';
import { kindOf, type LessonCheck, type LessonCheckResult } from './checks.ts';
import { settingNamed } from './format.ts';

/** A number as the page writes it. */
function numberOf({ check }: LessonCheck, value: number): string {
  switch (kindOf(check).unit) {
    case 'share':
      return format.percent(value, 1).replace('.0 %', ' %');
    case 'count':
      return format.count(value);
    case 'loss':
      return format.loss(value);
    default:
      return String(value);
  }
}

export function subjectOf({ check, of = '' }: LessonCheck): string {
  const setting = check === 'setting' ? settingNamed(of) : undefined;
  if (setting) return titleOf(setting);
  const screen =
    check === 'screen' ? SCREENS.find(({ name }) => name === of.split('/')[0])?.title : undefined;
  return texts.checks[check](screen ?? of);
}

/** "wanted: 95 % or more"; undefined for what is so or not. */
export function wantedOf(check: LessonCheck): string | undefined {
  const { atLeast, atMost, is } = check;
  const { found } = texts;
  if (is !== undefined) return found.is(is);
  const [low, high] = [atLeast, atMost].map((limit) =>
    limit === undefined ? undefined : numberOf(check, limit),
  );
  if (low !== undefined && high !== undefined)
    return low === high ? found.exactly(low) : found.between(low, high);
  if (low !== undefined) return found.atLeast(low);
  return high === undefined ? undefined : found.atMost(high);
}

/** "now 87.2 %" */
export function foundOf({ check, value, holds }: LessonCheckResult): string {
  const { found } = texts;
  if (kindOf(check.check).unit === 'fact') return holds ? found.yes : found.no;
  if (value === undefined || value === '') return found.none;
  return found.value(typeof value === 'number' ? numberOf(check, value) : String(value));
}

/** A check in words: what it is about, what is wanted, and what is there now; and how the guess turned out. */
import { titleOf } from '../../../../run/settings/text.ts';
import * as format from '../../../format.ts';
import { lessons as texts } from '../../../messages/lessons.ts';
import { titleOfScreen } from '../../names.ts';
import { holds, kindOf, type LessonCheck, type LessonCheckResult } from '../../../../lessons/checks.ts';
import { settingNamed, type Lesson } from '../../../../lessons/format.ts';
import type { LessonProgress } from '../../../../lessons/progress.ts';
import { readSettings } from '../library.ts';

/** The most digits that a number gets where fewer would make it look like its limit. */
const MOST_DIGITS = 9;

/**
 * A number as the page writes it, with more digits where rounding would contradict the check: 94.96 % is not "95 %" where
 * 95 % is wanted.
 */
function numberOf(check: LessonCheck, value: number): string {
  const { unit } = kindOf(check.check);
  const isSame = (shown: number) => holds(check, shown) === holds(check, value);
  switch (unit) {
    case 'share': {
      let digits = 1;
      while (digits < MOST_DIGITS && !isSame(Number((100 * value).toFixed(digits)) / 100)) digits++;
      return format.percent(value, digits).replace('.0 %', ' %').replace('-', '−');
    }
    case 'loss': {
      let digits = 4;
      while (digits < MOST_DIGITS && !isSame(Number(value.toPrecision(digits)))) digits++;
      return digits === 4 ? format.loss(value) : String(Number(value.toPrecision(digits)));
    }
    case 'count':
      return format.count(value);
    default:
      return String(value);
  }
}

/** The value of a setting as links have it, in words: "Kaiming normal, fan in". */
const valueInWords = (setting: string, value: string): string =>
  readSettings({ [setting]: value }).lines[0]?.value ?? value;

export function subjectOf({ check, of = '' }: LessonCheck): string {
  const setting = check === 'setting' ? settingNamed(of) : undefined;
  if (setting) return titleOf(setting);
  return texts.checks[check](check === 'screen' ? titleOfScreen(of.split('/')[0]) : of);
}

/** "wanted: 95 % or more"; undefined for what is so or not. */
export function wantedOf(check: LessonCheck): string | undefined {
  const { of = '', atLeast, atMost, is } = check;
  const { found } = texts;
  if (is !== undefined) return found.is(valueInWords(of, is));
  const [low, high] = [atLeast, atMost].map((limit) =>
    limit === undefined ? undefined : numberOf(check, limit),
  );
  if (low !== undefined && high !== undefined)
    return low === high ? found.exactly(low) : found.between(low, high);
  if (low !== undefined) return found.atLeast(low);
  return high === undefined ? undefined : found.atMost(high);
}

/** When a check found something: at this moment, or when its task was done. */
export type FoundWhen = 'now' | 'reached';

/** "now 87.2 %", or "87.2 %" of a task that is done */
export function foundOf({ check, value, holds: isHeld }: LessonCheckResult, when: FoundWhen): string {
  const { found } = texts;
  if (kindOf(check.check).unit === 'fact') return isHeld ? found.yes : found.no;
  if (value === undefined || value === '') return found.none;
  return found[when](
    typeof value === 'number' ? numberOf(check, value) : valueInWords(check.of ?? '', String(value)),
  );
}

/** Whether the guess at the beginning was right. */
export function guessInWords({ right, texts: { choices } }: Lesson, { prediction }: LessonProgress): string {
  const answer = choices[right - 1];
  if (prediction === undefined) return texts.predict.none(answer);
  return prediction === right
    ? texts.predict.right(answer)
    : texts.predict.wrong(choices[prediction - 1] ?? '', answer);
}

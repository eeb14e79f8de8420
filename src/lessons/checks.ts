/** What a lesson can check, as a table: what each check reads of the page and of its run, and when it holds. */

/** How a value is written, and how it may be limited. A fact holds or not. */
type CheckUnit = 'loss' | 'share' | 'count' | 'number' | 'fact';

/** What a check is about, besides its own name. */
type Subject = 'op' | 'setting' | 'network' | 'screen' | 'choice';

interface CheckKind {
  unit: CheckUnit;
  /** What "of" names. */
  of?: Subject;
  /** It is measured on a run that was started in this lesson. */
  ofRun?: true;
}

export const CHECKS = {
  loss: { unit: 'loss', ofRun: true },
  'test-loss': { unit: 'loss', ofRun: true },
  'train-accuracy': { unit: 'share', ofRun: true },
  'test-accuracy': { unit: 'share', ofRun: true },
  gap: { unit: 'share', ofRun: true },
  steps: { unit: 'count', ofRun: true },
  epochs: { unit: 'count', ofRun: true },
  diverged: { unit: 'fact', ofRun: true },
  layers: { unit: 'count', of: 'op' },
  setting: { unit: 'number', of: 'setting' },
  confidence: { unit: 'share', of: 'network' },
  'own-images': { unit: 'count' },
  screen: { unit: 'fact', of: 'screen' },
  answer: { unit: 'fact', of: 'choice' },
} as const satisfies Readonly<Record<string, CheckKind>>;

export type CheckName = keyof typeof CHECKS;
export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];

export const kindOf = (name: CheckName): CheckKind => CHECKS[name];

/** One condition of a task, as it stands in a lesson. */
export interface LessonCheck {
  check: CheckName;
  /** An op, a setting's name in links, "trained" or "run", a screen with its view, or the number of the right choice from 1. */
  of?: string | undefined;
  atLeast?: number | undefined;
  atMost?: number | undefined;
  /** For settings that are not numbers. */
  is?: string | undefined;
}

/** A network and its settings: of a run, or of the next one. */
export interface CheckedSetup {
  /** As the form has them, by the setting's name in links; `model` and `data` too. */
  settings: Readonly<Record<string, string>>;
  /** The op of each layer; unknown until the model is loaded. */
  ops: readonly string[] | undefined;
}

/** A run that was started in the lesson, as far as it has come. What was not measured yet is absent. */
export interface CheckedRun extends CheckedSetup {
  steps: number;
  epochs: number;
  diverged: boolean;
  /** The mean of the last ten steps. */
  loss?: number | undefined;
  testLoss?: number | undefined;
  /** The mean of the last whole epoch's steps. */
  trainAccuracy?: number | undefined;
  testAccuracy?: number | undefined;
}

/** All that checks read, at one moment. */
export interface CheckMoment {
  /** What the form would train. */
  next: CheckedSetup;
  run: CheckedRun | undefined;
  /** The pad's answer for what the person put there. */
  pad: { network: 'trained' | 'run'; confidence: number } | undefined;
  /** Training images of one's own, where these are chosen. */
  ownImages: number;
  /** "inspect/image" */
  screen: string;
  /** The last answer to the task's question, from 1. */
  answer: number | undefined;
}

/** What a check finds: undefined if it was not measured yet. */
export type CheckedValue = number | string | boolean | undefined;

/**
 * What the page has of what a check asks for.
 * @param ofRun whether settings and layers are those of the run, because something else in the task is measured on it
 */
export function valueOf({ check, of = '' }: LessonCheck, moment: CheckMoment, ofRun: boolean): CheckedValue {
  const { run, next, pad, screen, answer } = moment;
  const setup = ofRun ? run : next;
  switch (check) {
    case 'loss':
    case 'steps':
    case 'epochs':
    case 'diverged':
      return run?.[check];
    case 'test-loss':
      return run?.testLoss;
    case 'train-accuracy':
      return run?.trainAccuracy;
    case 'test-accuracy':
      return run?.testAccuracy;
    case 'gap':
      return run?.trainAccuracy === undefined || run.testAccuracy === undefined
        ? undefined
        : run.trainAccuracy - run.testAccuracy;
    case 'layers':
      return setup?.ops?.filter((op) => op === of).length;
    case 'setting':
      return setup?.settings[of];
    case 'confidence':
      return pad?.network === of ? pad.confidence : undefined;
    case 'own-images':
      return moment.ownImages;
    case 'screen':
      return screen === of || screen.startsWith(`${of}/`);
    case 'answer':
      return answer === undefined ? undefined : answer === Number(of);
  }
}

/** Whether a value is what a check asks for. A loss that is not a number is over every limit. */
export function holds({ atLeast, atMost, is }: LessonCheck, value: CheckedValue): boolean {
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  if (is !== undefined) return String(value) === is;
  const number = typeof value === 'string' ? Number(value === '' ? NaN : value) : value;
  if (Number.isNaN(number)) return typeof value === 'number' && atLeast !== undefined && atMost === undefined;
  return (atLeast === undefined || number >= atLeast) && (atMost === undefined || number <= atMost);
}

/** One check of a task now. */
export interface LessonCheckResult {
  check: LessonCheck;
  value: CheckedValue;
  holds: boolean;
}

/** All checks of a task. It is done when all hold at one moment. */
export function checkTask(checks: readonly LessonCheck[], moment: CheckMoment): LessonCheckResult[] {
  const ofRun = checks.some(({ check }) => kindOf(check).ofRun);
  return checks.map((check) => {
    const value = valueOf(check, moment, ofRun);
    return { check, value, holds: holds(check, value) };
  });
}

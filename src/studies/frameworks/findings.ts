/** What the course project found, and whether what was measured here agrees. */
import type { Time } from '../study.ts';
import type { Entrant, TimedKind } from './entrants.ts';

/** A level of a framework on one backend. */
export interface Level {
  entrant: Pick<Entrant, 'level' | 'title' | 'place' | 'lacks'>;
  /** Of code. */
  lines: number;
  /** Those that were measured. */
  times: Readonly<Record<TimedKind, Time | undefined>>;
}

/** Whether a finding holds for a stack: "yes (1 : 0.84 : 1.3)". */
export interface StackFinding {
  finding: string;
  stack: string;
  image?: string;
  step?: string;
  lines?: string;
}

type Answer = 'yes' | 'no' | 'unclear' | 'in part';

const NOT_MEASURED = 'not measured';
const NO_MIDDLE = 'no middle level';

/** Findings about the levels' times, from the lowest level to the highest. */
const ORDERS: Readonly<Record<string, (times: readonly Time[]) => Answer | undefined>> = {
  'The middle level is the fastest': ([low, middle, high]) =>
    high && all([isFaster(middle, low), isFaster(middle, high)]),
  'The highest level is the slowest': (times) =>
    all(times.slice(0, -1).map((time) => isFaster(time, times[times.length - 1]))),
};
const GPU_AHEAD = 'The GPU is ahead of the CPU at every level';
const MORE_LINES = 'The lower the level, the more lines of code';

/** @param levels of one framework, on each backend from the lowest to the highest */
export function findingsOf(framework: string, levels: readonly Level[]): StackFinding[] {
  const found: StackFinding[] = [];
  for (const [finding, judge] of Object.entries(ORDERS)) {
    for (const own of groupsBy(levels, ({ entrant }) => entrant.title)) {
      const answer = (kind: TimedKind) => {
        const able = own.filter(({ entrant }) => entrant.lacks[kind] === undefined);
        const times = able.flatMap(({ times: of }) => of[kind] ?? []);
        if (times.length < able.length || times.length < 2) return NOT_MEASURED;
        return textOf(
          judge(times),
          times.map(({ median }) => median / times[0].median),
        );
      };
      const [image, step] = [answer('inference'), answer('training')];
      if ([image, step].every((text) => text === NOT_MEASURED || text === NO_MIDDLE)) continue;
      found.push({ finding, stack: `${framework}, ${own[0].entrant.title}`, image, step });
    }
  }
  const byName = groupsBy(levels, ({ entrant }) => entrant.level);
  const ahead = (kind: TimedKind) => {
    const able = byName.filter((level) => level.some(({ entrant }) => entrant.lacks[kind] === undefined));
    const pairs = able.flatMap((level) => {
      const [gpu, cpu] = [fastest(level, 'GPU', kind), fastest(level, 'CPU', kind)];
      return gpu && cpu ? [{ answer: isFaster(gpu, cpu), ratio: gpu.median / cpu.median }] : [];
    });
    if (pairs.length < able.length || pairs.length === 0) return NOT_MEASURED;
    return textOf(
      all(pairs.map(({ answer }) => answer)),
      pairs.map(({ ratio }) => ratio),
    );
  };
  const lines = byName.map(([one]) => one.lines);
  return [
    ...found,
    { finding: GPU_AHEAD, stack: framework, image: ahead('inference'), step: ahead('training') },
    { finding: MORE_LINES, stack: framework, lines: textOf(isFalling(lines), lines) },
  ];
}

const groupsBy = (levels: readonly Level[], nameOf: (level: Level) => string): Level[][] =>
  [...new Set(levels.map(nameOf))].map((name) => levels.filter((level) => nameOf(level) === name));

const fastest = (levels: readonly Level[], place: Entrant['place'], kind: TimedKind): Time | undefined =>
  levels
    .flatMap(({ entrant, times }) => (entrant.place === place ? (times[kind] ?? []) : []))
    .sort((a, b) => a.median - b.median)[0];

/** Unclear if their spreads overlap. */
function isFaster(a: Time, b: Time): Answer {
  if (a.p90 < b.p10) return 'yes';
  return b.p90 < a.p10 ? 'no' : 'unclear';
}

/** In part if some are equal. */
function isFalling(numbers: readonly number[]): Answer {
  const steps = numbers.slice(1).map((number, i) => number - numbers[i]);
  if (steps.every((step) => step < 0)) return 'yes';
  return steps.every((step) => step <= 0) && steps.some((step) => step < 0) ? 'in part' : 'no';
}

function all(answers: readonly Answer[]): Answer {
  if (answers.includes('no')) return 'no';
  return answers.includes('unclear') ? 'unclear' : 'yes';
}

/** @param answer undefined if there is no middle level */
const textOf = (answer: Answer | undefined, numbers: readonly number[]): string =>
  answer === undefined
    ? NO_MIDDLE
    : `${answer} (${numbers.map((number) => Number(number.toPrecision(number < 10 ? 2 : 3))).join(' : ')})`;

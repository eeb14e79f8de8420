/** Convolutions that vary filter, images and size, and how the rules do on them. */
import {
  familyOf,
  RULES,
  ruleFor,
  THRESHOLDS,
  type Reading,
  type Rule,
  type Ruled,
  type Thresholds,
} from '../../engine/ops/conv/choice/rules.ts';
import { convProblem } from '../../engine/ops/conv/problem.ts';
import type { NumberType } from '../../engine/plan.ts';
import type { Cell, RowLine, StudyContext } from '../study.ts';
import {
  lossOf,
  nameOf,
  PRECISIONS,
  READINGS,
  rulingOf,
  Searches,
  type FamilyTimes,
  type SearchVerdict,
} from './search.ts';

/** A square problem of as many filters as channels, padded so that outputs are as large as inputs. */
interface Square {
  number: NumberType;
  filter: number;
  side: number;
  images: number;
  channels: number;
}

/** Fewer channels for larger images, as networks have them. Multiples of eight, which tensor cores take. */
const CHANNELS: Readonly<Record<number, number>> = { 7: 256, 14: 128, 28: 64, 56: 64, 112: 32, 224: 16 };
/** Larger batches of such images would take most of the study's time to move them. */
const FEW_IMAGES = 16;
const LARGEST = 224;

const IMAGES = [1, 16, 64, 128];
/** The rule for 1x1 is the same everywhere. */
const SIDES: readonly (readonly [filter: number, sides: readonly number[]])[] = [
  [1, [14, 56]],
  [3, [7, 14, 28, 56, 112, LARGEST]],
  [5, [7, 14, 28, 56, 112, LARGEST]],
];
/** Those of float16 ask for the filter only. */
const F16_IMAGES = [64];

/** The problems to measure. On processors they have fewer channels and smaller images. */
export function squares({ device, small }: StudyContext, number: NumberType): Square[] {
  const all = SIDES.flatMap(([filter, sides]) =>
    sides.flatMap((side) =>
      (number === 'f16' ? F16_IMAGES : IMAGES)
        .filter((images) => side < LARGEST || images <= FEW_IMAGES)
        .map((images) => ({ number, filter, side, images, channels: CHANNELS[side] })),
    ),
  );
  if (!small && !device.onProcessor) return all;
  return all
    .filter(({ filter, side, images }) =>
      small
        ? side === (filter === 1 ? 14 : 7) && (images === 64 || (filter === 5 && images === 1))
        : side <= 28,
    )
    .map((one) => ({ ...one, channels: small ? 8 : 16 }));
}

export const labelOf = ({ number, filter, side, images }: Square): string =>
  `${PRECISIONS[number]}, ${filter}x${filter}, ${images} × ${side}x${side}`;

const keysOf = ({ number, filter, side, images }: Square) => ({
  precision: PRECISIONS[number],
  filter: `${filter}x${filter}`,
  side,
  images,
});

/** What an earlier run reported of a problem. */
export const knownRow = ({ known }: StudyContext, square: Square): RowLine | undefined =>
  known.find(
    (line): line is RowLine =>
      !('bar' in line) &&
      line.figure === 'problems' &&
      Object.entries(keysOf(square)).every(([name, value]) => line.cells[name] === value),
  );

const ruledOf = ({ filter, side, images }: Pick<Square, 'filter' | 'side' | 'images'>): Ruled => ({
  N: images,
  H: side,
  W: side,
  R: filter,
  S: filter,
});

export async function measureSquare(context: StudyContext, square: Square): Promise<RowLine> {
  const { number, channels } = square;
  const problem = convProblem({
    ...ruledOf(square),
    C: channels,
    K: channels,
    padding: 'same',
    // As a training step keeps its activations there.
    layout: number === 'f16' && context.device.adapter.matrices ? 'nhwc' : 'nchw',
  });
  const verdict = await new Searches(context).verdict(problem, number);
  const { best, get, getMs, families, missing } = verdict;
  return {
    figure: 'problems',
    cells: {
      ...keysOf(square),
      channels,
      gemm: families.GEMM,
      winograd: families.Winograd,
      fft: families.FFT,
      wins: best ? nameOf(best) : `not measured: ${missing}`,
      best: best?.median ?? null,
      ...rulingCells(problem, number, verdict),
      get: nameOf(get),
      get_loss: lossOf(getMs, best?.median),
    },
  };
}

/** Both readings' choices with the thresholds of runs, and what they lose. */
export const rulingCells = (
  problem: Ruled,
  number: NumberType,
  verdict: SearchVerdict,
): Record<string, Cell> =>
  Object.fromEntries(
    READINGS.flatMap((reading) => {
      const { text, ms } = rulingOf(problem, number, verdict, reading);
      return [
        [reading + '_rule', text],
        [reading + '_loss', lossOf(ms, verdict.best?.median)],
      ];
    }),
  );

/** A row's numbers again. */
interface Measured {
  ruled: Ruled;
  number: NumberType;
  families: FamilyTimes;
  winner: string;
  best: number;
  getMs: number | undefined;
}

function measuredOf({ cells }: RowLine): Measured[] {
  const { best, get_loss: lost } = cells;
  if (typeof best !== 'number') return [];
  const filter = Number.parseInt(String(cells['filter']), 10);
  return [
    {
      ruled: ruledOf({ filter, side: Number(cells['side']), images: Number(cells['images']) }),
      number: cells['precision'] === PRECISIONS.f32 ? 'f32' : 'f16',
      families: {
        GEMM: cells['gemm'] as number | null,
        Winograd: cells['winograd'] as number | null,
        FFT: cells['fft'] as number | null,
      },
      winner: String(cells['wins']).split(',')[0],
      best,
      getMs: typeof lost === 'number' ? best * (1 + lost) : undefined,
    },
  ];
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** How the choices of a reading did where a rule applies. */
function scoreOf(all: readonly Measured[], reading: Reading, thresholds: Thresholds) {
  const judged = all.flatMap(({ ruled, number, winner, best, ...times }) => {
    const { family, ms } = rulingOf(ruled, number, times, reading, thresholds);
    return family === undefined || ms === undefined
      ? []
      : [{ right: familyOf(winner) === family, loss: ms / best - 1 }];
  });
  return {
    problems: judged.length,
    fastest: judged.filter(({ right }) => right).length,
    loss: mean(judged.map(({ loss }) => loss)),
  };
}

/** The rules as rows, each with every choice of thresholds that matters to it. */
export const RULE_ROWS = RULES.flatMap((rule) =>
  (rule.input === 'any' ? (['–'] as const) : (['first', 'second'] as const)).map((limits) => ({
    rule,
    limits,
  })),
);

export const ruleKeys = ({ rule, limits }: { rule: Rule; limits: string }) => ({
  precision: PRECISIONS[rule.number],
  filter: `${rule.filter}x${rule.filter}`,
  input: rule.input,
  limits,
});

export const READING_ROWS = READINGS.flatMap((reading) =>
  THRESHOLDS[reading].map((thresholds, i) => {
    const { small, medium, veryLarge } = thresholds;
    return {
      reading,
      thresholds,
      given: {
        reading,
        limits: i === 0 ? 'first' : 'second',
        small: `up to ${small} pixels`,
        medium: `up to ${medium} pixels`,
        very_large: `from ${veryLarge} ${reading}`,
      },
    };
  }),
);

/** How both readings did on all problems, and each rule on those that it is for. */
export function reportRules({ report }: StudyContext, rows: readonly RowLine[]): void {
  const all = rows.filter(({ figure }) => figure === 'problems').flatMap(measuredOf);
  if (all.length === 0) return;
  const single = all.filter(({ number }) => number === 'f32');
  for (const { reading, thresholds, given } of READING_ROWS) {
    const predicted = single.flatMap(({ getMs, best }) => (getMs === undefined ? [] : [getMs / best - 1]));
    report({
      figure: 'readings',
      cells: { ...given, ...scoreOf(single, reading, thresholds), get_loss: mean(predicted) },
    });
  }
  for (const row of RULE_ROWS) {
    const scores = READINGS.flatMap((reading) => {
      const thresholds = THRESHOLDS[reading][row.limits === 'second' ? 1 : 0];
      const own = all.filter(({ ruled, number }) => ruleFor(ruled, number, reading, thresholds) === row.rule);
      const { problems, fastest, loss } = scoreOf(own, reading, thresholds);
      return [
        [`${reading}_fastest`, problems === 0 ? '–' : `${fastest} of ${problems}`],
        [`${reading}_loss`, loss],
      ];
    });
    report({ figure: 'rules', cells: { ...ruleKeys(row), ...Object.fromEntries(scores) } });
  }
}

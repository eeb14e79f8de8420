/** The tables in Markdown. */
import type { Spread } from '../../src/gpu/timing.ts';
import { markdown } from '../rows.ts';
import { casesOf, fewestTimes, productsOf, ratiosOf, winogradGains, type Case } from './figures.ts';
import type { Lines } from './lines.ts';

const NONE = '-';

/** The page of all tables. */
export function pageOf(lines: Lines): string {
  const cases = casesOf(lines);
  const products = productsOf(lines);
  return [
    [...lines.adapters, ...lines.libraries, ...lines.dates].join('; '),
    ...(cases.length > 0 ? ['## Single convolutions', convolutions(cases), summary(lines, cases)] : []),
    ...(products.length > 0
      ? [
          '## Matrix products, TFLOP/s',
          markdown(
            ['size:', 'wgrad:', 'PyTorch (cuBLAS):'],
            products.map(({ size, wgrad, cublas }) => [size, digits(wgrad), digits(cublas)]),
          ),
        ]
      : []),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function convolutions(cases: readonly Case[]): string {
  return markdown(
    [
      ...['problem', 'direction', "wgrad's best", 'ms [10 %, 90 %]:', 'TFLOP/s:', 'cuDNN, ms:'],
      ...["to cuDNN's time:", 'TensorFlow.js, ms:', 'times TensorFlow.js [10 %, 90 %]:'],
    ],
    cases.map(({ problem, direction, wgrad, cudnn, toCudnn, tfjs, timesTfjs }) => [
      nameOf(problem),
      direction,
      wgrad ? [wgrad.algorithm, ...(wgrad.launch === undefined ? [] : [wgrad.launch])].join(': ') : NONE,
      spread(wgrad?.ms),
      digits(wgrad?.tflops),
      digits(cudnn?.ms.median),
      toCudnn?.toFixed(2) ?? NONE,
      digits(tfjs?.ms.median),
      typeof timesTfjs === 'number' ? digits(timesTfjs) : spread(timesTfjs),
    ]),
  );
}

function summary(lines: Lines, cases: readonly Case[]): string {
  const points: string[] = [];
  const ratios = ratiosOf(cases);
  if (ratios) {
    const { count, geometricMean, worst } = ratios;
    points.push(
      `To cuDNN's time, without filters of 1x1: ${geometricMean.toFixed(2)} as the geometric mean of ${count}; ` +
        `${worst.toCudnn.toFixed(2)} at worst (${nameOf(worst.problem)}, ${worst.direction}).`,
    );
  }
  const fewest = fewestTimes(cases);
  if (fewest.length > 0) {
    const each = fewest.map(
      ({ direction, times, problem }) => `${direction} ${digits(times)} (${nameOf(problem)})`,
    );
    points.push(`Times TensorFlow.js, at least: ${each.join(', ')}.`);
  }
  for (const { problem, direction, winograd, implicit, times } of winogradGains(lines)) {
    points.push(
      `${nameOf(problem)}, ${direction}: Winograd is ${digits(times)} times as fast as implicit GEMM ` +
        `(${winograd.algorithm} ${digits(winograd.ms.median)} ms, implicit_gemm ${digits(implicit.ms.median)} ms).`,
    );
  }
  return points.map((point) => `- ${point}`).join('\n');
}

/** What the field's conventions take for granted is left out: "N64 C64 32x32 K64 3x3 p1x1". */
const nameOf = (key: string): string =>
  key
    .replace(/\b[nck](?=\d)/g, (letter) => letter.toUpperCase())
    .split(' ')
    .filter((part) => !['s1x1', 'p0x0', 'd1x1', 'g1'].includes(part))
    .join(' ');

/** Three of them. */
const digits = (value: number | undefined): string =>
  value === undefined ? NONE : value >= 1000 ? value.toFixed(0) : value.toPrecision(3);

const spread = (value: Spread | undefined): string =>
  value ? `${digits(value.median)} [${digits(value.p10)}, ${digits(value.p90)}]` : NONE;

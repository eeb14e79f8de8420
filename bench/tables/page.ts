/** The tables in Markdown. */
import { flops, parseProblem } from '../../src/engine/ops/conv/problem.ts';
import type { Spread } from '../../src/gpu/timing.ts';
import { models } from '../../src/models/index.ts';
import { markdown } from '../rows.ts';
import {
  convolutionCases,
  fewestTimes,
  largestError,
  peersIn,
  predictionsOf,
  productCases,
  ratiosOf,
  stepCases,
  winogradGains,
  type FigureCase,
  type ConvolutionCase,
  type BenchPrediction,
} from './figures.ts';
import { ARITHMETIC } from '../modes.ts';
import { kernelGroups, sumOf } from './kernels.ts';
import type { ConvolutionLine, Lines, Measurements, PeerName, Product, ProfileLine, Step } from './lines.ts';

const NONE = '-';

/** The page of all tables. What nobody was measured at has none, and who was not measured has no column. */
export function pageOf(lines: Lines): string {
  const { adapters, runtimes, libraries, machines, dates } = lines;
  return [
    [adapters, runtimes, libraries, machines, dates].flatMap((each) => [...each]).join('; '),
    ...[...stepCases(lines.steps)].flatMap(([model, cases]) => [
      ...steps(lines, model, cases),
      ...lines.profiles.filter((profile) => profile.model === model).flatMap(kernels),
    ]),
    ...convolutions(lines, convolutionCases(lines.convolutions)),
    ...products(lines, productCases(lines.products)),
    ...predictions(predictionsOf(lines)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** PyTorch's modes, a row a way to run, a column an arithmetic. */
function modeTable(cases: readonly FigureCase<Step>[]): string {
  const all = cases.flatMap((one) =>
    [...one.modes].flatMap(([mode, ms]) => {
      if (mode === undefined) return [];
      const [first, ...rest] = mode.split(', ');
      const arithmetic = ARITHMETIC.find((name) => name === first);
      const run = arithmetic ? rest.join(', ') : mode;
      const usual = one.precision === 'mixed' ? 'bfloat16' : 'float32';
      return { task: `${one.optimizer} ${one.batchSize}`, run, arithmetic: arithmetic ?? usual, ms };
    }),
  );
  const columns = ARITHMETIC.filter((name) => all.some(({ arithmetic }) => arithmetic === name));
  const rows = [...new Set(all.map(({ task, run }) => `${task}\n${run}`))];
  return markdown(
    ['optimiser', 'batch:', 'PyTorch', ...columns.map((name) => `${name.replace('tf32', 'TF32')}:`)],
    rows.map((row) => {
      const [task, run] = row.split('\n');
      const here = all.filter((one) => one.task === task && one.run === run);
      return [
        ...task.split(' '),
        run.replace('cuda', 'CUDA').replace('nchw', 'NCHW').replace('channels_last', 'channels last'),
        ...columns.map((name) => digits(here.find(({ arithmetic }) => arithmetic === name)?.ms)),
      ];
    }),
  );
}

function steps({ steps: all }: Lines, model: string, cases: readonly FigureCase<Step>[]): string[] {
  const ofModel = <T extends Step>(some: readonly T[]) => some.filter((one) => one.model === model);
  const measured = {
    wgrad: ofModel(all.wgrad),
    pytorch: ofModel(all.pytorch),
    turns: ofModel(all.turns),
    times: ofModel(all.times),
  };
  const peers = peersIn(measured);
  const isCompared = measured.pytorch.length > 0;
  const rows = cases.filter(({ wgrad, inTurns }) => wgrad ?? inTurns);
  const isRepeated = cases.some(({ processes }) => processes.length > 1);
  const isMixed = rows.some(({ precision }) => precision === 'mixed');
  const clocks = [
    `wgrad's steps are always queued, by the wall clock${isRepeated ? '; of several processes the one in the middle counts, of an even number the slower' : ''}`,
    ...(isCompared ? ["PyTorch's too, by CUDA events; what is compiled runs as a CUDA graph"] : []),
    ...(peers.length > 0 ? ['in turns, a round ends with a read-back'] : []),
  ];
  return [
    `## A training step of ${titleOf(model)}, median milliseconds`,
    markdown(
      [
        ...['optimiser', 'batch:', ...(isMixed ? ['precision'] : []), 'wgrad [10 %, 90 %]:'],
        ...(isRepeated ? ['processes:', 'of them, fastest to slowest:'] : []),
        ...(peers.length > 0 ? ['wgrad, in turns:'] : []),
        ...peers.flatMap((peer) => [`${peer}:`, timesHead(peer)]),
      ],
      rows.map((one) => [
        ...[one.optimizer, one.batchSize, ...(isMixed ? [one.precision] : []), spread(one.wgrad?.ms)],
        ...(isRepeated ? [one.processes.length, range(one.processes)] : []),
        ...(peers.length > 0 ? [digits(one.inTurns)] : []),
        ...peers.flatMap((peer) => [digits(one.rivals[peer]?.ms), timesCell(one, peer)]),
      ]),
    ),
    ...(isCompared ? [modeTable(cases)] : []),
    `${clocks.join('; ')}. ${counts(cases, measured)}`,
  ];
}

/** More kernels than these are listed by kind, and of the kinds so many. */
const MAX_KERNELS = 40;
const KINDS_LISTED = 20;

function kernels(profile: ProfileLine): string[] {
  const { model, optimizer, batchSize, precision, flopPerSecond, bytesPerSecond } = profile;
  const groups = kernelGroups(profile, MAX_KERNELS);
  const listed = groups.length > MAX_KERNELS ? groups.slice(0, KINDS_LISTED) : groups;
  const percent = (part: number) => `${(100 * part).toFixed(0)} %`;
  const rest = groups.slice(listed.length);
  const others = `, the ${rest.length} other kinds ${digits(sumOf(rest))} ms`;
  return [
    `### What a step of ${titleOf(model)} goes into: ${optimizer}, batch ${batchSize}${precision === 'mixed' ? ', mixed precision' : ''}`,
    markdown(
      ['kernels', 'how many:', 'us:', 'of all:', 'MFLOP:', 'MB:', 'TFLOP/s:', 'GB/s:', 'of the roofline:'],
      listed.map(({ kernel, count, ms, share, flop, bytes, ofRoofline }) => [
        ...[kernel, count, digits(1e3 * ms), percent(share)],
        ...[flop > 0 ? digits(flop / 1e6) : NONE, digits(bytes / 1e6)],
        ...[flop > 0 ? digits(flop / ms / 1e9) : NONE, digits(bytes / ms / 1e6), percent(ofRoofline)],
      ]),
    ),
    `Each kernel on its own, repeated: ${digits(sumOf(profile.kernels))} ms in sum${rest.length > 0 ? others : ''}. The step took ` +
      `${digits(profile.ms.median)} ms; the rest is what one kernel waits for another. The roofline is what this GPU was ` +
      `measured to do: ${digits(flopPerSecond / 1e12)} TFLOP/s in a large product, ${digits(bytesPerSecond / 1e9)} GB/s in a large ` +
      'copy. What fits into caches can be faster than that copy.',
  ];
}

const titleOf = (model: string): string => (models.has(model) ? models.get(model).title : model);

function convolutions(lines: Lines, cases: readonly ConvolutionCase[]): string[] {
  if (cases.length === 0) return [];
  const peers = peersIn(lines.convolutions);
  const isCompared = lines.convolutions.pytorch.length > 0;
  const table = markdown(
    [
      ...['problem', 'direction', "wgrad's best", 'ms [10 %, 90 %]:', 'TFLOP/s:'],
      ...(isCompared ? ['cuDNN, ms:', "to cuDNN's time:"] : []),
      ...peers.flatMap((peer) => [`${peer}, ms:`, timesHead(peer)]),
    ],
    cases.map((one) => {
      const { problem, direction, wgrad, pytorch, toPytorch } = one;
      return [
        ...[nameOf(problem), direction, wgrad ? wayOf(wgrad) : NONE],
        ...[spread(wgrad?.ms), digits(wgrad && flopOf(problem) / wgrad.ms.median / 1e9)],
        ...(isCompared ? [digits(pytorch?.ms.median), toPytorch?.toFixed(2) ?? NONE] : []),
        ...peers.flatMap((peer) => [digits(one.rivals[peer]?.ms), timesCell(one, peer)]),
      ];
    }),
  );
  return ['## Single convolutions', table, counts(cases, lines.convolutions), summary(lines, cases, peers)];
}

function summary(lines: Lines, cases: readonly ConvolutionCase[], peers: readonly PeerName[]): string {
  const points: string[] = [];
  const ratios = ratiosOf(cases);
  if (ratios) {
    const { count, geometricMean, worst } = ratios;
    points.push(
      `To cuDNN's time, without filters of 1x1: ${geometricMean.toFixed(2)} as the geometric mean of ${count}; ` +
        `${worst.toPytorch.toFixed(2)} at worst (${nameOf(worst.problem)}, ${worst.direction}).`,
    );
  }
  for (const peer of peers) {
    const each = fewestTimes(cases, peer).map(
      ({ direction, times, problem }) => `${direction} ${digits(times)} (${nameOf(problem)})`,
    );
    if (each.length > 0) points.push(`Times ${peer}, at least: ${each.join(', ')}.`);
  }
  for (const { problem, direction, winograd, implicit, times } of winogradGains(cases, lines.convolutions)) {
    points.push(
      `${nameOf(problem)}, ${direction}: Winograd is ${digits(times)} times as fast as implicit GEMM ` +
        `(${winograd.algorithm} ${digits(winograd.ms.median)} ms, implicit_gemm ${digits(implicit.ms.median)} ms).`,
    );
  }
  const errors = [
    ["wgrad's at sampled places", largestError(cases, 'wgrad')] as const,
    ["cuDNN's at all", largestError(cases, 'pytorch')] as const,
  ].flatMap(([whose, worst]) => {
    if (!worst) return [];
    const { problem, direction, wgrad } = worst.one;
    const way = whose.startsWith('wgrad') && wgrad ? `, ${wgrad.algorithm}` : '';
    return `${whose} ${worst.error.toExponential(1)} (${nameOf(problem)}, ${direction}${way})`;
  });
  if (errors.length > 0) {
    points.push(
      `Largest errors against float64, relative to the largest number, of the fastest: ${errors.join('; ')}.`,
    );
  }
  return points.map((point) => `- ${point}`).join('\n');
}

function products({ products: all }: Lines, cases: readonly FigureCase<Product>[]): string[] {
  if (cases.length === 0) return [];
  const peers = peersIn(all);
  const isCompared = all.pytorch.length > 0;
  const speed = ({ size }: Product, ms: number | undefined) => digits(ms && (2 * size ** 3) / ms / 1e9);
  return [
    '## Matrix products, TFLOP/s',
    markdown(
      [
        ...['size:', 'wgrad:', ...(isCompared ? ['PyTorch (cuBLAS):'] : [])],
        ...peers.flatMap((peer) => [`${peer}:`, timesHead(peer)]),
      ],
      cases.map((one) => [
        ...[one.size, speed(one, one.wgrad?.ms.median)],
        ...(isCompared ? [speed(one, one.pytorch?.ms.median)] : []),
        ...peers.flatMap((peer) => [speed(one, one.rivals[peer]?.ms), timesCell(one, peer)]),
      ]),
    ),
    counts(cases, all),
  ];
}

function predictions(all: readonly BenchPrediction[]): string[] {
  if (all.length === 0) return [];
  const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
  return [
    '## Predicting instead of measuring',
    'What `get` loses against `find`, in all directions. Layers that occur more than once count as often.',
    markdown(
      [
        ...['suite', 'problems:', 'mean loss by predicting:', 'best, ms in sum:', 'predicted, ms in sum:'],
        ...['sum lost:', 'search, seconds a problem [10 %, 90 %]:', 'all searches, s:'],
      ],
      all.map((one) => [
        ...[one.suite, one.problems, percent(one.mean_regret_of_layers)],
        ...[one.best_ms.toFixed(2), one.get_ms.toFixed(2), percent(one.regret_of_total)],
        ...[spread(one.seconds), one.saved_seconds.toFixed(0)],
      ]),
    ),
  ];
}

const timesHead = (peer: PeerName): string => `times ${peer} [10 %, 90 %]:`;

function timesCell({ rivals }: Pick<FigureCase<object>, 'rivals'>, peer: PeerName): string {
  const times = rivals[peer]?.times;
  return typeof times === 'object' ? spread(times) : digits(times);
}

/** How often each of the times in the table was measured. */
function counts(
  cases: readonly FigureCase<object>[],
  { turns }: Pick<Measurements<object>, 'turns'>,
): string {
  const of = (name: string, all: readonly ({ n: number } | undefined)[], unit = '') => {
    const numbers = [...new Set(all.flatMap((one) => one?.n ?? []))].sort((a, b) => a - b);
    return numbers.length === 0 ? [] : `${name} ${numbers.join(' or ')}${unit}`;
  };
  const own = cases.map(({ wgrad }) => wgrad);
  const nvidia = cases.map(({ pytorch }) => pytorch);
  return `n: ${[of('wgrad', own), of('PyTorch', nvidia), of('in turns', turns, ' rounds')].flat().join(', ')}.`;
}

const wayOf = ({ algorithm, launch }: { algorithm: string; launch: string | undefined }): string =>
  launch === undefined ? algorithm : `${algorithm}: ${launch}`;

const flopOf = (problem: ConvolutionLine['problem']): number => flops(parseProblem(problem));

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

const range = (sorted: readonly number[]): string =>
  sorted.length === 0 ? NONE : `${digits(sorted[0])} to ${digits(sorted.at(-1))}`;

const spread = (value: Spread | undefined): string =>
  value ? `${digits(value.median)} [${digits(value.p10)}, ${digits(value.p90)}]` : NONE;

/** The measured sections of documents. A sentence that results no longer bear out throws, so that no section is made of it. */
import { spreadOf } from '../../src/gpu/timing.ts';
import { parseProblem, DIRECTIONS } from '../../src/engine/ops/conv/problem.ts';
import { markdown } from '../rows.ts';
import type { FigureCase } from '../tables/figures.ts';
import type { Step } from '../tables/lines.ts';
import { kernels, pageRuns, predictions, runsOf, steps, turns, type Run } from './results.ts';

const digits = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
const percent = (share: number, places = 1): string => `${(100 * share).toFixed(places)} %`;
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const medianOf = (values: readonly number[]): number => spreadOf(values).median;

/** @throws Error unless results bear a sentence out */
function holds(sentence: string, isTrue: boolean): void {
  if (!isTrue) throw new Error(`results no longer bear out that ${sentence}: write the section again`);
}

const own = ({ wgrad }: FigureCase<Step>): number => wgrad?.ms.median ?? NaN;

/** PyTorch's fastest mode, with or without TF32. */
function pytorch({ modes }: FigureCase<Step>, isTf32: boolean): number {
  const times = [...modes].flatMap(([mode = '', ms]) =>
    mode.startsWith('tf32') === isTf32 && ms !== undefined ? ms : [],
  );
  return Math.min(...times);
}

/** How many times as fast wgrad is. */
const lead = (one: FigureCase<Step>, isTf32 = false): number => pytorch(one, isTf32) / own(one);

const ROWS = [
  { model: 'lenet5', title: 'LeNet-5', batch: 128 },
  { model: 'lenet5', title: 'LeNet-5', batch: 512 },
  { model: 'resnet20', title: 'ResNet-20', batch: 128 },
  { model: 'resnet20', title: 'ResNet-20', batch: 512 },
  { model: 'resnet18', title: 'ResNet-18', batch: 128 },
] as const;

/** A process that takes this many times as long as the fastest is late. */
const LATE = 1.1;

function speed(): string {
  const { card, date, pytorch: version, of, lenetOnGpu } = steps();
  const cell = (ms: number | undefined) => (ms === undefined || !Number.isFinite(ms) ? '' : digits(ms));
  const table = markdown(
    [
      ...['training step', 'wgrad:', 'PyTorch:', 'PyTorch, TF32:', 'wgrad, mixed:', 'PyTorch, mixed:'],
      ...['TensorFlow.js 4.22:', 'jax-js 0.1:'],
    ],
    ROWS.map(({ model, title, batch }) => {
      const single = of(model, batch);
      const mixed = model === 'lenet5' ? undefined : of(model, batch, 'mixed');
      const peers = [single.rivals['TensorFlow.js'], single.rivals['jax-js']];
      return [
        `${title}, batch ${batch}`,
        ...[own(single), pytorch(single, false), pytorch(single, true)].map(cell),
        ...(mixed ? [own(mixed), pytorch(mixed, false)] : [undefined, undefined]).map(cell),
        ...peers.map((peer) => cell(peer?.ms)),
      ];
    }),
  );
  const singles = ROWS.map(({ model, batch }) => of(model, batch));
  const leads = singles.map((one) => lead(one)).sort((a, b) => a - b);
  const [large, mixedLarge] = [of('resnet18', 128), of('resnet18', 128, 'mixed')];
  const mixedSmall = lead(of('resnet20', 512, 'mixed'));
  const behind = [
    lead(of('resnet20', 128), true),
    lead(of('resnet20', 512), true),
    lead(of('resnet20', 128, 'mixed')),
  ];
  holds('wgrad is ahead of PyTorch in float32', leads[0] > 1);
  holds('PyTorch is ahead on tensor cores for ResNet-18', lead(large, true) < 1 && lead(mixedLarge) < 1);
  holds('PyTorch is ahead on tensor cores for the other ResNet-20', Math.max(...behind) < 1);
  holds('wgrad is ahead on LeNet-5, TF32 included', lead(singles[0], true) > 1 && lead(singles[1], true) > 1);
  holds('wgrad is ahead on ResNet-20 in batches of 512, mixed', mixedSmall > 1);
  const { processes } = singles[0];
  const late = processes.filter((ms) => ms > LATE * processes[0]).length;
  const [onGpu, atMost] = [Math.min(...lenetOnGpu), Math.max(...lenetOnGpu)].map(digits);
  return [
    `One ${card}, one session, ${date}, median milliseconds per step. ${version}: its fastest of eager, CUDA graph and compiled; mixed precision is float16 in wgrad and bfloat16 in PyTorch. TensorFlow.js and jax-js: on WebGPU.`,
    table,
    `In float32, wgrad is ${leads[0].toFixed(2)} to ${(leads.at(-1) ?? NaN).toFixed(2)} times as fast as PyTorch. Where PyTorch uses tensor cores, it is ${(1 / lead(large, true)).toFixed(2)} times as fast as wgrad on ResNet-18 with TF32, ${(1 / lead(mixedLarge)).toFixed(2)} times in mixed precision, and up to ${(1 / Math.min(...behind)).toFixed(2)} times on ResNet-20; wgrad stays ahead on LeNet-5, and on ResNet-20 in batches of 512 in mixed precision (${mixedSmall.toFixed(2)} times).`,
    `LeNet-5’s step varies between processes: of ${processes.length}, ${processes.length - late} took ${digits(processes[0])} to ${digits(processes[processes.length - late - 1])} ms and ${late} up to ${digits(processes.at(-1) ?? NaN)} ms, while the GPU took ${onGpu} to ${atMost} ms in all. [All modes and spreads](bench/results/nvidia-h100-steps.md).`,
    training(),
  ].join('\n\n');
}

function page(): string {
  const { card, browser, date, runs } = pageRuns();
  const toNode = runs.map((run) => run.page.median / run.node).sort((a, b) => a - b);
  return [
    `On the page at full speed, by the wall clock, with its tests, checkpoints and all that it shows, a step takes ${toNode[0].toFixed(2)} to ${(toNode.at(-1) ?? NaN).toFixed(2)} times as long as alone in Node. One ${card}, ${browser}, one session, ${date}, milliseconds: medians of ${runs[0].page.n} visits to the page, of the faster of two processes of Node, and of the fastest mode of PyTorch that was measured beside them, tensor cores included. [Spreads, and what takes the time](bench/results/page-nvidia-h200.md).`,
    markdown(
      ['run', 'a step on the page:', 'a step in Node:', 'PyTorch:', 'from Train to the first step:'],
      runs.map(({ name, page: { median }, node, pytorch: rival, first }) => [
        name,
        ...[median, node, rival, first].map(digits),
      ]),
    ),
  ].join('\n\n');
}

const accuracy = (runs: readonly Run[]): string => percent(mean(runs.map((one) => one.test_accuracy)), 2);
const seconds = (runs: readonly Run[]): string => digits(medianOf(runs.map((one) => one.train_seconds)));
const program = (runs: readonly Run[]): string =>
  digits(medianOf(runs.map((one) => one.program_seconds ?? NaN)));

function training(): string {
  const mnist = runsOf('mnist-sprint');
  const [single, mixed] = [runsOf('airbench-cifar-10'), runsOf('airbench-cifar-10', 'mixed')];
  return (
    `A network reaches ${accuracy(mnist)} on MNIST in ${seconds(mnist)} seconds of training (mean of ${mnist.length} seeds), and ` +
    `${accuracy(single)} on CIFAR-10 in ${seconds(single)} seconds, or ${accuracy(mixed)} in ${seconds(mixed)} in mixed precision (means of ` +
    `${single.length} seeds that the recipe was not tuned on). The whole programs took ${program(mnist)}, ${program(single)} and ` +
    `${program(mixed)} seconds.`
  );
}

const PRESETS: readonly (readonly [preset: string, precision: Run['precision']])[] = [
  ['mnist-sprint', 'float32'],
  ['lenet5-mnist-sprint', 'float32'],
  ['lenet5-mnist', 'float32'],
  ['resnet20-cifar-10', 'float32'],
  ['airbench-cifar-10', 'float32'],
  ['airbench-cifar-10', 'mixed'],
  ['resnet18-cifar-10', 'float32'],
];

function accuracies(): string {
  const rows = PRESETS.map(([preset, precision]) => {
    const runs = runsOf(preset, precision);
    const each = runs.map(({ test_accuracy }) => (100 * test_accuracy).toFixed(2)).join(', ');
    const whole = runs.every(({ program_seconds }) => program_seconds !== undefined);
    return [
      `\`${preset}\`${precision === 'mixed' ? ', `--precision mixed`' : ''}`,
      runs.length > 3 ? `${accuracy(runs)} (mean of ${runs.length})` : `${each} %`,
      `${seconds(runs)} s`,
      whole ? `${program(runs)} s` : '',
      runs[0].adapter,
    ];
  });
  return [
    markdown(
      ['`train --preset`', 'final test accuracy:', 'training time:', 'whole program:', 'on one'],
      rows,
    ),
    `Times are medians. Training times are without evaluation and compiling. CIFAR-10’s recipe was tuned on other seeds than these.`,
  ].join('\n\n');
}

const CONVOLUTIONS = [
  'n64 c64 32x32 k64 3x3 s1x1 p1x1 d1x1 g1',
  'n128 c128 16x16 k128 3x3 s1x1 p1x1 d1x1 g1',
  'n128 c256 8x8 k256 3x3 s1x1 p1x1 d1x1 g1',
  'n64 c64 32x32 k64 5x5 s1x1 p2x2 d1x1 g1',
];

function convolutions(): string {
  const { card, date, convolutions: cases, products } = kernels();
  const rows = CONVOLUTIONS.map((problem) => {
    const { N, C, H, W, K, R, S } = parseProblem(problem);
    const times = DIRECTIONS.flatMap((direction) => {
      const one = cases.find((each) => each.problem === problem && each.direction === direction);
      if (!one?.wgrad || !one.pytorch) throw new Error(`no result of ${problem}, ${direction}`);
      return [digits(one.wgrad.ms.median), digits(one.pytorch.ms.median)];
    });
    return [`N${N} C${C} ${H}x${W}, K${K} of ${R}x${S}`, ...times];
  });
  const product = (size: number) => {
    const one = products.find((each) => each.size === size);
    const rate = (ms: number | undefined) => ((2 * size ** 3) / (ms ?? NaN) / 1e9).toFixed(0);
    const peers = (['TensorFlow.js', 'jax-js'] as const).map((peer) => rate(one?.rivals[peer]?.ms));
    return [rate(one?.wgrad?.ms.median), rate(one?.pytorch?.ms.median), ...peers];
  };
  const [small, large] = [product(1024), product(4096)];
  const rate = (who: number) => `${small[who]} (${large[who]})`;
  return [
    `The fastest algorithm with 64 MiB of workspace, and cuDNN 9.19 by its own search, on one ${card} in one session, ${date}, median milliseconds:`,
    markdown(['problem', ...DIRECTIONS.flatMap((direction) => [`${direction}:`, 'cuDNN:'])], rows),
    `Matrix multiplications of size 1024 (4096) reached ${rate(0)} TFLOP/s there, cuBLAS ${rate(1)}, TensorFlow.js ${rate(2)}, jax-js ${rate(3)}.`,
    prediction(),
  ].join('\n\n');
}

function prediction(): string {
  const { card, of } = predictions();
  const loss = (suite: string) => percent(of.get(suite)?.mean_regret_of_layers ?? NaN);
  const apart = [of.get('unseen'), of.get('unseen3')].map((one) => one?.problems ?? NaN);
  return (
    `On one ${card}, measuring all variants that may win takes ${digits(of.get('all')?.seconds.median ?? NaN)} seconds per problem and direction ` +
    `(median, cold). Predicting the algorithm instead loses ${loss('alexnet')} of time over the convolutions of AlexNet, ${loss('vgg19')} of ` +
    `VGG-19 and ${loss('resnet50')} of ResNet-50, and ${loss('unseen')} and ${loss('unseen3')} over two sets of ${apart[0]} and ${apart[1]} ` +
    'problems that it was not fitted to.'
  );
}

function peersOnOneCore(): string {
  const { batchSize, imagesPerSecond, rounds, times } = turns('cpu');
  return (
    `On one core, LeNet-5, batch ${batchSize}, SGD, in Chromium: [results/lenet5-training-cpu.md](results/lenet5-training-cpu.md). wgrad’s CPU ` +
    `engine trained on ${digits(imagesPerSecond)} images per second, ${times('TensorFlow.js').toFixed(0)} times as many as TensorFlow.js on its CPU ` +
    `backend and ${times('jax-js').toFixed(0)} times as many as jax-js on its WASM backend (medians of ${rounds} rounds in turns).`
  );
}

function peersOnSwiftShader(): string {
  const { batchSize, rounds, times } = turns('swiftshader');
  return (
    `Without a GPU, on SwiftShader: [results/lenet5-training-swiftshader.md](results/lenet5-training-swiftshader.md). wgrad trained LeNet-5 ` +
    `${times('TensorFlow.js').toFixed(0)} times as fast as TensorFlow.js (batch ${batchSize}, SGD, median of ${rounds} rounds in turns).`
  );
}

/** What the descriptions of presets say, by their names. */
export function presetClaims(): Record<string, string[]> {
  const time = (runs: readonly Run[]) => `${seconds(runs)} s on an ${runs[0].adapter}`;
  const [sprint, single, mixed] = [
    runsOf('mnist-sprint'),
    runsOf('airbench-cifar-10'),
    runsOf('airbench-cifar-10', 'mixed'),
  ];
  const lenet = runsOf('lenet5-mnist');
  holds(
    'lenet5-mnist exceeds 99.4 %',
    lenet.every(({ test_accuracy }) => test_accuracy > 0.994),
  );
  const resnet20 = runsOf('resnet20-cifar-10');
  const resnet20Range = resnet20.map((one) => (100 * one.test_accuracy).toFixed(2)).sort();
  return {
    'mnist-sprint': [`${accuracy(sprint)} in ${time(sprint)}`],
    'lenet5-mnist': [time(lenet)],
    'lenet5-mnist-sprint': [time(runsOf('lenet5-mnist-sprint'))],
    'airbench-cifar-10': [
      `${accuracy(single)} in ${time(single)}`,
      `${accuracy(mixed)} in ${seconds(mixed)} s with mixed precision`,
    ],
    'resnet20-cifar-10': [`${resnet20Range.join(' and ')} % in ${time(resnet20)}`],
    'resnet18-cifar-10': [`${accuracy(runsOf('resnet18-cifar-10'))} in ${time(runsOf('resnet18-cifar-10'))}`],
  };
}

/** By name. */
export const SECTIONS: Readonly<Record<string, () => string>> = {
  speed,
  page,
  convolutions,
  accuracies,
  'peers-on-one-core': peersOnOneCore,
  'peers-on-swiftshader': peersOnSwiftShader,
};

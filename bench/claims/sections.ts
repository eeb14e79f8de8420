/** The measured sections of documents. A sentence that results no longer bear out throws, so that no section is made of it. */
import { parseProblem, DIRECTIONS } from '../../src/engine/ops/conv/problem.ts';
import { suiteCases, suites } from '../../src/models/suites.ts';
import { markdown } from '../rows.ts';
import { fastestOf, meanOf, medianOf, sampled, saidOf, type Statistic } from '../statistic.ts';
import { pageOf } from '../tables/page.ts';
import { LAYOUTS, modesOf, ROWS, RUNS, type Incomplete } from '../modes.ts';
import {
  kernels,
  pageRuns,
  peerSteps,
  predictions,
  runsOf,
  stepLines,
  steps,
  type PageRun,
  type Run,
  type StepResult,
} from './results.ts';

const digits = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
const percent = (share: number, places = 1): string => `${(100 * share).toFixed(places)} %`;
const cell = (one: Statistic | undefined): string => (one ? digits(one.value) : '');
const ratio = (value: number): string => value.toFixed(2);

/** @throws Error unless results bear a sentence out */
function holds(sentence: string, isTrue: boolean): void {
  if (!isTrue) throw new Error(`results no longer bear out that ${sentence}: write the section again`);
}

/** PyTorch's fastest, or what is missing for that to be said. */
const pytorchCell = (one: Statistic | Incomplete): string =>
  'value' in one ? cell(one) : `(${one.measured} of ${one.of} modes)`;

const MIXED = ['float16', 'bfloat16'];

const HALF_PRECISION =
  'on this card it needs Dawn’s features `vulkan_enable_f16_on_nvidia,allow_unsafe_apis`, without which Chrome has no mixed precision there';

const WAYS = `${RUNS.map((run) => run.replace('cuda', 'CUDA')).join(', ')}; ${LAYOUTS.map((layout) => layout.replace('nchw', 'NCHW').replace('_', ' ')).join(', ')}; fused optimisers`;

const LEFT_OUT =
  'Left out of every row: compiled with max-autotune, which may be faster still, but takes [minutes to compile a mode](../bench/NOTES.md#pytorch-beside-other-processes).';

/** What cells with a number of modes mean; nothing if there are none. */
const incomplete = (all: readonly (Statistic | Incomplete)[]): string[] =>
  all.some((one) => !('value' in one))
    ? [
        'A cell in brackets is no comparison: it says how many of these modes were measured, which were not all.',
      ]
    : [];

/** What PyTorch takes at most where not all modes were measured: the fastest that was, on whatever arithmetic. */
function bounds(rows: readonly StepResult[]): string[] {
  const each = rows.flatMap(({ title, pytorch, measured }) =>
    measured === undefined || 'value' in pytorch() ? [] : `${digits(measured)} (${title})`,
  );
  return each.length === 0
    ? []
    : [
        `PyTorch takes at most, by its fastest mode that was measured, on tensor cores too: ${each.join(', ')}.`,
      ];
}

/** A process that takes this many times as long as the fastest is late. */
const LATE = 1.1;

/** PyTorch's time by wgrad's, and by its slowest and fastest process where they are of different speed. */
function lead({ wgrad, pytorch }: StepResult): string {
  const rival = pytorch(['float32']);
  if (!wgrad || !('value' in rival)) return '';
  const [fast, slow] = wgrad.spread;
  const range = slow > LATE * fast ? ` (${ratio(rival.value / slow)} to ${ratio(rival.value / fast)})` : '';
  return `${ratio(rival.value / wgrad.value)}${range}`;
}

/** Of a step whose processes differ in speed. */
function lateProcesses({ title, processes, onGpu }: StepResult): string[] {
  const late = processes.filter((ms) => ms > LATE * processes[0]);
  if (late.length === 0) return [];
  const gpu = fastestOf(onGpu).spread.map(digits).join(' to ');
  return [
    `${title}: of ${processes.length} processes, ${late.length} took more than ${LATE} times as long as the fastest, up to ${digits(late.at(-1) ?? NaN)} ms; the GPU took ${gpu} ms in all.`,
  ];
}

function stepTable(): string {
  const rows = ROWS.map(steps().of);
  const isMixed = rows.some(({ mixed }) => mixed);
  return markdown(
    [
      ...['training step', 'wgrad:', 'PyTorch:', 'times as fast:', 'PyTorch, TF32:'],
      ...(isMixed ? ['wgrad, mixed:', 'PyTorch, mixed:'] : []),
    ],
    rows.map((one) => [
      ...[one.title, cell(one.wgrad), pytorchCell(one.pytorch(['float32'])), lead(one)],
      pytorchCell(one.pytorch(['tf32'])),
      ...(isMixed ? [cell(one.mixed), one.mixed ? pytorchCell(one.pytorch(MIXED)) : ''] : []),
    ]),
  );
}

/** For README. */
function speedInShort(): string {
  const { card, date, pytorch: version, of } = steps();
  const own = ROWS.map(of).flatMap(({ wgrad, mixed }) => [wgrad, mixed].flatMap((one) => one ?? []));
  const [least, most] = pageToNode();
  return [
    `Milliseconds a training step, on one ${card} in Node on Dawn, ${saidOf(own, 'processes')}, ${date}:`,
    stepTable(),
    `${version}: the fastest of its modes that were measured, on the same kind of card. The page takes ${least} to ${most} times as long as Node. [What was measured and how](docs/speed.md), and [training to an accuracy](docs/features.md#training-to-an-accuracy).`,
  ].join('\n\n');
}

function speed(): string {
  const { card, date, pytorch: version, samples, of } = steps();
  const rows = ROWS.map(of);
  const isMixed = rows.some(({ mixed }) => mixed);
  const own = rows.flatMap(({ wgrad, mixed }) => [wgrad, mixed].flatMap((one) => one ?? []));
  const rivals = rows.flatMap(({ pytorch }) => [['float32'], ['tf32'], MIXED].map(pytorch));
  const apart = rows.filter(({ isApart }) => isApart).map(({ title }) => title);
  return [
    `Milliseconds a training step, on one ${card}, ${date} ([all modes and spreads](../bench/results/steps.md)):`,
    stepTable(),
    [
      `wgrad: in Node on Dawn, on Linux, ${saidOf(own, 'processes')}.`,
      [
        `${version}: the fastest of ${modesOf(['float32']).length} modes, in mixed precision of ${modesOf(MIXED).length} (${MIXED.join(', ')}): ${WAYS}; of each mode the median of ${samples} samples.`,
        LEFT_OUT,
        ...incomplete(rivals),
      ].join(' '),
      ...(apart.length > 0
        ? [
            `PyTorch’s times of ${apart.join(' and of ')}: of another sitting, on an ${card} that may be another one.`,
          ]
        : []),
      ...bounds(rows),
      '“Times as fast”: PyTorch’s time by wgrad’s, both in float32; below 1, PyTorch is faster. In brackets: by wgrad’s slowest and fastest process, where they differ by more than a tenth.',
      ...(isMixed ? [`wgrad’s mixed precision is float16: ${HALF_PRECISION}.`] : []),
      ...rows.flatMap(lateProcesses),
      peersInNode(),
      training(),
    ]
      .map((point) => `- ${point}`)
      .join('\n'),
  ].join('\n\n');
}

/** TensorFlow.js and jax-js, where they were measured. */
function peersInNode(): string {
  const { card, date, rounds, cases } = peerSteps();
  const each = (['TensorFlow.js', 'jax-js'] as const).map((peer) => {
    const all = cases.flatMap(({ batchSize, rivals }) => {
      const ms = rivals[peer]?.ms;
      return ms === undefined ? [] : `${digits(ms)} (batch ${batchSize})`;
    });
    return `${peer} ${all.join(', ')}`;
  });
  return `LeNet-5 by others in Node on Dawn, not in a browser, on one ${card}, ${date}, medians of ${Math.min(...rounds)} rounds: ${each.join('; ')}.`;
}

/** The same step of wgrad's in Node. */
const beside = ({ step, precision }: PageRun): Statistic | undefined =>
  precision === 'mixed' ? step.mixed : step.wgrad;

/** How many times as long as in Node a step takes on the page: at least, and at most. */
function pageToNode(): [least: string, most: string] {
  const each = pageRuns().runs.flatMap((run) => {
    const node = beside(run);
    return node ? run.page.value / node.value : [];
  });
  return [ratio(Math.min(...each)), ratio(Math.max(...each))];
}

function page(): string {
  const { card, browser, date, stepsDate, runs } = pageRuns();
  const warm = runs.flatMap((run) => run.warm ?? []);
  const node = runs.flatMap((run) => beside(run) ?? []);
  return [
    `The page at full speed, milliseconds by the wall clock, on one ${card}, ${date} ([spreads, and what takes the time](../bench/results/page.md)):`,
    markdown(
      ['run', 'a step:', 'in Node:', 'in PyTorch:', 'first step, first visit:', 'later:'],
      runs.map((run) => [
        run.name,
        ...[cell(run.page), cell(beside(run)), pytorchCell(run.step.pytorch())],
        ...[run.cold === undefined ? '(not kept)' : digits(run.cold), cell(run.warm)],
      ]),
    ),
    [
      `A step, with the page’s tests, checkpoints and all that it shows: ${saidOf(
        runs.map((run) => run.page),
        'visits',
      )}, in ${browser} on Linux with [flags](../bench/README.md#how-to-repeat-it) for the GPU and for mixed precision. It takes ${pageToNode().join(' to ')} times as long as alone in Node.`,
      `Node: ${saidOf(node, 'processes')}.${stepsDate === date ? '' : ` Node and PyTorch: ${stepsDate}, in part in other sittings, on an ${card} that may be another one.`}`,
      [
        `PyTorch: the fastest of all ${modesOf().length} modes of the table above, tensor cores included.`,
        ...incomplete(runs.map((run) => run.step.pytorch())),
      ].join(' '),
      `First step: from pressing Train. At the first visit no cache has the kernels${warm.length > 0 ? `; later: ${saidOf(warm, 'visits')}` : ''}.`,
    ]
      .map((point) => `- ${point}`)
      .join('\n'),
  ].join('\n\n');
}

/** For results/steps.md. */
const stepTables = (): string => pageOf(stepLines());

/** For results/page.md: what README's table leaves out. */
function pageTable(): string {
  const { card, browser, date, stepsDate, runs } = pageRuns();
  const spread = (one: Statistic | undefined) =>
    one ? `${digits(one.value)} [${one.spread.map(digits).join(', ')}]` : '';
  return [
    `One ${card}, ${browser}, ${date}; ${saidOf(
      runs.map((run) => run.page),
      'visits',
    )} [10 %, 90 %]; Node and PyTorch in milliseconds a step, ${stepsDate}, in part in other sittings, PyTorch’s modes as in [steps.md](steps.md). GPU: the share of the time in which it computes, by its own timestamps, in per cent. [All rows](page.jsonl).`,
    markdown(
      [
        ...['run', 'a step on the page, ms:', 'Node:', 'PyTorch, float32:', 'TF32:', 'mixed:'],
        ...['GPU, steps:', 'tests:', 'all:'],
      ],
      runs.map((run) => [
        ...[run.name, spread(run.page), cell(beside(run))],
        ...[['float32'], ['tf32'], MIXED].map((one) => pytorchCell(run.step.pytorch(one))),
        ...run.gpu.map(cell),
      ]),
    ),
  ].join('\n\n');
}

const accuracyOf = (runs: readonly Run[]): Statistic => meanOf(runs.map((one) => one.test_accuracy));
const secondsOf = (runs: readonly Run[]): Statistic => medianOf(runs.map((one) => one.train_seconds));
const programOf = (runs: readonly Run[]): Statistic | undefined => {
  const all = runs.flatMap((one) => one.program_seconds ?? []);
  return all.length === runs.length ? medianOf(all) : undefined;
};
/** "99.18 %", of a statistic that says elsewhere what it is. */
const accuracy = ({ value }: Statistic): string => percent(value, 2);

function training(): string {
  const recipes = [
    ['MNIST', runsOf('mnist-sprint')],
    ['CIFAR-10', runsOf('airbench-cifar-10')],
    ['CIFAR-10 in mixed precision', runsOf('airbench-cifar-10', 'mixed')],
  ] as const;
  const each = recipes.map(([data, runs]) => {
    const [reached, took, whole] = [accuracyOf(runs), secondsOf(runs), programOf(runs)];
    return `${data} ${accuracy(reached)} (${reached.word}) in ${cell(took)} s (${took.word} of ${reached.n} seeds; the whole program ${cell(whole)} s)`;
  });
  const [card] = new Set(recipes.flatMap(([, runs]) => runs.map((run) => run.adapter)));
  return `Final test accuracy after training on one ${card}, without the time of tests and of compiling: ${each.join(', ')}. CIFAR-10’s recipe was tuned on other seeds, but by its accuracy on the same test images, as its records were.`;
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

/** Where there are no more runs, each is told instead of their mean. */
const FEW = 3;

function accuracies(): string {
  const all = PRESETS.map(([preset, precision]) => ({ preset, precision, runs: runsOf(preset, precision) }));
  const rows = all.map(({ preset, precision, runs }) => {
    const each = runs.map(({ test_accuracy }) => (100 * test_accuracy).toFixed(2)).join(', ');
    const whole = programOf(runs);
    return [
      `\`${preset}\`${precision === 'mixed' ? ', `--precision mixed`' : ''}`,
      runs.length > FEW
        ? `${accuracy(accuracyOf(runs))} (${saidOf([accuracyOf(runs)], 'seeds')})`
        : `${each} %`,
      `${cell(secondsOf(runs))} s`,
      whole ? `${cell(whole)} s` : '',
      runs[0].adapter,
    ];
  });
  return [
    markdown(
      ['`train --preset`', 'final test accuracy:', 'training time:', 'whole program:', 'on one'],
      rows,
    ),
    `Times: ${saidOf(
      all.flatMap(({ runs }) => [secondsOf(runs), ...[programOf(runs) ?? []].flat()]),
      'seeds',
    )}. Training times are without evaluation and compiling. CIFAR-10’s recipe was tuned on other seeds than these, but by its accuracy on the same test images, as its records were.`,
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
  const timed: Statistic[] = [];
  const rows = CONVOLUTIONS.map((problem) => {
    const { N, C, H, W, K, R, S } = parseProblem(problem);
    const times = DIRECTIONS.flatMap((direction) => {
      const one = cases.find((each) => each.problem === problem && each.direction === direction);
      if (!one?.wgrad || !one.pytorch) throw new Error(`no result of ${problem}, ${direction}`);
      const both = [one.wgrad, one.pytorch].map(({ ms, n }) => sampled(ms, n));
      timed.push(...both);
      return both.map(cell);
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
    `In float32 without TF32, the fastest algorithm with 64 MiB of workspace, and cuDNN 9.19 by its own search without a limit, on one ${card} in one session, ${date}, milliseconds, ${saidOf(timed, 'samples')}:`,
    markdown(['problem', ...DIRECTIONS.flatMap((direction) => [`${direction}:`, 'cuDNN:'])], rows),
    `Matrix multiplications of size 1024 (4096) reached ${rate(0)} TFLOP/s there, cuBLAS ${rate(1)}, TensorFlow.js ${rate(2)} and jax-js ${rate(3)} in Node on Dawn, not in a browser.`,
    prediction(),
  ].join('\n\n');
}

function prediction(): string {
  const { card, of } = predictions();
  const suite = (name: string) => {
    const one = of.get(name);
    if (!one) throw new Error(`no predictions of ${name}`);
    return one;
  };
  const lost = (name: string) => percent(suite(name).regret_of_total);
  const reached = (name: string) =>
    `${suite(name).problems} of ${DIRECTIONS.length * suiteCases(suites.get(name)).length} problems`;
  const search = sampled(suite('all').seconds, suite('all').problems);
  return (
    `On one ${card}, a search (at most ten variants, five of them those that are predicted to be fastest) takes ${cell(search)} seconds per problem and direction ` +
    `(${saidOf([search], 'problems')}, nothing in a cache). Predicting the algorithm instead loses ${lost('alexnet')} of the time of AlexNet’s convolutions, ` +
    `${lost('vgg19')} of VGG-19’s and ${lost('resnet50')} of ResNet-50’s (${reached('resnet50')}); ${lost('unseen')} over a set (${reached('unseen')}) after which the prediction was ` +
    `corrected, and ${lost('unseen3')} over one that it was not fitted to (${reached('unseen3')}).`
  );
}

/** What the descriptions of presets say, by their names. */
export function presetClaims(): Record<string, string[]> {
  const time = (runs: readonly Run[]) => {
    const took = secondsOf(runs);
    return `${cell(took)} s of training (${saidOf([took], 'seeds')}) on an ${runs[0].adapter}`;
  };
  const reached = (runs: readonly Run[]) => {
    const one = accuracyOf(runs);
    return `${accuracy(one)} (${saidOf([one], 'seeds')})`;
  };
  const single = runsOf('airbench-cifar-10');
  const mixed = runsOf('airbench-cifar-10', 'mixed');
  const lenet = runsOf('lenet5-mnist');
  holds(
    'lenet5-mnist exceeds 99.4 %',
    lenet.every(({ test_accuracy }) => test_accuracy > 0.994),
  );
  const each = (runs: readonly Run[]) =>
    runs
      .map((one) => (100 * one.test_accuracy).toFixed(2))
      .sort()
      .join(' and ');
  const [resnet20, resnet18] = [runsOf('resnet20-cifar-10'), runsOf('resnet18-cifar-10')];
  return {
    'mnist-sprint': [`${reached(runsOf('mnist-sprint'))} in ${time(runsOf('mnist-sprint'))}`],
    'lenet5-mnist': [time(lenet)],
    'lenet5-mnist-sprint': [time(runsOf('lenet5-mnist-sprint'))],
    'airbench-cifar-10': [
      `${reached(single)} in ${time(single)}`,
      `${accuracy(accuracyOf(mixed))} in ${cell(secondsOf(mixed))} s with mixed precision`,
    ],
    'resnet20-cifar-10': [`${each(resnet20)} % in ${time(resnet20)}`],
    'resnet18-cifar-10': [
      `${each(resnet18)} % in ${cell(secondsOf(resnet18))} s of training (one seed) on an ${resnet18[0].adapter}`,
    ],
  };
}

/** By name. */
export const SECTIONS: Readonly<Record<string, () => string>> = {
  'speed-in-short': speedInShort,
  speed,
  page,
  steps: stepTables,
  'page-runs': pageTable,
  convolutions,
  accuracies,
};

// Which tests run when. `npm test` (quick) is what a contributor waits for; it catches every fault of scripts/mutants.
// `npm run test:all` is everything, once. `npm run test:exhaustive` tries what is left to chance many more times. How much a file
// tries in each is said there, by src/base/testing/tier.ts.
import { readdirSync, readFileSync } from 'node:fs';

/** @typedef {'quick' | 'all' | 'exhaustive'} Tier */

/** What runs: by default all, also where one file is run by itself. @type {Tier} */
export const TIER = tierOf(process.env.WGRAD_TESTS ?? 'all');

/** @param {string} name @returns {Tier} */
function tierOf(name) {
  if (name === 'quick' || name === 'all' || name === 'exhaustive') return name;
  throw new Error(`WGRAD_TESTS is "${name}", expected quick, all or exhaustive`);
}

/** What judges kernels: on WebGPU, and again on the CPU engine. */
const KERNELS = ['src/{engine,kernel-lessons}/**/*.gpu.test.ts', 'src/train/golden.gpu.test.ts'];
/** What is above them is the same on every device, so it runs on the one that is fast without a GPU. */
const ABOVE_KERNELS = ['src/{cli,exchange,models,train,worker}/**/*.gpu.test.ts'];
/** What WebGPU would not show: the CPU engine watches for races, and computes sums of any length in no time. */
const ONLY_ON_CPU = ['src/engine/**/*.cpu.test.ts'];
/** Compare with Dawn's null backend, or break the launch of direct convolution that is the reference on GPUs alone. */
const ONLY_ON_WEBGPU = ['src/engine/limits.gpu.test.ts', 'src/engine/ops/conv/choice/find.gpu.test.ts'];
/** On a machine that has a GPU, WGRAD_ENGINE=gpu runs all of it there. */
const ON_WEBGPU = process.env.WGRAD_ENGINE === 'gpu' ? [...KERNELS, ...ABOVE_KERNELS] : KERNELS;

/** Files of Vitest that `npm test` leaves out: they alone catch no fault of scripts/mutants, and take seconds each. */
const NOT_QUICK = [
  'bench/**',
  'peers/**',
  'scripts/{digits,shapes}/**',
  'scripts/vite/build.test.ts',
  'src/cli/{check,device-faults,exchange,hostile-checkpoint,initial-weights,main,outputs,predict}.gpu.test.ts',
  'src/cli/{pytorch-project,saved-runs,selection,status,study}.gpu.test.ts',
  'src/cli/tuning-results.test.ts',
  'src/data/load.test.ts',
  'src/engine/{limits,mixed,need}.gpu.test.ts',
  'src/engine/{long-sums,races}.cpu.test.ts',
  'src/engine/recompute.test.ts',
  'src/engine/profile/step.gpu.test.ts',
  'src/engine/ops/conv/{golden,limits,random}.gpu.test.ts',
  'src/engine/ops/conv/choice/*.gpu.test.ts',
  'src/engine/ops/conv/{dispatch-sizes,loops,workspace}.cpu.test.ts',
  'src/exchange/**/*.gpu.test.ts',
  'src/kernel-lessons/lessons.test.ts',
  'src/models/{fold,models,reference}.gpu.test.ts',
  'src/train/{batch_norm,device-faults,engines,fit,golden,golden-recipe,golden-resnet}.gpu.test.ts',
  'src/train/{leaks,learning-watch,mixed,recipe}.gpu.test.ts',
  'src/worker/lab/lab.gpu.test.ts',
  'src/worker/predict/same-answers.gpu.test.ts',
  'src/worker/runs/archive/unzip.test.ts',
  'src/worker/train/walk.gpu.test.ts',
  'src/worker/trained/trained.test.ts',
];

/** What files import that try more in `npm run test:exhaustive`. */
const TRIES_MORE = /testing\/(tier|varied|mutated)\.ts'/;
const source = (/** @type {string} */ path) => new URL(`../src/${path}`, import.meta.url);
/** Files of Vitest that do. @returns {string[]} */
const exhaustive = () =>
  readdirSync(source(''), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.test\.tsx?$/.test(path) && TRIES_MORE.test(readFileSync(source(path), 'utf8')))
    .map((path) => `src/${path.replaceAll('\\', '/')}`);

/** Files that take longer than their length suggests, by which Vitest orders those whose time it does not know: they start first. */
export const LONG = new RegExp(
  `/src/(${[
    'cli/(study|checkpointing|pytorch-project|main)',
    'engine/(gemm/tiles|limits|mixed|need|profile/step)',
    'engine/ops/conv/(algorithms/\\w+/\\w+|choice/find|limits|random)',
    'exchange/exchange',
    'models/(fold|models|reference)',
    'train/run',
    'worker/(lab/lab|train/(records|runs))',
  ].join('|')})\\.gpu\\.test\\.ts$`,
);

const without = TIER === 'quick' ? NOT_QUICK : [];

/** Files of Vitest by project. @type {Record<'unit' | 'components' | 'gpu' | 'cpu', { include: string[], exclude: string[] }>} */
export const FILES = {
  unit: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}', '{bench,peers}/**/*.test.ts'],
    exclude: ['src/**/*.{gpu,cpu}.test.ts', '**/node_modules/**', ...without],
  },
  components: { include: ['src/app/**/*.test.tsx'], exclude: without },
  gpu: {
    include: TIER === 'quick' ? ['src/gpu/*.gpu.test.ts'] : ['src/{cpu,gpu}/**/*.gpu.test.ts', ...ON_WEBGPU],
    exclude: [],
  },
  cpu: { include: [...KERNELS, ...ABOVE_KERNELS, ...ONLY_ON_CPU], exclude: [...ONLY_ON_WEBGPU, ...without] },
};

/** What `npm run test:exhaustive` runs, as paths for Vitest and Playwright; undefined: all files. */
export const PATHS =
  TIER === 'exhaustive' ? { vitest: exhaustive(), journeys: ['e2e/exhaustive', 'e2e/long-run'] } : undefined;

const files = (/** @type {string} */ folder, /** @type {string} */ names) =>
  new RegExp(`/${folder}/(${names})\\.spec\\.ts$`);
/** Journeys in which the page moves, and what it takes of the processor is judged. What moves takes from what trains in others. */
const MOVING = files('e2e', 'first-minute|responsive');
/** Journeys that open browsers of their own. */
const BROWSERS = files('e2e/browsers', '.*');
/** What takes too long for every day. */
const NIGHTLY = files('e2e/exhaustive', '.*');

/** Journeys by project of Playwright. */
export const JOURNEYS = {
  // First, so that others run beside them while another browser starts or waits.
  browsers: { testMatch: BROWSERS },
  moving: { testMatch: MOVING },
  together: { testIgnore: [MOVING, BROWSERS, NIGHTLY] },
  exhaustive: { testMatch: NIGHTLY, workers: 1 },
};

/** Those of `npm test`: a file, and the beginning of a title in it. */
export const QUICK_JOURNEYS = /** @type {const} */ ({
  'first-minute': 'a network answers on arrival',
  'first-load': 'from the opened page to the end of the first step',
  'train-digits': 'without WebGPU a user trains LeNet-5',
  faults: 'markup in the names of a model',
});

// What `npm run test:exhaustive` runs: the tests whose counts, by src/base/testing/exhaustive.ts, are too long for
// `npm test`, which runs the same tests with smaller ones.

/** Files of Vitest. */
export const VITEST = [
  'src/app/lessons/played.test.tsx',
  'src/cli/checkpointing.gpu.test.ts',
  'src/cli/device-faults.gpu.test.ts',
  'src/cli/hostile-checkpoint.gpu.test.ts',
  'src/cli/pytorch-project.gpu.test.ts',
  'src/cli/tuning-results.test.ts',
  'src/cpu/check/faults.test.ts',
  'src/cpu/compile/random-programs.test.ts',
  'src/cpu/compile/webgpu.gpu.test.ts',
  'src/data/formats/hostile.test.ts',
  'src/engine/limits.gpu.test.ts',
  'src/engine/ops/conv/dispatch-sizes.cpu.test.ts',
  'src/engine/ops/conv/long-sums.cpu.test.ts',
  'src/engine/ops/conv/random.gpu.test.ts',
  'src/engine/ops/conv/workspace.cpu.test.ts',
  'src/engine/random-networks.gpu.test.ts',
  'src/exchange/exchange.gpu.test.ts',
  'src/exchange/html/html.gpu.test.ts',
  'src/exchange/keras.gpu.test.ts',
  'src/exchange/onnx/read.test.ts',
  'src/exchange/pytorch/read.test.ts',
  'src/exchange/tfjs/read.test.ts',
  'src/models/models.gpu.test.ts',
  'src/node/lock.test.ts',
  'src/train/determinism.gpu.test.ts',
  'src/train/device-faults.gpu.test.ts',
  'src/train/golden.gpu.test.ts',
  'src/train/golden-resnet.gpu.test.ts',
  'src/train/run.gpu.test.ts',
  'src/worker/hostile-files.test.ts',
  'src/cli/records.gpu.test.ts',
  'src/worker/train/records.gpu.test.ts',
  'src/worker/train/walk.gpu.test.ts',
];

/** Files of Playwright. */
export const JOURNEYS = ['e2e/exhaustive', 'e2e/long-run'];

/** The text of PyTorch projects. That they train as the run does: src/cli/pytorch-project.gpu.test.ts. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { NO_AUGMENTATION } from '../../../base/augmentation.ts';
import { readZip } from '../../../data/formats/zip.ts';
import { inferShapes, layoutParameters } from '../../../engine/network.ts';
import { optimizers } from '../../../engine/optimizers/registry.ts';
import { flatten } from '../../../engine/parameters.ts';
import { typicalParameters } from '../../../engine/typical-parameters.ts';
import { models } from '../../../models/index.ts';
import { completed } from '../../../run/settings/rules.ts';
import type { RunSettings } from '../../../run/settings/table.ts';
import type { Checkpoint } from '../../../train/checkpoint.ts';
import { newHistory } from '../../../train/history.ts';
import type { LearningRate } from '../../../train/schedules/learning-rate.ts';
import { pythonWith, TORCH } from '../../testing/python.ts';
import { pytorchProject } from './index.ts';
import { torchOptimizers } from './optimizers.ts';

interface Given {
  model?: string;
  dataset?: string;
  settings?: Partial<RunSettings>;
  learningRate?: LearningRate;
  config?: Partial<Checkpoint['config']>;
  step?: number;
}

/** The project of a run as it might stand, and what the person hears of it. */
async function project({
  model: name = 'lenet5',
  dataset = 'mnist',
  settings = {},
  learningRate,
  config = {},
  step = 1000,
}: Given = {}) {
  const model = models.get(name);
  const { layers, input } = model;
  const parameters = typicalParameters(layers, [1, ...input]);
  const layout = layoutParameters(inferShapes(layers, [1, ...input]));
  const all = completed(settings);
  const state = () => new Float32Array(layout.length);
  const run = {
    step,
    epoch: 0,
    config: { ...all, model, lastStep: 10_000, ...(learningRate ? { learningRate } : {}), ...config },
    dataset: { name: dataset, mean: input.slice(0, 1).map(() => 0.5), std: [0.25] },
    snapshot: {
      ...flatten(layout, parameters),
      ...{ momentum_buffer: state(), exp_avg: state(), exp_avg_sq: state(), square_avg: state() },
    },
    history: newHistory(),
  } as unknown as Checkpoint;
  const notes: string[] = [];
  const files = await pytorchProject(
    { model, parameters, info: {} },
    { run, note: (text) => notes.push(text) },
  );
  const text = (file: string) => new TextDecoder().decode(files.get(file));
  return { files, notes, text };
}

test('every optimiser can be written', () => {
  expect(torchOptimizers.names()).toEqual(optimizers.names());
});

describe('whole projects', () => {
  const EXAMPLES: Record<string, Given> = {
    'resnet8-shapes': {
      model: 'resnet8',
      dataset: 'shapes',
      settings: {
        ...{ optimizer: 'muon', nesterov: true, weightDecay: 0.01, decay1d: false, testViews: 'shifted' },
        ...{ lrFactors: ['*.bias=0.1', 'fc=2'], freeze: ['conv1'] },
        ...{ decayFactors: ['fc=0.5'], trainedEpochs: ['layer1=2-', '*.bn2=1-3'] },
        augmentation: { ...NO_AUGMENTATION, crop: 2, reflect: 1, flip: 1, alternate: 1 },
      },
    },
    'mobilenet-own': {
      model: 'mobilenet',
      dataset: 'own',
      settings: {
        ...{
          optimizer: 'rmsprop',
          momentum: 0.9,
          centered: true,
          schedule: 'one-cycle',
          patience: 3,
          lookahead: 5,
        },
        ...{ whiten: true, validation: 0.1, trainImages: 500, wrongLabels: 0.05, classWeights: 'balanced' },
      },
      learningRate: { schedule: 'one-cycle', steps: 10_000 },
    },
  };
  test.each(Object.entries(EXAMPLES))('%s', async (name, given) => {
    const { files, text } = await project(given);
    for (const file of files.keys())
      if (file.endsWith('.py')) await expect(text(file)).toMatchFileSnapshot(`examples/${name}/${file}`);
    await expect(text('README.md')).toMatchFileSnapshot(`examples/${name}/README.txt`);
    // Short enough to be read whole; the network and its settings are as long as the run demands.
    const sizes = [...files.keys()]
      .filter((file) => file.endsWith('.py') && !['model.py', 'settings.py'].includes(file))
      .map((file) => text(file).split('\n').filter(Boolean).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
    expect(sizes.reduce((a, b) => a + b)).toBeLessThanOrEqual(600);
  });
});

const anyPython = pythonWith();

test.runIf(anyPython)('all of it is Python', () => {
  const folder = fileURLToPath(new URL('examples', import.meta.url));
  const check =
    'import ast, pathlib, sys; [ast.parse(p.read_text()) for p in pathlib.Path(sys.argv[1]).rglob("*.py")]';
  expect(spawnSync(anyPython as string, ['-c', check, folder], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

test('commands are spelt as all versions of torchrun read them', async () => {
  const { files, text } = await project({ model: 'resnet8', dataset: 'shapes' });
  const options = [...files.keys()]
    .flatMap((file) => [...text(file).matchAll(/torchrun (?:.*\\\n)*.*train\.py/g)])
    .flatMap(([command]) => command.match(/--[\w-]+/g) ?? []);
  expect(new Set(options)).toContain('--nproc_per_node');
  expect(options.filter((option) => /\w-/.test(option))).toEqual([]);
});

const python = pythonWith(TORCH, 'numpy');
/** The files in a new folder. @param changes to the text of some: what is replaced, and by what */
function written(
  files: ReadonlyMap<string, Uint8Array>,
  changes: Readonly<Record<string, readonly [string, string]>>,
): string {
  const folder = mkdtempSync(join(tmpdir(), 'wgrad-project-'));
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const change = changes[name];
    writeFileSync(join(folder, name), change ? new TextDecoder().decode(bytes).replace(...change) : bytes);
  }
  return folder;
}

test.runIf(python)('a finished run says so, and so do images that are not there', async () => {
  const { files } = await project({ dataset: 'own', step: 10_000 });
  // Decodes pictures, of which there are none.
  const folder = written(files, { 'data.py': ['from PIL import Image, ImageOps', ''] });
  const train = (...words: string[]) =>
    spawnSync(python as string, ['-B', 'train.py', ...words], { cwd: folder, encoding: 'utf8' });
  const { status, stderr } = train('--data', 'none');
  rmSync(folder, { recursive: true });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      'start.pt has 10000 steps already; give more with --steps\n' +
      'there is no folder none; README.md says what it contains\n',
  });
});

test.runIf(python)('a process whose partner does not answer ends, and says what to look for', async () => {
  const { files } = await project();
  const folder = written(files, { 'processes.py': ['minutes=10', 'seconds=3'] });
  const { status, stderr } = spawnSync(python as string, ['-B', 'train.py'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 500_000,
    env: {
      ...process.env,
      ...{ MASTER_ADDR: '127.0.0.1', MASTER_PORT: `${20_000 + (process.pid % 12_000)}` },
      ...{ RANK: '0', WORLD_SIZE: '2', LOCAL_RANK: '0', LOCAL_WORLD_SIZE: '2' },
    },
  });
  rmSync(folder, { recursive: true });
  expect(status, stderr).toBe(1);
  expect(stderr).toMatch(
    /process 0 of 2 has ended\. If it waited .* resumes from the latest checkpoint\.\s*$/,
  );
});

test.runIf(python)('NCCL joins processes that have a GPU each; gloo joins those that share one', () => {
  const script = `import torch, processes
torch.cuda.is_available, torch.cuda.device_count = lambda: True, lambda: 2
for rank, count in (1, 2), (0, 3), (2, 3):
    processes.LOCAL_RANK, processes.LOCAL_PROCESSES = rank, count
    print(*processes.place())`;
  const cwd = fileURLToPath(new URL('examples/resnet8-shapes', import.meta.url));
  expect(spawnSync(python as string, ['-B', '-c', script], { cwd, encoding: 'utf8' })).toMatchObject({
    stdout: 'cuda:1 nccl\ncuda:0 gloo\ncuda:0 gloo\n',
    stderr: '3 processes share 2 GPU(s), which is slow\n',
  });
});

test.runIf(python)('a whitened layer computes in float32 in mixed precision too', () => {
  const script = `import torch
from train import in_float32
layer, x = torch.nn.Conv2d(3, 4, 2), torch.rand(2, 3, 5, 5)
wanted = layer(x)
in_float32(layer)
with torch.autocast("cpu", torch.bfloat16):
    print(torch.equal(torch.compile(layer, backend="eager")(x), wanted))`;
  const cwd = fileURLToPath(new URL('examples/mobilenet-own', import.meta.url));
  const run = spawnSync(python as string, ['-B', '-c', script], { cwd, encoding: 'utf8' });
  expect(run, run.stderr).toMatchObject({ status: 0, stdout: 'True\n' });
});

test('only what the run uses is written', async () => {
  const { files, text } = await project({ settings: { shuffle: false, optimizer: 'sgd' } });
  expect([...files.keys()]).toEqual([
    ...['README.md', 'model.py', 'data.py', 'settings.py', 'optimization.py', 'step.py', 'evaluation.py'],
    ...['processes.py', 'train.py', 'config.json', 'requirements.txt'],
    ...['slurm.sh', 'start.pt'],
  ]);
  const scripts = [...files.keys()].filter((file) => file.endsWith('.py')).map(text);
  expect(scripts.join()).not.toMatch(/average|math|clip|smoothing|batch_norm|manual_seed|best/);
  expect(text('optimization.py')).toContain('torch.optim.SGD(model.parameters(), lr=LEARNING_RATE, fused=');
  expect(text('data.py')).not.toMatch(/random|Orders|gz.*pad|flip|re$/m);
  expect(text('requirements.txt')).toBe(`${TORCH}\nnumpy\n`);
});

test.each<[LearningRate, RegExp]>([
  [
    { schedule: 'step', steps: 10_000, gamma: 0.2 },
    /LEARNING_RATE \* 0\.2 \*\* \(\(min\(step, STEPS - 1\)\) \/\/ 3334\)/,
  ],
  [
    { schedule: 'linear', steps: 10_000, minLr: 0.001, warmupSteps: 5 },
    /return LEARNING_RATE \+ \(0\.001 - LEARNING_RATE\) \* \(min\(step, STEPS - 1\) - WARMUP_STEPS\) \/ \(STEPS - WARMUP_STEPS\)/,
  ],
  [
    { schedule: 'cosine', steps: 10_000, minLr: 0.001 },
    /return 0\.001 \+ \(LEARNING_RATE - 0\.001\) \* \(1 \+ math\.cos/,
  ],
  [{ schedule: 'constant', steps: 10_000, warmupSteps: 5 }, /step < WARMUP_STEPS[^]*return LEARNING_RATE\n/],
  [{ schedule: 'cosine', steps: 5000 }, /t = min\(step, SCHEDULE_STEPS - 1\)/],
])('the schedule %j', async (learningRate, expected) => {
  expect((await project({ learningRate })).text('optimization.py')).toMatch(expected);
});

test('what cannot be carried over is said', async () => {
  const { notes, text } = await project({
    model: 'mobilenet',
    dataset: 'own',
    settings: { precision: 'mixed', augmentation: NO_AUGMENTATION },
    config: {
      adjustments: [
        { step: 500, lr: 0.01 },
        { step: 2000, lr: 0.1 },
      ],
    },
  });
  for (const about of ['mixed precision', 'JPEG', 'at step 2000'])
    expect(notes.filter((note) => note.includes(about))).toHaveLength(1);
  for (const note of notes) expect(text('README.md')).toContain(note);
  expect(text('settings.py')).toContain('LEARNING_RATE = 0.01');
});

test('a network without a run trains with default settings; names from people stay text', async () => {
  const model = { ...models.get('lenet5'), title: 'A"""\nimport os' };
  const parameters = typicalParameters(model.layers, [1, ...model.input]);
  const files = await pytorchProject({ model, parameters, info: { dataset: 'digits' } }, {});
  const text = (file: string) => new TextDecoder().decode(files.get(file));
  expect(text('train.py')).toMatch(/^"""Trains A import os on Synthetic digits\.\n/);
  expect(text('model.py')).not.toMatch(/^import os/m);
  expect(text('settings.py')).toContain('MEAN = [0.0909]');
  const start = files.get('start.pt') as Uint8Array<ArrayBuffer>;
  const stored = readZip('start.pt', start, { files: 100, bytes: 1e9 });
  expect(stored.map(({ path }) => path).slice(0, 2)).toEqual(['start/data.pkl', 'start/data/0']);
});

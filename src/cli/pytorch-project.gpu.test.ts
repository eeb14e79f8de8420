/** `export --to pytorch`, `notebook` and `hub`: the project trains on as the run does. Judged by PyTorch, where there is a Python that has it. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { count, isExhaustive } from '../base/testing/tier.ts';
import { pythonWith, TORCH } from '../exchange/testing/python.ts';
import { linesOf, testFolder } from './testing/program.ts';

const python = pythonWith(TORCH, 'numpy');

const { folder: root, run: wgrad } = testFolder();

/** Steps before the checkpoint, and after it: as many, so that the checkpoint before the last one is of that step. */
const [BEFORE, AFTER] = [10, 10];
/** Of losses, by the precision in which PyTorch computes. */
const TOLERANCE = { float32: 1e-4, float64: 1e-5 };
/** Steps that are compared in float32, where high learning rates lead PyTorch away from the exact losses: see testing/float64.py. */
const IN_FLOAT32 = { lenet5: 10, resnet8: 5, adamw: 10, muon: 5, rescaled: 5, rmsprop: 10 };
const AFTERWARDS = Array.from({ length: AFTER }, (_, i) => BEFORE + 1 + i);
const IN_FLOAT64 = fileURLToPath(new URL('testing/float64.py', import.meta.url));
/** Of a process that waits for a partner that has died. */
const HANGS_MS = 500_000;

const RUNS = {
  lenet5: `--model lenet5 --dataset digits --batch-size 32 --optimizer adam --validation 0.1 --train-images 250
    --wrong-labels 0.2 --class-weights balanced --test-views shifted`,
  resnet8: `--model resnet8 --dataset shapes --batch-size 16 --optimizer sgd --lr 0.02 --momentum 0.9 --nesterov
    --clip-norm 2 --weight-decay 5e-4 --no-decay-1d --schedule cosine --warmup-epochs 0.02
    --label-smoothing 0.1 --ema 0.9 --augment crop=4,flip,cutout=8,mixup=0.4 --class-weights 2,1,1,0.5,1,1,3,1,1,1`,
  adamw: `--model resnet8 --dataset shapes --batch-size 16 --freeze layer1 --optimizer adamw --lr 0.0005
    --schedule one-cycle --augment crop=4,flip --lookahead 3`,
  muon: `--model resnet8 --dataset shapes --batch-size 16 --freeze conv1 --optimizer muon --lr 0.005
    --nesterov --weight-decay 0.01 --no-decay-1d --lr-factors *.bias=0.1,fc=2 --decay-factors fc=3
    --trained-epochs layer2=2-,layer3.0.bn1=1-1 --augment crop=2,reflect,alternate`,
  rescaled: `--model resnet8 --dataset shapes --batch-size 16 --augment none --optimizer muon --lr 0.02 --rescale
    --lr-factors conv1.weight=0,fc=2`,
  rmsprop: `--model lenet5 --dataset digits --batch-size 32 --no-shuffle --schedule step --optimizer rmsprop
    --momentum 0.5 --centered --augment none`,
};
const CHOSEN = (['lenet5', 'resnet8', 'adamw', 'muon', 'rescaled', 'rmsprop'] as const).slice(
  0,
  count(2, 2, 5),
);

interface Step {
  step: number;
  loss: number;
}

const stepsOf = (out: string): Step[] =>
  linesOf<Partial<Step>>(out).filter((line): line is Step => line.loss !== undefined && 'step' in line);

interface Epoch {
  epoch: number;
  test_loss: number;
  validation_loss: number;
}

const epochsOf = (out: string): Epoch[] => linesOf<Epoch>(out).filter((line) => 'epoch' in line);

/** A label and the bytes of an image of the synthetic shapes. */
const RECORD = 1 + 3 * 32 * 32;
/** In float64, PyTorch takes longer to evaluate all test images than to train, and nothing is compared with the result. */
const TEST_IMAGES = 100;

function keepFewTestImages(folder: string): void {
  const path = join(folder, 'data', 'test_batch.bin.gz');
  if (!existsSync(path)) return;
  const records = gunzipSync(readFileSync(path));
  writeFileSync(path, gzipSync(records.subarray(0, TEST_IMAGES * RECORD)));
}

/** Trains in wgrad, and exports the run as it stood after BEFORE steps. @param out a file or folder */
async function exported(
  name: keyof typeof RUNS,
  to = 'pytorch',
  out = join(root, name),
): Promise<{ folder: string; losses: Step[]; epochs: Epoch[] }> {
  const trained = await wgrad(
    `train ${RUNS[name]} --steps ${BEFORE + AFTER} --engine cpu
     --checkpoint @${name}.run --checkpoint-every ${BEFORE}`,
  );
  expect(trained.status, trained.err).toBe(0);
  const project = await wgrad(`export --checkpoint @${name}.run.previous --to ${to} --out ${out}`);
  expect(project, project.err).toMatchObject({ status: 0, err: '' });
  if (!isExhaustive) keepFewTestImages(out);
  return { folder: out, losses: stepsOf(trained.out), epochs: epochsOf(trained.out) };
}

let lastPort = 20_000 + ((97 * process.pid) % 12_000);

/** A port on which no program listens, below those that the system gives to connections. */
async function freePort(): Promise<number> {
  const port = ++lastPort;
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, () => resolve(true));
  });
  if (!free) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs a project's train.py as `torchrun` starts it, and returns what the first process printed. */
async function train(
  folder: string,
  words: readonly string[],
  {
    processes = 1,
    program = 'train.py',
    watch,
  }: { processes?: number; program?: string; watch?: (first: ChildProcess) => void } = {},
): Promise<string> {
  // Of a port in use, the first process says so and ends; the second would wait for the program that has it.
  const port = await freePort();
  const all = Array.from({ length: processes }, (_, rank) => {
    const child = spawn(python as string, [program, ...words], {
      cwd: folder,
      timeout: HANGS_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        // Of `program`, the folder is another one.
        PYTHONPATH: '.',
        ...{ OMP_NUM_THREADS: '1', MASTER_ADDR: '127.0.0.1', MASTER_PORT: `${port}` },
        ...{ RANK: `${rank}`, LOCAL_RANK: `${rank}` },
        ...{ WORLD_SIZE: `${processes}`, LOCAL_WORLD_SIZE: `${processes}` },
      },
    });
    return child;
  });
  watch?.(all[0]);
  const texts = all.map(() => ({ out: '', err: '' }));
  const codes = await Promise.all(
    all.map(
      (child, i) =>
        new Promise<number | null>((resolve) => {
          child.stdout.on('data', (text: Buffer) => (texts[i].out += text.toString()));
          child.stderr.on('data', (text: Buffer) => (texts[i].err += text.toString()));
          child.on('close', (code) => {
            // As torchrun does: the others would wait for it.
            if (code !== 0) all.forEach((other) => other.kill());
            resolve(code);
          });
        }),
    ),
  );
  const said = texts.map(({ err }, rank) => `process ${rank}: ${err}`).join('\n');
  if (!watch) expect(codes, said).toEqual(all.map(() => 0));
  return texts[0].out;
}

/** @param wanted losses of all steps */
function expectLosses(found: readonly Step[], wanted: readonly Step[], tolerance: number): void {
  const losses = new Map(wanted.map(({ step, loss }) => [step, loss]));
  for (const { step, loss } of found)
    expect(Math.abs(loss - (losses.get(step) ?? NaN)), `step ${step}`).toBeLessThan(tolerance);
}

/** Of the second epoch, in which the project begins. */
function expectSameTests(found: readonly Epoch[], wanted: readonly Epoch[]): void {
  const [one, other] = [found, wanted].map((all) => all.find(({ epoch }) => epoch === 2));
  for (const key of ['test_loss', 'validation_loss'] as const)
    expect(Math.abs((one?.[key] ?? NaN) - (other?.[key] ?? NaN)), key).toBeLessThan(TOLERANCE.float32);
}

describe.runIf(python).each(CHOSEN)('%s', (name) => {
  test('the next ten losses are those of wgrad, on one process and on two', async () => {
    const { folder, losses, epochs } = await exported(name);
    for (const processes of isExhaustive ? [1, 2] : [1]) {
      const trained = async (program: string, precision: string) => {
        const words = ['--checkpoint', `${precision}-${processes}.pt`];
        const out = await train(folder, words, { processes, program });
        const steps = stepsOf(out);
        expect(steps.map(({ step }) => step)).toEqual(AFTERWARDS);
        return { steps, out };
      };
      if (isExhaustive || name === 'lenet5') {
        const { steps, out } = await trained('train.py', 'float32');
        expectLosses(steps.slice(0, IN_FLOAT32[name]), losses, TOLERANCE.float32);
        if (name === 'lenet5') expectSameTests(epochsOf(out), epochs);
      }
      if (isExhaustive || name !== 'lenet5') {
        const { steps } = await trained(IN_FLOAT64, 'float64');
        expectLosses(steps, losses, TOLERANCE.float64);
      }
    }
  });
});

test.runIf(python && isExhaustive)('killed once, it resumes to the same bits', async () => {
  const { folder } = await exported('resnet8');
  const steps = ['--steps', '300', '--save-every', '5'];
  const whole = stepsOf(await train(folder, [...steps, '--checkpoint', 'whole.pt']));
  const at = join(folder, 'killed.pt');
  const words = [...steps, '--checkpoint', 'killed.pt'];
  await train(folder, words, {
    watch: (first) => {
      const waiting = setInterval(() => {
        if (!existsSync(at)) return;
        clearInterval(waiting);
        first.kill('SIGKILL');
      }, 20);
    },
  });
  const rest = stepsOf(await train(folder, words));
  expect(rest[0].step).toBeGreaterThan(BEFORE + 1);
  expect(rest).toEqual(whole.slice(-rest.length));
});

/** Runs `torchrun` with two processes, and returns what they printed. */
function torchrun(folder: string, options: readonly string[], words: readonly string[]): Promise<string> {
  const program = ['-m', 'torch.distributed.run', '--nproc_per_node', '2', ...options, 'train.py'];
  const child = spawn(python as string, [...program, ...words], {
    cwd: folder,
    timeout: HANGS_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, OMP_NUM_THREADS: '1' },
  });
  const text = { out: '', err: '' };
  child.stdout.on('data', (part: Buffer) => (text.out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (text.err += part.toString()));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => (code === 0 ? resolve(text.out) : reject(new Error(text.err))));
  });
}

test.runIf(python && isExhaustive)(
  'two machines with an address each train as one process does',
  async () => {
    const { folder, losses } = await exported('lenet5');
    const meeting = ['--rdzv_backend', 'c10d', '--rdzv_endpoint', `127.0.0.1:${await freePort()}`];
    const machines = [1, 2].map((machine) => {
      const options = ['--nnodes', '2', ...meeting, '--local_addr', `127.0.0.${machine}`];
      return torchrun(folder, options, ['--checkpoint', 'machines.pt']);
    });
    const steps = (await Promise.all(machines)).flatMap(stepsOf); // one of them has the first process
    expect(steps.map(({ step }) => step)).toEqual(AFTERWARDS);
    expectLosses(steps, losses, TOLERANCE.float32);
  },
);

const jupyter = pythonWith(TORCH, 'numpy', 'nbconvert', 'ipykernel', 'matplotlib');

test.runIf(jupyter && isExhaustive)(
  'a notebook runs from top to bottom, to weights that wgrad opens',
  async () => {
    const folder = mkdtempSync(join(root, 'notebook-'));
    const { losses } = await exported('lenet5', 'notebook', join(folder, 'net.ipynb'));
    const words = ['-m', 'nbconvert', '--to', 'notebook', '--execute', 'net.ipynb', '--output', 'done'];
    const { status, stderr } = spawnSync(jupyter as string, words, { cwd: folder, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    const found = stepsOf(readFileSync(join(folder, 'log.jsonl'), 'utf8'));
    expect(found.map(({ step }) => step)).toEqual(AFTERWARDS);
    expectLosses(found, losses, TOLERANCE.float32);
    const weights = join(folder, 'weights.safetensors');
    const opened = await wgrad(`import ${weights} --out ${join(folder, 'opened.safetensors')}`);
    expect(opened.status, opened.err).toBe(0);
  },
);

const hub = pythonWith(TORCH, 'safetensors');

test.runIf(hub)('a folder for the Hub loads as its card says', async () => {
  const folder = join(root, 'hub');
  await exported('lenet5', 'hub', folder);
  const card = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(card).toMatch(/^---\nlibrary_name: pytorch\n[^]*\n---\n\n# LeNet-5\n/);
  const script = /```python\n([^]*?)```/.exec(card)?.[1] ?? '';
  const images = 'import torch\nimages = torch.zeros(2, 1, 28, 28)\n';
  const words = ['-c', `${images}${script}\nprint(*logits.shape)`];
  expect(spawnSync(hub as string, words, { cwd: folder, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stdout: '2 10\n',
  });
});

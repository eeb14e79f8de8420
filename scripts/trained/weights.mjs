// `npm run trained -- NETWORK DATA_DIR`: trains a network that wgrad comes with, and writes public/trained/NETWORK.safetensors:
// float16, with how it was trained in the metadata. DATA_DIR holds the files of its data set. LeNet-5 takes twenty minutes on
// two cores, ResNet-20 two days; with WGRAD_ENGINE=gpu, seconds and a minute.
// `npm run trained -- NETWORK DATA_DIR --weights FILE --how="OPTIONS OF TRAIN" --steps N` takes weights that a run has saved.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import { halved } from './halved.mjs';

/** The data set of each, and what `wgrad train` is given besides its folder and the file for the weights. */
const NETWORKS = {
  lenet5: { dataset: 'mnist', settings: '--preset lenet5-mnist --epochs 6 --seed 1' },
  resnet20: { dataset: 'cifar-10', settings: '--preset resnet20-cifar-10 --seed 1' },
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { weights: { type: 'string' }, how: { type: 'string' }, steps: { type: 'string' } },
});
const [name, dataDir] = positionals;
const network = NETWORKS[name];
if (!network || !dataDir)
  throw new Error(
    `expected one of ${Object.keys(NETWORKS).join(', ')}, and the folder with its data set's files`,
  );
const { dataset, settings } = network;
const vite = await createServer({
  configFile: false,
  appType: 'custom',
  server: { middlewareMode: true, ws: false },
});
const { toHalf } = await vite.ssrLoadModule('/src/base/half.ts');
await vite.close();
const folder = mkdtempSync(join(tmpdir(), 'wgrad-trained-'));
try {
  const file = join(folder, 'weights.safetensors');
  const wgrad = (...options) =>
    execFileSync(process.execPath, [join(root, 'scripts/wgrad.mjs'), ...options], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const train = () =>
    Math.max(
      ...wgrad('train', ...settings.split(' '), '--data-dir', dataDir, '--save', file).map(
        ({ step = 0 }) => step,
      ),
    );
  const steps = values.weights === undefined ? train() : Number(values.steps);
  const target = join(root, `public/trained/${name}.safetensors`);
  mkdirSync(join(root, 'public/trained'), { recursive: true });
  const pack = (accuracy) =>
    writeFileSync(
      target,
      halved(
        readFileSync(values.weights ?? file),
        { trained: `wgrad train ${values.how ?? settings}`, steps: String(steps), ...accuracy },
        toHalf,
      ),
    );
  // What is measured are the weights as they are stored.
  pack({});
  const tested = wgrad('predict', '--weights', target, '--dataset', dataset, '--data-dir', dataDir);
  const { accuracy } = tested.findLast((line) => 'accuracy' in line);
  pack({ test_accuracy: String(accuracy) });
  console.log(`${target}: ${steps} steps, ${accuracy} of the test images of ${dataset}`);
} finally {
  rmSync(folder, { recursive: true });
}

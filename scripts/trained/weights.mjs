// `npm run trained -- DATA_DIR`: trains the LeNet-5 that the page comes with, and writes public/trained/lenet5.safetensors:
// float16, with how it was trained in the metadata. DATA_DIR holds the files of MNIST. Twenty minutes on two cores; with
// WGRAD_ENGINE=gpu seconds.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

/** What `wgrad train` is given, besides the folder of the data and the file for the weights. */
const SETTINGS = ['--preset', 'lenet5-mnist', '--epochs', '6', '--seed', '1'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const [dataDir] = process.argv.slice(2);
if (!dataDir) throw new Error('expected the folder with the files of MNIST');
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
  const lines = wgrad('train', ...SETTINGS, '--data-dir', dataDir, '--save', file);
  const steps = Math.max(...lines.map(({ step = 0 }) => step));
  const evaluated = lines.findLast((line) => 'test_accuracy' in line);
  const target = join(root, 'public/trained/lenet5.safetensors');
  mkdirSync(join(root, 'public/trained'), { recursive: true });
  writeFileSync(
    target,
    halved(readFileSync(file), {
      trained: `wgrad train ${SETTINGS.join(' ')}`,
      steps: String(steps),
      test_accuracy: String(evaluated.test_accuracy),
    }),
  );
  console.log(`${target}: ${steps} steps, ${evaluated.test_accuracy} of MNIST's test images`);
} finally {
  rmSync(folder, { recursive: true });
}

/** A safetensors file of F32 tensors with F16 in their place, and more metadata. See src/data/formats/safetensors.ts. */
function halved(bytes, metadata) {
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.subarray(8, 8 + length).toString());
  Object.assign(header['__metadata__'], metadata);
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    entry.dtype = 'F16';
    entry.data_offsets = entry.data_offsets.map((offset) => offset / 2);
  }
  const data = bytes.subarray(8 + length);
  const values = new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
  const halves = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => halves.writeUInt16LE(toHalf(value), 2 * i));
  const text = JSON.stringify(header);
  const padded = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const start = Buffer.alloc(8);
  start.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([start, padded, halves]);
}

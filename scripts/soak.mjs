// Trains for a long time on the command line, as a person would leave it running: with checkpoints, and a test after each
// epoch. The memory of the process does not grow. WGRAD_SOAK_MINUTES says how long, WGRAD_ENGINE on which engine.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { growth } from './trend.mjs';

const MINUTES = Number(process.env.WGRAD_SOAK_MINUTES ?? 30);
const SAMPLE_EVERY_MS = Math.max(1000, (MINUTES * 60_000) / 180);
/** Until then, code is compiled and heaps find their size. */
const WARM_UP = 0.25;

const root = fileURLToPath(new URL('..', import.meta.url));
const vite = join(root, 'node_modules/vite/bin/vite.js');
const options = { cwd: root, stdio: 'inherit' };
// Where the package webgpu is found, and nobody builds meanwhile.
const program = join(root, 'node_modules/.cache/wgrad-soak');
const build = ['build', '--config', 'vite.cli.config.ts', '--logLevel', 'warn', '--outDir', program];
execFileSync(process.execPath, [vite, ...build], options);
const folder = mkdtempSync(join(tmpdir(), 'wgrad-soak-'));
const child = spawn(
  process.execPath,
  [
    join(program, 'wgrad.mjs'),
    ...['train', '--model', 'lenet5', '--dataset', 'digits', '--batch-size', '50', '--epochs', '1000000'],
    ...['--checkpoint', join(folder, 'run'), '--checkpoint-every', '200'],
  ],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
);

let [steps, tests] = [0, 0];
/** Why training ended. */
const ends = [];
child.on('close', (status, signal) => ends.push(signal ?? `status ${status}`));
let rest = '';
child.stdout.on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const { step, test_loss: testLoss } = JSON.parse(line);
    steps = Math.max(steps, step ?? 0);
    if (testLoss !== undefined) tests++;
  }
});

/** Resident memory of the process in MiB. */
const residentMiB = () =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024;

const start = performance.now();
const minute = () => (performance.now() - start) / 60_000;
const points = [];
while (minute() < MINUTES && ends.length === 0) {
  await new Promise((done) => setTimeout(done, SAMPLE_EVERY_MS));
  if (ends.length === 0) points.push([minute(), residentMiB()]);
}
const [tooEarly] = ends;
child.kill('SIGKILL');
rmSync(folder, { recursive: true, force: true });
if (tooEarly !== undefined)
  throw new Error(`training ended after ${minute().toFixed(1)} minutes: ${tooEarly}`);

console.log(`${steps} steps and ${tests} tests in ${minute().toFixed(1)} minutes`);
const { text, grew } = growth(
  'resident MiB',
  points.filter(([at]) => at > WARM_UP * MINUTES),
);
console.log(grew ? `FAILED: memory grows. ${text}` : text);
process.exitCode = grew || steps === 0 ? 1 : 0;

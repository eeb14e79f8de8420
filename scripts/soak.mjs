// Trains for a long time on the command line, as a person would leave it running: with checkpoints, and a test after each
// epoch. What JavaScript holds does not grow, nor what is outside of it: Node, Dawn, the GPU's driver. WGRAD_SOAK_MINUTES says
// how long, WGRAD_ENGINE on which engine.
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
/**
 * The memory of the process is printed, not judged: V8 reserves 30 MiB more for the same objects, or gives them back, at any time.
 * On the CPU engine, with 27 MiB of live objects throughout, it was seen to go from 153 to 182 MiB within two minutes, and back.
 */
const WHOLE = 'the whole';

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
    ...['--import', new URL('memory-report.mjs', import.meta.url).href],
    join(program, 'wgrad.mjs'),
    ...['train', '--model', 'lenet5', '--dataset', 'digits', '--batch-size', '50', '--epochs', '1000000'],
    ...['--checkpoint', join(folder, 'run'), '--checkpoint-every', '200'],
  ],
  {
    cwd: root,
    env: { ...process.env, WGRAD_REPORT_MS: String(SAMPLE_EVERY_MS) },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  },
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

const start = performance.now();
const minute = () => (performance.now() - start) / 60_000;
/** What the process holds, in MiB: [minute, value] by kind. */
const points = {};
child.on('message', (report) => {
  for (const [kind, bytes] of Object.entries(report)) (points[kind] ??= []).push([minute(), bytes / 2 ** 20]);
});
while (minute() < MINUTES && ends.length === 0) await new Promise((done) => setTimeout(done, 1000));
const [tooEarly] = ends;
child.kill('SIGKILL');
rmSync(folder, { recursive: true, force: true });
if (tooEarly !== undefined)
  throw new Error(`training ended after ${minute().toFixed(1)} minutes: ${tooEarly}`);

console.log(`${steps} steps and ${tests} tests in ${minute().toFixed(1)} minutes`);
let failed = steps === 0;
for (const [kind, all] of Object.entries(points)) {
  const { text, grew } = growth(
    `${kind}, MiB`,
    all.filter(([at]) => at > WARM_UP * MINUTES),
  );
  const fails = grew && kind !== WHOLE;
  console.log(fails ? `FAILED: it grows. ${text}` : text);
  failed ||= fails;
}
process.exitCode = failed ? 1 : 0;

// `node steps.mjs [--minutes N] [--cli FILE] [--engine gpu|cpu] [--iterations N]`: the training steps of steps.json by wgrad, as
// JSON lines. Each process is one of `wgrad bench step`; they take turns, because some processes are slower than others. Mixed
// precision is left out where the GPU lacks it, and what the minutes do not suffice for is left out from the end.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    cli: { type: 'string', default: fileURLToPath(new URL('../dist-cli/wgrad.mjs', import.meta.url)) },
    engine: { type: 'string', default: 'gpu' },
    iterations: { type: 'string', default: '20' },
  },
});
const until = Date.now() + 60_000 * Number(values.minutes);
const { rows } = JSON.parse(readFileSync(new URL('./steps.json', import.meta.url), 'utf8'));
const cases = rows.flatMap(({ mixed, ...row }) => [
  { ...row, precision: 'float32' },
  ...(mixed ? [{ ...row, precision: 'mixed' }] : []),
]);
for (let turn = 0; turn < Math.max(...cases.map(({ processes }) => processes)); turn++) {
  for (const { model, batch_size: batch, optimizer, processes, precision } of cases) {
    if (turn >= processes || Date.now() > until) continue;
    const words = [
      '--model',
      model,
      '--batch-size',
      batch,
      '--optimizer',
      optimizer,
      '--precision',
      precision,
    ];
    const rest = ['--engine', values.engine, '--iterations', values.iterations];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [values.cli, 'bench', 'step', ...words, ...rest].map(String),
      { encoding: 'utf8' },
    );
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
    for (const line of lines)
      console.log(JSON.stringify({ ...JSON.parse(line), date: new Date().toISOString().slice(0, 10) }));
    if (status !== 0) console.error(`${words.join(' ')}: ${stderr.trim()}`);
  }
}

// Runs the tests that must find a fault once for each fault in `faults`, on the CPU engine, and prints which are caught. A test
// that caught one must pass without it. `node scripts/mutants/run.mjs [text]`: only those whose file or text contains it. The tests are
// those of `npm test`, by WGRAD_TESTS. `--cover`: writes cover.json, which test caught each fault first.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MUTANTS } from './all.mjs';

/**
 * @typedef {import('./worker.mjs').Task} Task
 * @typedef {import('./worker.mjs').Outcome} Outcome
 */

/** Tests that take longer hang, which is a failure, too. Without a fault, the longest take half a minute of one core. */
const LIMIT_MS = 600_000;

/** What a test's message looks like if the fault is not even WGSL, or not even TypeScript. */
const INVALID_SHADER = /no pipeline|does not compile|\.wgsl:\d+(:\d+)?: /;
const INVALID_SCRIPT = /SyntaxError|Transform failed|Parse failure|ReferenceError/;

/** One runs tests; none outlives this process. */
const workers = new Set();
const kill = (worker) => {
  workers.delete(worker);
  process.kill(-worker.pid, 'SIGKILL');
};
process.on('exit', () => workers.forEach(kill));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

async function startWorker() {
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
  const worker = fork(fileURLToPath(new URL('worker.mjs', import.meta.url)), { detached: true, stdio });
  workers.add(worker);
  worker.on('exit', () => {
    if (workers.delete(worker)) throw new Error('a process that runs tests has ended');
  });
  await once(worker, 'message');
  return worker;
}

/** Hands tasks to one worker after the other. */
class Runner {
  #worker = startWorker();

  /** @param {Task} task @returns {Promise<Outcome>} */
  async run(task) {
    const worker = await this.#worker;
    worker.send(task);
    const timer = setTimeout(
      () => worker.emit('message', { ran: 0, failed: { test: 'they hang', message: '' } }),
      LIMIT_MS,
    );
    const [outcome] = await once(worker, 'message');
    clearTimeout(timer);
    if (outcome.failed?.test === 'they hang') {
      kill(worker);
      this.#worker = startWorker();
    }
    if (outcome.ran === 0 && !outcome.failed) throw new Error(`no tests in ${task.tests}`);
    return outcome;
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { cover: { type: 'boolean' } },
});
const [wanted = ''] = positionals;
process.env.WGRAD_TESTS ??= 'quick';
const open = [...MUTANTS.keys()].filter((number) => JSON.stringify(MUTANTS[number]).includes(wanted));
for (const { file, replace } of open.map((number) => MUTANTS[number])) {
  const found = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split(replace).length - 1;
  if (found !== 1) throw new Error(`${file} has ${found} times what is to be replaced: ${replace}`);
}

const runners = Array.from({ length: Math.min(availableParallelism(), open.length) }, () => new Runner());
/** Works a queue off with all runners. @template T @param {T[]} queue @param {(runner: Runner, one: T) => Promise<void>} work */
const each = (queue, work) =>
  Promise.all(
    runners.map(async (runner) => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) await work(runner, one);
    }),
  );
const secondsSince = (start) => `${((performance.now() - start) / 1000).toFixed(0).padStart(3)} s`;

const start = performance.now();
const total = open.length;
let caught = 0;
/** Ids of tests that caught a fault, by the folders they are in; undefined: all of them. @type {Map<string, Set<string | undefined>>} */
const catchers = new Map();
/** For cover.json: the file, and the name within. */
const cover = MUTANTS.map(() => '');
await each(open, async (runner, number) => {
  const begin = performance.now();
  const { file, replace, by, tests } = MUTANTS[number];
  const { failed } = await runner.run({ number, tests });
  const pattern = file.endsWith('.wgsl') ? INVALID_SHADER : INVALID_SCRIPT;
  const invalid = failed !== undefined && pattern.test(failed.message);
  if (failed && !invalid) {
    caught++;
    cover[number] = `${failed.file ?? tests} › ${failed.test}`;
    catchers.set(tests, (catchers.get(tests) ?? new Set()).add(failed.id));
  }
  const verdict = invalid ? 'INVALID ' : failed ? 'caught  ' : 'SURVIVED';
  const where = failed
    ? `${failed.test}: ${failed.message.split('\n')[0].slice(0, 100)}`
    : `"${replace}" as "${by}"`;
  console.log(`${verdict} ${secondsSince(begin)}  ${file}: ${where}`);
});

if (values.cover) {
  const lines = MUTANTS.map(({ file, replace }, i) => `  ${JSON.stringify([file, replace, cover[i]])}`);
  writeFileSync(new URL('cover.json', import.meta.url), `[\n${lines.join(',\n')}\n]\n`);
}

let broken = 0;
await each([...catchers], async (runner, [tests, ids]) => {
  const only = ids.has(undefined) ? undefined : [...ids];
  const { failed } = await runner.run({ tests, only });
  if (!failed) return;
  broken++;
  console.log(`BROKEN   without a fault, ${failed.test} fails: ${failed.message}`);
});
console.log(`\n${caught} of ${total} faults caught, in ${secondsSince(start)}`);
process.exit(caught === total && broken === 0 ? 0 : 1);

import { spawnSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { copyFile, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { count, SEED } from '../base/testing/tier.ts';
import { acquire } from '../node/lock.ts';
import { ownerOf } from '../node/owner.ts';
import { builtProgram, linesOf, start, testFolder, type Ended, type Start } from './testing/program.ts';

const program = builtProgram();
const { folder, at: inFolder, words, run: wgrad, interrupted } = testFolder();

/** What `train` printed: losses by step. */
const trained = ({ status, out, err }: Ended) => ({
  status,
  err,
  losses: new Map(
    linesOf<{ step?: number; loss: number }>(out.slice(0, out.lastIndexOf('\n') + 1)).flatMap(
      ({ step, loss }) => (step === undefined ? [] : [[step, loss] as const]),
    ),
  ),
});

const train = async (line: string) => trained(await wgrad(`train ${line}`));

/** More than the kills below get through. */
const STEPS = count(350, 350, 700);
const RUN = '--model softmax_regression --dataset digits --batch-size 16 --optimizer sgd';
const begin = `${RUN} --momentum 0.9 --steps ${STEPS}`;

/** Losses and parameters of the undisturbed run. */
let whole: { losses: Map<number, number>; parameters: Buffer };
beforeAll(async () => {
  const { losses } = await train(`${begin} --save @whole`);
  whole = { losses, parameters: await readFile(inFolder('whole')) };
  expect(losses.size).toBe(STEPS);
});

/** How a process is killed: options of its start, by the number of the kill. */
type Kill = (number: number) => Start;

/**
 * Trains to the end in processes that are killed, and compares the losses and weights with those of the undisturbed run.
 * @param names of its checkpoint: for each, a process starts at the same time
 */
async function expectTheSameAfterKills(names: readonly string[], kills: number, kill: Kill): Promise<void> {
  const [name] = names;
  const losses = new Map<number, number>();
  let option = '--checkpoint';
  const line = (checkpoint: string) =>
    `${option === '--resume' ? '' : begin} ${option} @${checkpoint} --checkpoint-every 3 --save @${name}-resumed`;
  for (let killed = 0; killed < kills;) {
    const all = await Promise.all(
      names.map((path) => start(program, words(`train ${line(path)}`), kill(killed))),
    );
    const ends = all.map(trained);
    for (const [step, loss] of ends.flatMap((ended) => [...ended.losses])) {
      expect(loss, `of step ${step}`).toBe(whole.losses.get(step));
      losses.set(step, loss);
    }
    const refused = ends.filter(({ status }) => status === 2);
    // Whoever was killed before, one of them trains.
    expect(refused.length, `of try ${killed}, refused: ${refused.map(({ err }) => err).join()}`).toBeLessThan(
      all.length,
    );
    for (const { err } of refused) {
      const [, pid] = /is open for writing in process (\d+) on .*delete .*\.lock\.$/m.exec(err) ?? [];
      expect(
        all.map((one) => String(one.pid)),
        err,
      ).toContain(pid);
    }
    for (const { status, err } of ends.filter((ended) => !refused.includes(ended))) {
      if (status === null) killed++;
      else expect(status, `of try ${killed}, which said: ${err}`).toBe(0);
    }
    // If killed before the first checkpoint, or already at the end, it must start again.
    const isOver = ends.some(({ status }) => status === 0);
    const kept = !isOver && (await readFile(inFolder(name)).catch(() => undefined));
    option = kept ? '--resume' : '--checkpoint';
  }
  const last = await train(line(name));
  expect(last).toMatchObject({ status: 0 });
  for (const [step, loss] of last.losses) losses.set(step, loss);
  expect(losses.size).toBe(STEPS);
  expect(await readFile(inFolder(`${name}-resumed`))).toEqual(whole.parameters);
  expect((await readdir(folder)).filter((one) => /\.(part|lock)$/.test(one))).toEqual([]);
}

describe('a run that is killed', () => {
  const random = new Random(SEED, 'kills');

  /** @param isReady asked before a process is killed: what it must have done */
  const atRandom = (longestWait: number, isReady?: (child: ChildProcess) => boolean): Start => {
    const after = 1 + random.below(20);
    const wait = random.below(longestWait);
    let dying = false;
    return {
      onOutput(out, child) {
        if (dying || out.split('\n').length <= after || isReady?.(child) === false) return;
        dying = true;
        setTimeout(() => child.kill('SIGKILL'), wait);
      },
    };
  };

  test('at random moments resumes each time from an intact checkpoint, and ends with the same bits', () =>
    expectTheSameAfterKills(['killed'], count(1, 4, 20), () => atRandom(12)));

  test('by one process while another, which knows it by a link, waits for it, has one writer at a time, and the other resumes at once', async () => {
    const [kills, log] = [count(2, 4, 40), inFolder('renames')];
    await writeFile(log, '');
    const writersOf = () => readFileSync(log, 'utf8').trim().split('\n');
    await symlink('shared', inFolder('link-to-shared'));
    await expectTheSameAfterKills(['shared', 'link-to-shared'], kills, () => ({
      ...atRandom(200, ({ pid }) => writersOf().includes(String(pid))),
      execArgv: ['--import', new URL('./testing/log-renames.mjs', import.meta.url).href],
      env: { WGRAD_TEST_LOG: log },
    }));
    const writers = writersOf();
    // None that has written writes again after another.
    const turns = writers.filter((pid, i) => pid !== writers[i - 1]);
    expect(new Set(turns).size).toBe(turns.length);
    // However busy the machine is.
    expect(turns.length).toBeGreaterThanOrEqual(kills);
    console.log(`${kills} kills: ${writers.length} files by ${turns.length} processes, one after the other`);
  });

  test('while it writes a file resumes each time from an intact checkpoint, and nothing is left of the file', () =>
    expectTheSameAfterKills(['written'], count(2, 5, 20), () => ({
      execArgv: ['--import', new URL('./testing/kill-in-write.mjs', import.meta.url).href],
      env: { WGRAD_TEST_KILL: JSON.stringify({ folder, after: random.below(24), share: random.uniform() }) },
    })));
});

describe('a checkpoint', () => {
  const file = () => inFolder('run');
  const previous = () => `${file()}.previous`;
  beforeAll(async () => {
    const { status } = await train(
      `${RUN} --momentum 0.9 --steps 25 --checkpoint @run --checkpoint-every 10`,
    );
    expect(status).toBe(0);
  });

  test('that is truncated or altered is skipped with a message, and the previous one is used', async () => {
    await copyFile(file(), inFolder('kept'));
    const bytes = await readFile(file());
    bytes[bytes.length - 1000] ^= 4;
    await writeFile(file(), bytes);
    const altered = await train('--resume @run --steps 30 --checkpoint @other');
    expect(altered.err).toMatch(/run, byte \d+: the file was altered: .*\. Reading .*run\.previous/);
    // A checkpoint may be skipped while another is being written.
    expect([11, 21]).toContain([...altered.losses.keys()][0]);
    expect(altered.losses.get(30)).toBe(whole.losses.get(30));

    await truncate(file(), 1000);
    await truncate(previous(), 5000);
    const { status, err } = await train('--resume @run --steps 30');
    expect(status).toBe(2);
    expect(err).toMatch(
      /run, byte \d+: expected \d+ bytes of tensor .*; .*previous, byte \d+: expected \d+ bytes/,
    );
    await copyFile(inFolder('kept'), file());
  });

  test('that was being written when its process was killed leaves nothing once it is resumed elsewhere', async () => {
    const part = `${file()}.${ownerOf(spawnSync(process.execPath, ['-e', '']).pid)}.part`;
    await writeFile(part, 'half');
    expect((await train('--resume @run --steps 26 --checkpoint @elsewhere')).status).toBe(0);
    expect(await readdir(folder)).not.toContain(basename(part));
  });

  test('that another process has open for writing is refused before training, under each of its names', async () => {
    const before = await readFile(file());
    await symlink('run', inFolder('link'));
    const lock = await acquire(file(), 0);
    const names = [file(), previous(), inFolder('link'), relative('.', file())];
    const refused = await Promise.all([
      ...names.map((name) => train(`--resume ${name} --steps 30`)),
      train(`${begin} --checkpoint @run`),
      train('--resume @kept --steps 30 --checkpoint @link'),
    ]);
    for (const { status, losses, err } of refused) {
      expect([status, losses.size]).toEqual([2, 0]);
      expect(err).toContain(`is open for writing in process ${process.pid} on ${hostname()}. Wait until`);
      const [, named] = /delete (.*\.lock)\.$/m.exec(err) ?? [];
      expect(await readdir(folder)).toContain(basename(named));
    }
    expect(await readFile(file())).toEqual(before);
    // Others may read it meanwhile.
    expect((await train('--resume @run --steps 26 --checkpoint @read')).status).toBe(0);
    await lock.release();
    expect((await train('--resume @run --steps 25')).status).toBe(0);
    expect((await readdir(folder)).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  test('whose lock somebody deletes is not written any more, and the run says so', async () => {
    const line = `train ${RUN} --steps 60 --checkpoint @unlocked --checkpoint-every 5`;
    let isDeleted = false;
    const { status, err } = await interrupted(line, () => {
      if (!isDeleted) {
        const [lock] = readdirSync(folder).filter((name) => /^unlocked\..*\.lock$/.test(name));
        rmSync(join(folder, lock));
      }
      isDeleted = true;
      return false;
    });
    expect(status).toBe(1);
    expect(err).toMatch(/unlocked may be another process's by now: somebody has deleted .*\.lock/);
    expect((await readdir(folder)).filter((name) => name.startsWith('unlocked'))).toEqual([]);
  });

  test('keeps its run’s settings; changes of other settings are reported', async () => {
    const resume = (line: string) => train(`--resume @run ${line}`);
    const refused = await resume('--batch-size 32');
    expect([refused.status, refused.losses.size]).toEqual([2, 0]);
    expect(refused.err).toMatch(/--batch-size: the run to resume has 16, not 32/);
    expect((await resume('--steps 20')).err).toMatch(/at least 25 steps, .*; found 20/);
    const slower = await resume('--lr 0.001 --steps 27 --batch-size 16 --checkpoint @x');
    expect(slower.err).toMatch(/Resuming from step 25\nThe learning rate is now 0.001; it was 0.05/);
    expect([...slower.losses.keys()]).toEqual([26, 27]);
    expect(slower.losses.get(26)).toBe(whole.losses.get(26));
  });

  test('continues on more threads to the same bits, and there is nothing to note', async () => {
    const line = words('train --resume @run --steps 30 --checkpoint @y');
    const { err, losses } = trained(await start(program, line, { env: { WGRAD_THREADS: '3' } }));
    expect(err).toMatch(/Resuming from step 25\n/);
    expect(err).not.toMatch(/The run started on/);
    expect(losses.get(30)).toBe(whole.losses.get(30));
  });

  test('is offered by a run that diverges', async () => {
    const { status, err, losses } = await train(
      `${RUN} --schedule step --step-epochs 0.032 --gamma 1e38 --steps 60 --checkpoint @bad --checkpoint-every 6`,
    );
    expect(status).toBe(1);
    expect(err).toMatch(/diverged at step 2[12]: the loss is (Infinity|NaN)/);
    expect(err).toMatch(/Resume from step 18, the last checkpoint, with --resume .*bad and a lower --lr/);
    expect(losses.size).toBeLessThan(23);
    const again = await train('--resume @bad --lr 1e-30 --steps 19');
    expect(again.status).toBe(0);
    expect([...again.losses.keys()]).toEqual([19]);
  });
});

test('a run stops at its target accuracy, and does not train further', async () => {
  const first = await train(
    `--model softmax_regression --dataset digits --batch-size 500 --epochs 9 --stop-at-accuracy 0.5 --checkpoint @good`,
  );
  expect([first.status, first.losses.size]).toEqual([0, 20]);
  expect(first.err).toMatch(/Target accuracy reached: .* % in epoch 1 \(target 50 %\)/);
  const second = await train('--resume @good');
  expect([second.status, second.losses.size]).toEqual([0, 0]);
});

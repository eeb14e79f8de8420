import type { ChildProcess } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { builtProgram, linesOf, start, testFolder } from './testing/program.ts';

const program = builtProgram();
const { at, words: wordsOf, run: wgrad } = testFolder();
const TRAIN = 'train --engine cpu --dataset digits --model softmax_regression';
/** What `npm run wgrad` starts. */
const script = fileURLToPath(new URL('../../scripts/wgrad.mjs', import.meta.url));

describe('the program', () => {
  it('prints only results on standard output, also when many run at once', async () => {
    const ended = await Promise.all([start(script, ['info']), start(script, ['info'])]);
    for (const { status, out, err } of ended) {
      expect({ status, err }).toEqual({ status: 0, err: '' });
      expect(out).toMatch(/^\{.*\}\n$/);
      const { adapter, limits, features } = JSON.parse(out) as Record<string, unknown>;
      expect(adapter).toEqual(expect.stringMatching(/\w/));
      expect(limits).toMatchObject({ maxComputeWorkgroupsPerDimension: 65535 });
      expect(features).toBeInstanceOf(Array);
    }
  });

  it('computes on the CPU if asked, and names both engines', async () => {
    const { status, out } = await start(program, ['info', '--engine', 'cpu']);
    expect(status).toBe(0);
    const { adapter, engine, engines } = JSON.parse(out) as Record<string, unknown>;
    expect({ adapter, engine }).toEqual({
      adapter: expect.stringMatching(/^CPU \(WebAssembly/),
      engine: 'cpu',
    });
    expect(engines).toEqual({ gpu: expect.stringMatching(/\w/) as string, cpu: adapter });

    const run = await wgrad(`${TRAIN} --steps 2`);
    expect(run.status).toBe(0);
    expect(linesOf(run.out).at(-1)).toMatchObject({ final: true, steps: 2, adapter });
    expect(await wgrad('info --engine tpu')).toMatchObject({
      status: 2,
      err: 'wgrad info: --engine: expected one of gpu, cpu, found "tpu"\n',
    });
  });

  it('exits with 2 and one line on standard error if the command line is wrong', async () => {
    const { status, out, err } = await start(program, ['info', '--loud']);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^wgrad info: unknown option '--loud'.*\n$/);
  });

  it('reports before training that a run does not fit a limit, and what would', async () => {
    const { status, out, err } = await wgrad(
      'train --dataset digits --steps 1 --batch-size 2048 --memory-limit 32M --recompute off',
    );
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toMatch(
      /LeNet-5 with batch 2048 needs [\d.]+ MiB of memory, but only 32\.0 MiB is available/,
    );
    expect(err).toMatch(/The largest batch size that fits is \d+\.\n$/);
  });

  it('examines a data set, one check per line', async () => {
    const { status, out } = await wgrad('doctor --dataset digits --checks images,labels');
    expect(status).toBe(0);
    expect(linesOf(out)).toMatchObject([
      { check: 'images', light: 'good', images: 2000, copies: 0, blank: 0 },
      { check: 'labels', light: 'good', smallest: 1000, largest: 1000, classes: 10 },
      { final: true, good: 2, watch: 0, bad: 0, skipped: 0 },
    ]);
  });

  describe('trains', () => {
    const words = (line: string) => wordsOf(`${TRAIN} --find-db @find-db.json ${line}`);
    const steps = (out: string) =>
      linesOf<{ step?: number }>(out.slice(0, out.lastIndexOf('\n') + 1)).flatMap(({ step }) => step ?? []);

    it('on when standard error is closed, full, or read no longer', async () => {
      const ended = await Promise.all([
        start(program, words('--steps 3'), { hangUp: 'err' }),
        start(program, words('--steps 3'), { errFile: '/dev/full' }),
        start(program, words('--steps 3'), { errFile: null }),
      ]);
      for (const { status, out } of ended) expect([status, steps(out)]).toEqual([0, [1, 2, 3]]);
    });

    it('on when its results cannot be written, saves the weights, and reports it', async () => {
      const { status, err } = await start(program, words('--steps 3 --save @w'), { outFile: '/dev/full' });
      expect(status).toBe(1);
      expect(err).toMatch(/standard output could not be written: ENOSPC/);
      expect((await readFile(at('w'))).length).toBeGreaterThan(1000);
    });

    it('until a signal, or until nobody reads: it writes a checkpoint, and ends as the signal says', async () => {
      const ends = [
        ['SIGINT', (child: ChildProcess) => child.kill('SIGINT')],
        ['SIGTERM', (child: ChildProcess) => child.kill('SIGTERM')],
        ['SIGHUP', (child: ChildProcess) => child.kill('SIGHUP')],
        ['pipe', (child: ChildProcess) => child.stdout?.destroy()],
      ] as const;
      const ended = await Promise.all(
        ends.map(async ([name, end]) => {
          let isOver = false;
          const found = await start(program, words(`--steps 1000000 --checkpoint @${name}`), {
            onOutput(out, child) {
              if (isOver || steps(out).length < 20) return;
              isOver = true;
              end(child);
            },
          });
          return { name, ...found };
        }),
      );
      for (const { name, status, signal, err, out } of ended) {
        expect([status, signal], name).toEqual(name === 'pipe' ? [141, null] : [null, name]);
        const [, step] = /Stopped at step (\d+)\. Resume with --resume/.exec(err) ?? [];
        if (name !== 'pipe') expect(steps(out).at(-1), name).toBe(Number(step));
        const next = Number(step) + 1;
        const resumed = await wgrad(`train --engine cpu --resume @${name} --steps ${next}`);
        expect(steps(resumed.out), name).toEqual([next]);
      }
    });

    it('until a second signal, which ends it at once, while it writes the checkpoint', async () => {
      const run = at('hangs');
      await mkdir(run);
      const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];
      const { status, signal } = await start(program, words('--steps 1000000 --checkpoint @hangs/run'), {
        execArgv: ['--import', new URL('./testing/hang-in-write.mjs', import.meta.url).href],
        env: { WGRAD_TEST_HANG: run },
        onOutput(out, child) {
          const isDue = signals.length === 2 ? steps(out).length >= 20 : out.includes('hangs');
          if (isDue && signals.length > 0) child.kill(signals.shift());
        },
      });
      expect([status, signal]).toEqual([null, 'SIGTERM']);
    });
  });

  it('writes a file into its standard output, before the result that follows', async () => {
    expect((await wgrad(`${TRAIN} --steps 1 --save @weights`)).status).toBe(0);
    const words = wordsOf('export --weights @weights --to html --out /dev/stdout');
    const piped = await start(program, words);
    expect(piped).toMatchObject({ status: 0, err: '' });
    expect(piped.out).toMatch(/^<!doctype html>[^]*<\/html>\s*\{"format":"html",.*\}\n$/i);
    expect((await start(program, words, { outFile: at('out') })).status).toBe(0);
    expect(await readFile(at('out'), 'utf8')).toBe(piped.out);
    const both = await start(program, [...words.slice(0, -1), at('out')], { outFile: at('out') });
    expect(both.status).toBe(2);
    expect(both.err).toMatch(/standard output and --out would both write/);
  });

  it('ends like other programs when its output is closed', async () => {
    const { status, err } = await start(program, ['info'], { hangUp: true });
    expect({ status, err }).toEqual({ status: 141, err: '' });
  });
});

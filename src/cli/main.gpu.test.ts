import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { builtProgram, linesOf, start, wgrad } from './testing/program.ts';

const program = builtProgram();
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

    const words = ['train', '--dataset', 'digits', '--model', 'softmax_regression', '--steps', '2'];
    const run = await wgrad(...words, '--engine', 'cpu');
    expect(run.status).toBe(0);
    expect(linesOf(run.out).at(-1)).toMatchObject({ final: true, steps: 2, adapter });
    expect(await wgrad('info', '--engine', 'tpu')).toMatchObject({
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
      ...['train', '--dataset', 'digits', '--steps', '1', '--batch-size', '2048'],
      ...['--memory-limit', '32M', '--recompute', 'off'],
    );
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toMatch(/LeNet-5 with batch 2048 needs [\d.]+ MB of memory; there are 33\.6 MB/);
    expect(err).toMatch(/The largest batch that fits is \d+\.\n$/);
  });

  it('examines a data set, one check per line', async () => {
    const { status, out } = await wgrad('doctor', '--dataset', 'digits', '--checks', 'images,labels');
    expect(status).toBe(0);
    expect(linesOf(out)).toMatchObject([
      { check: 'images', light: 'good', images: 2000, copies: 0, blank: 0 },
      { check: 'labels', light: 'good', smallest: 1000, largest: 1000, classes: 10 },
      { final: true, good: 2, watch: 0, bad: 0, skipped: 0 },
    ]);
  });

  it('ends like other programs when its output is closed', async () => {
    const { status, err } = await start(program, ['info'], { hangUp: true });
    expect({ status, err }).toEqual({ status: 141, err: '' });
  });
});

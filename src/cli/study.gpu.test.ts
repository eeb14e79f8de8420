import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { studies } from '../studies/index.ts';
import { readResult } from '../studies/elsewhere.ts';
import { builtProgram, start, wgrad } from './testing/program.ts';

const program = builtProgram();
/** Its contenders take five times as long to load from source. */
const BUILT = 'frameworks';

/** What the studies below print. */
const printed = new Map<string, string>();

describe.each(studies.names())('study %s', (name) => {
  test('prints every figure, and ends with where and when', async () => {
    const words = ['study', name, '--small', '--json'];
    const { status, out } = name === BUILT ? await start(program, words) : await wgrad(...words);
    expect(status).toBe(0);
    const { lines, ...about } = readResult(out);
    expect(about).toMatchObject({
      study: name,
      size: 'small',
      complete: true,
      adapter: expect.stringMatching(/\w/),
    });
    expect(new Date(about.date).getTime()).toBeGreaterThan(0);
    for (const figure of studies.get(name).figures) {
      const own = lines.filter((line) => line.figure === figure.name);
      expect(own.length, figure.name).toBeGreaterThan(0);
      for (const line of own) {
        if (!('bar' in line)) {
          const columns = figure.kind === 'table' ? figure.columns.map((column) => column.name) : [];
          expect(columns).toEqual(expect.arrayContaining(Object.keys(line.cells)));
          continue;
        }
        expect(figure.kind === 'bars' && figure.bars.map((bar) => bar.name)).toContain(line.bar);
        if (line.missing === undefined) expect(line.time?.median).toBeGreaterThan(0);
        if (line.ratio) expect(line.ratio.low).toBeLessThanOrEqual(line.ratio.high);
      }
    }
    printed.set(name, out);
  }, 120_000);
});

/** What the small version of a study prints for a figure. */
const linesOf = (name: string, figure: string) =>
  readResult(printed.get(name) ?? '').lines.filter((line) => line.figure === figure);

test('choosing: what both readings take, every network, and its profile by each choice', () => {
  const cells = (row: object) => expect.objectContaining({ cells: expect.objectContaining(row) });
  const rules = (images: string, pixels: string) => ({ images_rule: images, pixels_rule: pixels });
  const wide = { filter: '5x5', side: 7 };
  const problems = linesOf('choosing', 'problems');
  expect(problems).toContainEqual(cells({ ...wide, images: 64, ...rules('GEMM', 'Winograd') }));
  expect(problems).toContainEqual(cells({ ...wide, images: 1, ...rules('Winograd', 'Winograd') }));
  const layer = { network: 'SqueezeNet', layer: 'features.0', precision: 'float32' };
  expect(linesOf('choosing', 'layers')).toContainEqual(cells({ ...layer, ...rules('Winograd', 'Winograd') }));
  expect(linesOf('choosing', 'networks')).toContainEqual(cells({ network: 'SqueezeNet' }));
  for (const choices of ['base', 'rules', 'predicted', 'tuned'])
    expect(linesOf('choosing', 'profile')).toContainEqual(cells({ network: 'SqueezeNet', choices }));
});

test('lecture: a folded network’s outputs, and sizes that are checked', () => {
  const folded = { detail: expect.stringMatching(/outputs differ by/) };
  expect(linesOf('lecture', 'folding')).toContainEqual(expect.objectContaining(folded));
  const cells = { size: 28, filter: 5, stride: 1, dilation: 1, valid: 24, same: 28, zeros: '2 and 2' };
  expect(linesOf('lecture', 'sizes')).toContainEqual(
    expect.objectContaining({ cells: { ...cells, checked: 'yes' } }),
  );
});

test('an unknown study is refused with those that there are', async () => {
  const { status, out, err } = await wgrad('study', 'nothing');
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/no study named "nothing".*cudnn-algorithms/);
});

test('a study that is stopped says so, in its last line and by its status', async () => {
  const { status, out, err } = await wgrad('study', 'choosing', '--small', '--minutes', '0');
  expect(status).toBe(1);
  expect(readResult(out)).toMatchObject({ study: 'choosing', complete: false });
  expect(err).toMatch(/choosing was stopped after 0 minutes/);
});

describe('--resume', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'wgrad-'))));
  afterAll(() => rm(folder, { recursive: true }));

  const resume = async (name: string, text: string) => {
    const file = join(folder, 'earlier.jsonl');
    await writeFile(file, text);
    return wgrad('study', name, '--small', '--resume', file);
  };

  test('prints what was finished, and measures the rest', async () => {
    const whole = printed.get('choosing') ?? '';
    const { status, out } = await resume('choosing', whole);
    expect(status).toBe(0);
    expect(readResult(out).lines).toEqual(readResult(whole).lines);
    expect(readResult(out).seconds).toBeGreaterThan(readResult(whole).seconds);
  });

  test('refuses other studies, sizes and machines, and files that are not whole', async () => {
    const whole = printed.get('choosing') ?? '';
    const refusals = [
      await resume('lecture', printed.get('lecture') ?? ''),
      await resume('choosing', printed.get('lecture') ?? ''),
      await resume('choosing', whole.replace('"size":"small"', '"size":"full"')),
      await resume('choosing', whole.trim().split('\n').slice(0, -1).join('\n')),
    ];
    expect(refusals.map(({ status, out }) => ({ status, out }))).toEqual(
      refusals.map(() => ({ status: 2, out: '' })),
    );
    expect(refusals.map(({ err }) => err).join('')).toMatch(
      /cannot be resumed[^]*lecture, small[^]*choosing, full[^]*is not the output of `wgrad study`/,
    );
  });
});

test('the CPU engine alone: contenders on the GPU are left out, which is no failure', async () => {
  const rows = readResult(printed.get('frameworks') ?? '').lines.flatMap((line) =>
    'cells' in line ? [line.cells] : [],
  );
  const outcomes = rows.map(({ library, backend, outcome }) => `${library}, ${backend}: ${outcome}`);
  expect(outcomes.filter((one) => /: correct/.test(one))).toHaveLength(5);
  expect(outcomes).toContain('TensorFlow.js, WebGPU: not measured: only the CPU was requested');
});

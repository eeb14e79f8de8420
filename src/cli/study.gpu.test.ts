import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { TUNED, WHOLE } from '../engine/ops/conv/algorithms/direct/ladder.ts';
import { NAMES } from '../engine/ops/conv/algorithms/direct/names.ts';
import { studies } from '../studies/index.ts';
import { readResult } from '../studies/elsewhere.ts';
import { builtProgram, start, testFolder, wgrad } from './testing/program.ts';

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
  });
});

/** What the small version of a study prints for a figure. */
const linesOf = (name: string, figure: string) =>
  readResult(printed.get(name) ?? '').lines.filter((line) => line.figure === figure);

test('choosing: every network, and its profile by each choice', () => {
  const cells = (row: object) => expect.objectContaining({ cells: expect.objectContaining(row) });
  expect(linesOf('choosing', 'networks')).toContainEqual(cells({ network: 'SqueezeNet' }));
  for (const choices of ['base', 'rules', 'predicted', 'tuned'])
    expect(linesOf('choosing', 'profile')).toContainEqual(cells({ network: 'SqueezeNet', choices }));
});

/** The rows of a table. */
const rowsOf = (name: string, figure: string) =>
  linesOf(name, figure).flatMap((line) => ('cells' in line ? [line.cells] : []));

describe('cudnn-algorithms', () => {
  const name = 'cudnn-algorithms';
  const barsOf = (figure: string) =>
    linesOf(name, figure).flatMap((line) => ('bar' in line && line.time ? [line] : []));

  test.each(['largest', 'forward', 'backward'])(
    '%s: both times of a ratio are of the same case',
    (figure) => {
      const bars = barsOf(figure);
      for (const { case: where, bar, time, ratio, detail } of bars) {
        const base = bars.find((one) => one.case === where && one.bar === 'wgrad’s implicit GEMM');
        expect(ratio?.value, `${where}, ${bar}`).toBe((time?.median ?? NaN) / (base?.time?.median ?? NaN));
        if (figure === 'largest') expect(base?.detail?.split(':')[0]).toBe(detail?.split(':')[0]);
      }
    },
  );

  test('FFT runs both ways, FFT tiling and Winograd forward only; im2col and col2im have two versions', () => {
    const [forward, backward] = ['forward', 'backward'].map((pass) => barsOf(pass).map(({ bar }) => bar));
    expect(forward.slice(1)).toEqual(['im2col v1', 'im2col v2', 'FFT', 'FFT tiling', 'Winograd']);
    expect(backward.slice(1)).toEqual(['col2im v1', 'col2im v2', 'FFT']);
    const [v1, v2] = barsOf('backward').slice(1);
    expect(v1.detail).toMatch(
      /dgrad: im2col_gemm, one thread per position.*wgrad.*one thread per filter position/,
    );
    expect(v2.detail).toMatch(/dgrad: im2col_gemm, (?!one thread).*wgrad.*one thread per element/);
  });

  test('parts: shares of the own kernels, and of all with transposes and padding', () => {
    const rows = rowsOf(name, 'parts');
    for (const pass of ['forward', 'backward']) {
      const own = rows.filter((row) => row.pass === pass);
      const sum = (cell: string) => own.reduce((all, row) => all + (Number(row[cell]) || 0), 0);
      expect([sum('share'), sum('withSeparate')]).toEqual([expect.closeTo(1), expect.closeTo(1)]);
      const separate = own.filter(({ share }) => share === 'none').map(({ part }) => String(part));
      expect(separate.filter((part) => /transpose/.test(part))).toHaveLength(2);
      expect(separate.filter((part) => /padding/.test(part))).toHaveLength(1);
    }
  });

  test('launch parameters: those of the report, for both versions of both kernels', () => {
    const rows = rowsOf(name, 'launches');
    expect(rows.map(({ kernel }) => kernel)).toEqual(['im2col v1', 'im2col v2', 'col2im v1', 'col2im v2']);
    const times = { workgroups: '32', threads128: expect.any(Number), fastest: expect.stringMatching(/^\d/) };
    for (const row of rows) expect(row).toMatchObject(times);
  });

  test('accuracy: every result has a measured error beside the report’s', () => {
    expect(rowsOf(name, 'accuracy').map(({ error }) => Number(error) < 1e-4)).toEqual([true, true, true]);
  });
});

test('lecture: its exercise by both formulas, of which wgrad’s outputs have one; index formulas', () => {
  const one = { size: 28, filter: 5, padding: 2, checked: 'yes' };
  expect(rowsOf('lecture', 'exercise')).toEqual([
    { ...one, stride: 1, floor: 28, ceiling: 28, output: 28 },
    { ...one, stride: 2, floor: 14, ceiling: 15, output: 14 },
  ]);
  expect(rowsOf('lecture', 'indices')).toMatchObject([
    { formula: '((n C + c) H + h) W + w', index: 103, checked: 'yes' },
    { formula: '((n H + h) W + w) C + c', index: 71, checked: 'yes' },
  ]);
});

test('lecture: a folded network’s outputs, and sizes that are checked', () => {
  const folded = { detail: expect.stringMatching(/outputs differ by/) };
  expect(linesOf('lecture', 'folding')).toContainEqual(expect.objectContaining(folded));
  const padded = { padding: 2, explicit: 28, valid: 24, same: 28, zeros: '2 and 2' };
  const cells = { size: 28, filter: 5, stride: 1, dilation: 1, ...padded };
  expect(linesOf('lecture', 'sizes')).toContainEqual(
    expect.objectContaining({ cells: { ...cells, checked: 'yes' } }),
  );
});

describe('forward', () => {
  const [first, second] = ['conv1: c1 48x48 k6 5x5', 'conv2: c6 22x22 k16 5x5'];
  const cells = (row: object) => expect.objectContaining({ cells: expect.objectContaining(row) }) as object;

  test('every step of the report on both of its layers, and together', () => {
    const steps = linesOf('forward', 'steps').filter((line) => 'bar' in line);
    const reported = [NAMES.plain, NAMES.tile, NAMES.uniform, WHOLE];
    for (const where of ['Both layers', first, second]) {
      const bars = steps.filter((line) => line.case === where);
      expect(bars.map(({ bar }) => bar)).toEqual(
        expect.arrayContaining(['loops on the CPU', NAMES.staged, TUNED, ...reported]),
      );
      for (const { time } of bars) expect(time?.median).toBeGreaterThan(0);
    }
    const number = expect.any(Number) as number;
    expect(linesOf('forward', 'optimisations')).toContainEqual(
      cells({ step: WHOLE, conv1: number, conv2: number, total: number, ratio: number }),
    );
  });

  test('what one channel at a time costs, and which threads have no output', () => {
    const one = { layer: second, barriers: 12, here: expect.any(Number) as number };
    expect(linesOf('forward', 'channels')).toContainEqual(cells(one));
    // 18x18 outputs in tiles of 16x16.
    const tile = { layer: second, tile: '16x16', weights: 'storage', busy: 324 / 1024 };
    expect(linesOf('forward', 'tiles')).toContainEqual(cells({ ...tile, staged: 1, barriers: 12 }));
    expect(linesOf('forward', 'tiles')).toContainEqual(cells({ ...tile, staged: 6, barriers: 2 }));
  });

  test('loops and programs for every number of images', () => {
    for (const images of [40, 20, 10]) {
      expect(linesOf('forward', 'loops')).toContainEqual(cells({ images }));
      for (const kernels of ['', ', plain kernel', ', last kernels'])
        expect(linesOf('forward', 'sets')).toContainEqual(cells({ images, place: `CPU${kernels}` }));
    }
    expect(linesOf('forward', 'layers')).toContainEqual(
      cells({ layer: 'conv1', plain: expect.any(Number) as number }),
    );
    const [layer1, layer2] = ['kernel of layer 1', 'kernel of layer 2'];
    for (const what of ['copies to the device', layer1, layer2])
      expect(linesOf('forward', 'kernels')).toContainEqual(cells({ what, end: expect.any(Number) }));
  });
});

test('a study that is stopped says so, in its last line and by its status', async () => {
  const { status, out, err } = await wgrad('study', 'choosing', '--small', '--minutes', '0');
  expect(status).toBe(1);
  expect(readResult(out)).toMatchObject({ study: 'choosing', complete: false });
  expect(err).toMatch(/choosing was stopped after 0 minutes/);
});

describe('--resume', () => {
  const { at, run } = testFolder();
  const resume = async (name: string, text: string) => {
    await writeFile(at('earlier.jsonl'), text);
    return run(`study ${name} --small --resume @earlier.jsonl`);
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

test('the CPU engine alone: contenders on the GPU are left out, which is no failure', () => {
  const rows = rowsOf('frameworks', 'contenders');
  const outcomes = rows.map(
    ({ library, level, backend, outcome }) => `${library}, ${level}, ${backend}: ${outcome}`,
  );
  expect(outcomes.filter((one) => /: correct/.test(one))).toHaveLength(10);
  expect(outcomes).toContain('TensorFlow.js, core, WebGPU: not measured: only the CPU was requested');
  // From the same weights, on the same batches.
  const accuracies = rows.flatMap(({ accuracy }) => accuracy ?? []).map(Number);
  expect(accuracies).toHaveLength(7);
  expect(Math.max(...accuracies) - Math.min(...accuracies)).toBeLessThanOrEqual(0.05);
  expect(Math.min(...accuracies)).toBeGreaterThan(0.1);
  const ahead = rowsOf('frameworks', 'findings').filter(({ finding }) =>
    /GPU is ahead/.test(String(finding)),
  );
  expect(ahead.map(({ stack, image }) => [stack, image])).toEqual([
    ['TensorFlow.js', 'not measured'],
    ['wgrad', 'not measured'],
  ]);
});

/** The exit status is 0 only if everything that was asked for was done. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readSafetensors } from '../data/formats/safetensors.ts';
import { expectClose } from '../engine/testing/check.ts';
import { linesOf, testFolder } from './testing/program.ts';

const { at, run } = testFolder();

async function wgrad(line: string) {
  const { status, err, out } = await run(line);
  return { status, err, lines: linesOf(out) };
}

describe('conv', () => {
  // 3x3 filters, with groups.
  const conv = (words: string) =>
    wgrad(`conv --case src/data/formats/fixtures/conv01.safetensors --out-dir @ --direction fprop ${words}`);

  test('a named algorithm that does not support a case', async () => {
    const { status, err, lines } = await conv('--algorithm gemm_1x1');
    expect(status).toBe(1);
    expect(lines).toMatchObject([{ status: 'unsupported', reason: expect.any(String) as string }]);
    expect(err).toMatch(/^wgrad conv: not done: conv01 fprop by gemm_1x1: .+\n$/);
  });

  test('all algorithms are those that support it', async () => {
    const { status, lines } = await conv('--algorithm all');
    expect(status).toBe(0);
    expect(new Set(lines.map((line) => line['status']))).toEqual(new Set(['ok', 'unsupported']));
  });

  test('a launch by the start of its name, and an unknown one', async () => {
    const named = await conv('--algorithm direct --launch "several outputs per thread"');
    expect(named.status).toBe(0);
    expect(named.lines[0]['launch']).toMatch(/^several outputs per thread, tile/);
    const unknown = await conv('--algorithm direct --launch fastest');
    expect(unknown).toMatchObject({ status: 2, lines: [] });
    expect(unknown.err).toMatch(/direct has no variant "fastest" for this convolution. Known: "/);
  });

  test('any workgroup size and count that the device supports, with the same result to the last bit', async () => {
    const im2col = async (words: string) => {
      const { lines, ...rest } = await conv(`--algorithm im2col_gemm ${words}`);
      return { ...rest, line: lines[0], y: readFileSync(at('conv01.fprop.im2col_gemm.safetensors')) };
    };
    const usual = await im2col('');
    const odd = await im2col('--workgroup-size 37 --workgroups 3');
    expect([usual.status, odd.status]).toEqual([0, 0]);
    expect(odd.line['launch']).toContain('3 workgroups of 37');
    expect(odd.y.equals(usual.y)).toBe(true);
    const large = await im2col('--workgroup-size 5000');
    expect(large.status).toBe(1);
    expect(large.err).toMatch(/it supports 1 to \d+ threads per workgroup on this device, got 5000/);
    const other = await conv('--algorithm direct --workgroup-size 37');
    expect(other).toMatchObject({ status: 2, lines: [] });
    expect(other.err).toContain('expected --workgroup-size with --algorithm im2col_gemm, found direct');
  });
});

test('conv: another layout gives the same file, other padding another size', async () => {
  const y = async (words: string) => {
    const file = 'src/data/formats/fixtures/conv01.safetensors';
    const line = `conv --case ${file} --direction fprop --algorithm direct --out-dir @ ${words}`;
    expect((await wgrad(line)).status).toBe(0);
    const result = at('conv01.fprop.direct.safetensors');
    return readSafetensors(result, readFileSync(result)).tensors.get('y')!;
  };
  const [plain, last] = [await y(''), await y('--layout nhwc')];
  expect(last.shape).toEqual(plain.shape);
  expectClose('y', last.data, Float64Array.from(plain.data), 1e-6);
  const [, , P, Q] = plain.shape;
  const [, , wider, higher] = (await y('--padding 3,2,2,4')).shape;
  const [, , least] = (await y('--padding valid')).shape;
  expect([wider, higher, least].every(Number.isInteger)).toBe(true);
  expect(least).toBeLessThan(wider);
  expect([P, Q]).not.toEqual([wider, higher]);
  const wrong = await wgrad(`conv --case x --out-dir @ --padding 1,2,3`);
  expect(wrong).toMatchObject({ status: 2, lines: [] });
  expect(wrong.err).toContain('expected same, valid, 1, 1x2 or 0,1,0,1');
});

describe('bench conv', () => {
  const bench = (words: string) =>
    wgrad(`bench conv --suite lenet5 --batch-size 1 --direction fprop --iterations 3 ${words}`);

  test('a named algorithm that is unsupported, after the rest', async () => {
    const { status, err, lines } = await bench('--algorithm gemm_1x1');
    expect(status).toBe(1);
    expect(lines.map((line) => line['status'])).toEqual(['unsupported', 'unsupported']);
    expect(err).toMatch(/not done: \w+ fprop by gemm_1x1 is unsupported: /);
    const own = await wgrad(
      'bench conv --problem "n1 c2 6x6 k2 3x3" --direction fprop --algorithm gemm_1x1 --iterations 3',
    );
    expect(own.err).toMatch(/not done: n1 c2 6x6 k2 3x3 .* fprop by gemm_1x1 is unsupported: /);
  });

  test('a launch by the start of its name, and an unknown one', async () => {
    const named = await bench('--algorithm direct --launch "several outputs"');
    expect(named).toMatchObject({ status: 0, err: '' });
    const launches = named.lines.map((line) => line['launch'] as string);
    for (const launch of launches) expect(launch).toMatch(/^several outputs per thread, tile/);
    expect(new Set(launches).size).toBe(2);
    const unknown = await bench('--algorithm direct --launch fastest');
    expect(unknown.status).toBe(1);
    expect(unknown.lines).toMatchObject([
      { status: 'unsupported', reason: expect.stringContaining('no variant "fastest"') as string },
      { status: 'unsupported' },
    ]);
  });

  test('nothing to fold is no benchmark', async () => {
    expect(await wgrad('bench infer --model lenet5')).toEqual({
      status: 2,
      lines: [],
      err: 'wgrad bench: LeNet-5 has no batch normalisation, so there is nothing to fold. Choose a model with batch norm, such as resnet20.\n',
    });
    const folded = await wgrad(
      'train --model lenet5 --dataset digits --steps 1 --save-folded @f.safetensors',
    );
    expect(folded).toMatchObject({ status: 2, lines: [] });
  });
});

test('doctor: a check that was named and cannot be made', async () => {
  const { status, err, lines } = await wgrad(
    'doctor --model softmax_regression --dataset digits --batch-size 8 --checks dead-relus',
  );
  expect(lines.map(({ light }) => light)).toEqual(['skipped', undefined]);
  expect(status).toBe(1);
  expect(err).toMatch(/not done: the check dead-relus: The network has no ReLU/);
});

test('find without a correct result', async () => {
  // The images take 4 GB, more than a buffer can have.
  const { status, err } = await wgrad(
    'find --problem "n16 c64 1024x1000 k1 1x1 s1x1 p0x0 d1x1 g1" --direction fprop --find-db @db.json',
  );
  expect(status).toBe(1);
  expect(err).toMatch(/not done: n16 .* fprop: no correct result/);
});

test('find measures again what names a launch that does not exist here', async () => {
  const db = at('found.json');
  const found = () =>
    wgrad('find --problem "n1 c2 6x6 k2 3x3 s1x1 p1x1 d1x1 g1" --direction fprop --find-db @found.json');
  expect((await found()).status).toBe(0);
  expect((await found()).lines.at(-1)).toMatchObject({ found: true, known: true });
  const text = readFileSync(db, 'utf8');
  writeFileSync(db, text.replace(/"launch": "[^"]*"/, '"launch": "of another time"'));
  const again = await found();
  expect(again).toMatchObject({ status: 0, err: expect.stringContaining('measuring again') as string });
  expect(again.lines.at(-1)).toMatchObject({ found: true, known: false });
});

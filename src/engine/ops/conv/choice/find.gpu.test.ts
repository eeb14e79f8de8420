import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openNodeDevice } from '../../../../node/gpu.ts';
import type { Device } from '../../../../gpu/device.ts';
import { wholeBuffer } from '../../../../gpu/ledger.ts';
import { Readback } from '../../../../gpu/readback.ts';
import { Stopwatch } from '../../../../gpu/timing.ts';
import { inLayout } from '../layout.ts';
import { convProblem, DIRECTIONS } from '../problem.ts';
import { elements } from '../../../../base/shape.ts';
import { problemConstants } from '../algorithm.ts';
import { convAlgorithms } from '../algorithms/index.ts';
import { grid, placedIn, PlanBuilder } from '../../../plan.ts';
import { find } from './find.ts';
import { fill, filledWith, INPUT_SEEDS } from './inputs.ts';
import type { FindResult, LaunchResult } from './types.ts';

let device: Device;
beforeAll(async () => {
  device = await openNodeDevice();
});
beforeEach(() => device.kernels.replaceSource('conv/breakable', KERNEL));
afterEach(async () => {
  expect(device.uncaught).toEqual([]);
  if (device.isLost) {
    device = await openNodeDevice();
    return;
  }
  expect(device.ledger.buffers).toBe(0);
  for (const name of device.kernels.replacedNames) device.kernels.replaceSource(name, undefined);
});
afterAll(() => device.destroy());

// Larger than what is sampled, so that errors can hide.
const problem = convProblem({ N: 3, C: 5, H: 11, W: 9, K: 7, R: 3, S: 3, padding: [1, 1] });
/** Two algorithms suffice to find out which of them is incorrect. */
const options = {
  exclude: (algorithm: string, launch: string) => algorithm === 'direct' && !launch.startsWith('one thread'),
  algorithms: ['breakable', 'direct'],
  samples: 3,
  minimumMs: 0.1,
};

/** A kernel of this test, so that it can be broken in any way, independently of other kernels' text. */
const KERNEL = `// @import common/index
// @import conv/problem
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> w: array<Number>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<Number>;

const HAS_BIAS = false;
const RELU = false;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  let image = i / (K * PQ);
  if (image >= sizes.N) {
    return;
  }
  let k = i / PQ % K;
  var sum = 0.0;
  for (var at = 0u; at < CRS; at++) {
    let row = input_row(i % PQ / Q, at % RS / S);
    let column = input_column(i % Q, at % S);
    if (row < H && column < W) {
      sum += f32(w[k * CRS + at]) * f32(x[((image * C + at / RS) * H + row) * W + column]);
    }
  }
  if (HAS_BIAS) { sum += bias[k]; }
  if (RELU) { sum = max(sum, 0.0); }
  y[i] = Number(sum);
}`;

const unregister = convAlgorithms.register({
  name: 'breakable',
  summary: 'A thread an output, with the text of this test.',
  exact: true,
  layouts: ['nchw'],
  unsupported: (_, direction) => (direction === 'fprop' ? undefined : 'this test does not break it'),
  fprop: (setting) => [
    {
      name: 'plain',
      workspaceBytes: 0,
      add(plan, label, { x, w, bias, y, relu = false }) {
        const constants = { ...problemConstants(setting), HAS_BIAS: bias !== undefined, RELU: relu };
        plan.dispatch({
          label,
          kernel: { shader: 'conv/breakable', constants },
          tensors: { x, w, bias: bias ?? w, y },
          uniforms: { N: setting.problem.N },
          workgroups: grid(elements(y.shape), 64),
        });
      },
    },
  ],
  dgrad: () => [],
  wgrad: () => [],
});

afterAll(unregister);

/** Replaces a shader's file by the kernel, with one piece of it changed. */
function edit(shader: string, piece: string, by: string): void {
  expect(KERNEL).toContain(piece);
  device.kernels.replaceSource(shader, KERNEL.replace(piece, by));
}

const of = ({ tried }: FindResult, algorithm: string): LaunchResult[] =>
  tried.filter((one) => one.algorithm === algorithm);

describe('find', () => {
  test.each(DIRECTIONS)('finds right answers fast enough to use: %s', async (direction) => {
    const reported: LaunchResult[] = [];
    const found = await find(device, problem, direction, {
      ...options,
      algorithms: ['breakable', 'direct', 'implicit_gemm'],
      onTried: (tried) => reported.push(tried),
    });
    expect(found).toMatchObject({ problem, direction, number: 'f32', workspace: 64 * 2 ** 20 });
    expect(found.doubt).toBeUndefined();
    for (const tried of found.tried) {
      if (tried.outcome !== 'timed') throw new Error(`${tried.algorithm}, ${tried.launch}: ${tried.reason}`);
      expect(tried.median).toBeGreaterThan(0);
      expect(tried.p10).toBeLessThanOrEqual(tried.p90);
      expect(tried.error).toBeLessThan(3e-5);
      expect(tried.dispatches).toBeGreaterThan(0);
      expect(reported).toContainEqual(tried);
    }
    const names = found.tried.map(({ algorithm }) => algorithm);
    expect(names).toEqual(expect.arrayContaining(['direct', 'implicit_gemm']));
    expect(names.includes('breakable')).toBe(direction === 'fprop');
    const medians = found.tried.map((tried) => (tried.outcome === 'timed' ? tried.median : Infinity));
    const best = found.tried[medians.indexOf(Math.min(...medians))];
    expect(found.best).toEqual({ algorithm: best.algorithm, launch: best.launch });
  });

  test.each(DIRECTIONS)('in NHWC, by kernels of its own and between transposes: %s', async (direction) => {
    const found = await find(device, inLayout(problem, 'nhwc'), direction, {
      ...options,
      algorithms: ['direct', 'implicit_gemm', 'im2col_gemm'],
      exclude: (algorithm, launch) => algorithm === 'direct' && options.exclude(algorithm, launch),
      most: 9,
    });
    expect(found.doubt).toBeUndefined();
    for (const tried of found.tried) {
      if (tried.outcome !== 'timed') throw new Error(`${tried.algorithm}, ${tried.launch}: ${tried.reason}`);
    }
    const transposed = (algorithm: string) =>
      of(found, algorithm).map(({ launch }) => launch.startsWith('transposed, '));
    expect(transposed('implicit_gemm').sort()).toEqual([false, true]);
    expect(new Set(transposed('im2col_gemm'))).toEqual(new Set([true]));
  });

  test('a clock rate that rises meanwhile does not make the first variants slow', async () => {
    const { software } = device.adapter;
    device.adapter.software = false;
    vi.spyOn(Stopwatch.prototype, 'settle').mockResolvedValue();
    vi.spyOn(Stopwatch.prototype, 'once').mockResolvedValue(1);
    // The first takes 1 ms and the second 2, but the first time is of a slow clock.
    const times = [5, 2, 1, 1, 2, 1];
    const time = vi.spyOn(Stopwatch.prototype, 'time').mockImplementation(() => {
      const ms = times.shift() ?? NaN;
      return Promise.resolve({ samples: [ms, ms, ms], repetitions: 1, clock: 'timestamps' });
    });
    try {
      const { best, tried } = await find(device, problem, 'fprop', { ...options, most: 2 });
      expect(tried.map((one) => one.outcome === 'timed' && one.median)).toEqual([1, 2]);
      expect(best).toMatchObject({ algorithm: tried[0].algorithm, launch: tried[0].launch });
      expect(time).toHaveBeenCalledTimes(6);
    } finally {
      vi.restoreAllMocks();
      device.adapter.software = software;
    }
  });

  test('reports unsupported algorithms and the reasons', async () => {
    const found = await find(device, problem, 'fprop', { ...options, algorithms: ['gemm_1x1', 'direct'] });
    expect(found.absent).toEqual([
      { algorithm: 'gemm_1x1', reason: expect.stringMatching(/.{10,}/) as string },
    ]);
    const limit = device.limit('maxStorageBufferBindingSize');
    const huge = convProblem({ ...problem, N: 1, C: 1, K: 1, H: limit / 4 / 64, W: 65, R: 1, S: 1 });
    const nowhere = await find(device, huge, 'fprop', options);
    expect(nowhere.tried).toEqual([]);
    expect(nowhere.best).toBeUndefined();
    expect(nowhere.absent.map(({ algorithm }) => algorithm).sort()).toEqual(options.algorithms);
    for (const { reason } of nowhere.absent)
      expect(reason).toMatch(/^x takes .* MiB, and this device allows/);
  });

  test('tries no launch that is excluded', async () => {
    const found = await find(device, problem, 'fprop', { ...options, exclude: (name) => name === 'direct' });
    expect(of(found, 'direct')).toEqual([]);
    expect(found.absent).toContainEqual({ algorithm: 'direct', reason: 'all of its variants are excluded' });
    expect(found.best?.algorithm).toBe('breakable');
  });

  test('stops when it is cancelled', async () => {
    const stop = new AbortController();
    const search = find(device, problem, 'fprop', {
      ...options,
      signal: stop.signal,
      onTried: () => stop.abort(),
    });
    await expect(search).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('fails with device-lost when the device is lost', async () => {
    const search = find(device, problem, 'fprop', { ...options, onTried: () => device.destroy() });
    await expect(search).rejects.toMatchObject({ code: 'device-lost' });
    await expect(find(device, problem, 'fprop', options)).rejects.toMatchObject({ code: 'device-lost' });
  });
});

describe('a kernel that was broken on purpose', () => {
  const answer = 'y[i] = Number(sum);';

  test.each<[string, string, string, RegExp, boolean]>([
    [
      'is one row off',
      'row < H',
      'row + 1u < H',
      /^y\[n \d, k \d, p \d+, q \d\] is .*, and in float64/,
      true,
    ],
    [
      'is wrong in a single number',
      answer,
      'y[i] = Number(sum + select(0.0, 0.01, i == 777u));',
      /^y\[n 1, k 0, p 9, q 3\] is .*, and in float64 .* \(relative error .*e-3, allowed .*e-6\)$/,
      true,
    ],
    [
      'writes NaN',
      answer,
      'y[i] = Number(select(sum, bitcast<f32>(0x7fc00000u + k - k), i == 1000u));',
      /^1 of 2079 numbers are not finite, or were never written; the first is y\[n 1, k 3, p 1, q 1\]$/,
      false,
    ],
    [
      'leaves a number unwritten',
      answer,
      'if (i != 500u) { y[i] = Number(sum); }',
      /^1 of 2079 numbers are not finite, or were never written; the first is y\[n 0, k 5, p 0, q 5\]$/,
      false,
    ],
    ['adds to what it finds', answer, 'y[i] += Number(sum);', /^2079 of 2079 numbers are not finite/, false],
  ])('and %s is caught, named and not used', async (_, piece, by, reason, finite) => {
    edit('conv/breakable', piece, by);
    const found = await find(device, problem, 'fprop', options);
    const [broken] = of(found, 'breakable');
    expect(broken).toMatchObject({ outcome: 'wrong', reason: expect.stringMatching(reason) as string });
    expect(broken.outcome === 'wrong' && broken.error !== null).toBe(finite);
    expect(broken.shaders).toEqual(
      expect.arrayContaining(['conv/breakable', 'conv/problem', 'common/index']),
    );
    expect(found.best?.algorithm).toBe('direct');
    expect(found.ties.map(({ algorithm }) => algorithm)).not.toContain('breakable');
    expect(found.doubt).toBeUndefined();
  });

  test.each([
    ['does not compile', 'f32(w[k', 'nothing(w[k', /^shaders\/conv\/breakable\.wgsl:\d+:\d+: .*nothing/],
    ['lacks what its launches set', 'const RELU = false;', 'const RELLU = false;', /RELU/],
    ['lacks a binding', '@group(0) @binding(3) var<storage, read> bias: array<f32>;', '', /bias/],
    ['imports what is not there', '// @import common/index', '// @import common/nothing', /common\/nothing/],
    ['takes too large workgroups', '@workgroup_size(64)', '@workgroup_size(65536)', /workgroup/],
  ])('and %s fails alone', async (_, piece, by, reason) => {
    edit('conv/breakable', piece, by);
    const found = await find(device, problem, 'fprop', options);
    expect(of(found, 'breakable')).toMatchObject([
      { outcome: 'failed', reason: expect.stringMatching(reason) as string },
    ]);
    expect(found.best?.algorithm).toBe('direct');
    expect(found.doubt).toBeUndefined();
  });

  test.each([
    ['where one looks', answer, 'y[i] = Number(sum + select(0.0, 1.0, i == 0u));'],
    ['where nobody looks', answer, 'y[i] = Number(sum + select(0.0, 0.01, i == 777u));'],
    ['by not compiling', answer, 'y[i] = nothing;'],
  ])('and is the reference is named, and the others do not suffer: %s', async (_, piece, by) => {
    edit('conv/direct/fprop', piece, by);
    const found = await find(device, problem, 'fprop', options);
    const [plain] = of(found, 'direct').filter(({ shaders }) => shaders.includes('conv/direct/fprop'));
    expect(plain.outcome).toMatch(/wrong|failed/);
    expect(of(found, 'breakable')).toMatchObject([{ outcome: 'timed' }]);
    expect(found.doubt).toMatch(
      /^direct, the reference for all numbers, is itself wrong: .*Only numbers at some/s,
    );
    expect(found.best).toBeDefined();
  });

  test.each([
    [
      'drops the bias of some filters',
      'sum += bias[k];',
      'sum += select(0.0, bias[k], k < 6u);',
      /is off by/,
    ],
    ['lets negative numbers through', 'sum = max(sum, 0.0);', 'sum += 0.0;', /is off by/],
    [
      'writes positive numbers only',
      'sum = max(sum, 0.0);',
      'if (sum <= 0.0) { return; }',
      /\d+ of 2079 numbers are not finite, or were never written/,
    ],
  ])('and %s as part of a layer is caught, though it is right alone', async (_, piece, by, reason) => {
    edit('conv/breakable', piece, by);
    const reported: LaunchResult[] = [];
    const found = await find(device, problem, 'fprop', {
      ...options,
      algorithms: ['breakable'],
      onTried: (tried) => reported.push(tried),
    });
    expect(reported.map(({ outcome }) => outcome)).toContain('timed');
    expect(of(found, 'breakable')).toMatchObject([
      { outcome: 'wrong', reason: expect.stringMatching(/^with bias and ReLU: /) as string },
    ]);
    expect(of(found, 'breakable')).toMatchObject([{ reason: expect.stringMatching(reason) as string }]);
    expect(found.best).toBeUndefined();
  });

  test('and is shared by many excludes all of them', async () => {
    const text = device.kernels.sourceOf('common/index');
    expect(text).toContain('+ at.local');
    device.kernels.replaceSource('common/index', text.replace('+ at.local', '+ max(at.local, 1u)'));
    const found = await find(device, problem, 'fprop', options);
    const using = found.tried.filter(({ shaders }) => shaders.includes('common/index'));
    expect(using.map(({ algorithm }) => algorithm)).toEqual(expect.arrayContaining(options.algorithms));
    for (const { outcome } of using) expect(outcome).toBe('wrong');
  });
});

describe('sums of 9,216 terms', () => {
  const long = convProblem({ N: 1, C: 1024, H: 3, W: 3, K: 4, R: 3, S: 3, padding: [1, 1] });

  test('are right, added up one term after the other', async () => {
    const found = await find(device, long, 'fprop', options);
    expect(found.doubt).toBeUndefined();
    expect(found.tried.map(({ outcome }) => outcome)).toEqual(['timed', 'timed']);
  });

  test('are wrong if a single term is missing', async () => {
    edit('conv/breakable', 'at = 0u; at < CRS', 'at = 1u; at < CRS');
    const found = await find(device, long, 'fprop', options);
    expect(of(found, 'breakable')).toMatchObject([{ outcome: 'wrong' }]);
    expect(of(found, 'direct')).toMatchObject([{ outcome: 'timed' }]);
  });
});

test('the GPU and the CPU generate the same inputs', async () => {
  for (const type of ['f32', 'f16'] as const) {
    if (type === 'f16' && !device.raw.features.has('shader-f16')) continue;
    const source = filledWith(INPUT_SEEDS.x, type);
    const numbers = Array.from({ length: 10000 }, (_, i) => source(i));
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(-1);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(Math.abs(numbers.reduce((a, b) => a + b) / numbers.length)).toBeLessThan(0.02);
    if (type === 'f16') continue;
    const buffer = await device.ledger.storage('numbers', 4 * numbers.length);
    const builder = new PlanBuilder(device);
    fill(builder, placedIn(buffer, [numbers.length], type), INPUT_SEEDS.x);
    const plan = await builder.compile();
    const readback = new Readback(device);
    plan.run();
    expect([...(await readback.floats(wholeBuffer(buffer)))]).toEqual(numbers);
    for (const thing of [readback, plan, buffer]) thing.destroy();
  }
});

import { afterEach, describe, expect, it, test, vi } from 'vitest';
import type { Failure } from '../../base/result.ts';
import { openCpuDevice, runShader } from '../testing/run-shader.ts';
import { cpuGpu } from './gpu.ts';
import type { CpuModule } from './pipeline.ts';

/** Each workgroup makes a new number of that in `out[0]`, many times over. */
const STEPS = `
const ROUNDS = 400u;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var k = 0u; k < ROUNDS; k++) { out[0] = out[0] * 3 + 1 + group.x + groups.x; }
}`;

const ROUNDS = 400;

/** What STEPS makes of a number. */
function stepped(start: number, workgroups = 1): number {
  let sum = start;
  for (let i = 0; i < workgroups; i++)
    for (let k = 0; k < ROUNDS; k++) sum = (Math.imul(sum, 3) + 1 + i + workgroups) >>> 0;
  return sum;
}

async function setUp() {
  const device = await openCpuDevice();
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const layout = device.createBindGroupLayout({
    entries: [{ binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'storage' } }],
  });
  const pipeline = await device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module: device.createShaderModule({ code: STEPS }) },
  });
  const buffer = (words: number) =>
    device.createBuffer({ size: 4 * words, usage: STORAGE | COPY_SRC | COPY_DST });
  /** Submits `workgroups` of it. */
  const submit = (target: GPUBuffer, workgroups = 1) => {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(
      0,
      device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer: target } }] }),
    );
    pass.dispatchWorkgroups(workgroups);
    pass.end();
    device.queue.submit([encoder.finish()]);
  };
  const read = async (source: GPUBuffer) => {
    const copy = device.createBuffer({ size: source.size, usage: COPY_DST | MAP_READ });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, 0, copy, 0, source.size);
    device.queue.submit([encoder.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    return [...new Uint32Array(copy.getMappedRange())];
  };
  return { device, buffer, submit, read };
}

describe('the queue', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('does what is submitted in order, writes included', async () => {
    const { device, buffer, submit, read } = await setUp();
    const target = buffer(2);
    device.queue.writeBuffer(target, 0, new Uint32Array([5, 6]));
    submit(target);
    const words = new Uint32Array([100]);
    device.queue.writeBuffer(target, 4, words);
    words[0] = 0;
    submit(target);
    const before = read(target);
    device.queue.writeBuffer(target, 0, new Uint32Array([1]));
    expect(await before).toEqual([stepped(stepped(5)), 100]);
    expect(await read(target)).toEqual([1, 100]);
  });

  it('counts offsets and sizes of typed arrays in elements', async () => {
    const { device, buffer, read } = await setUp();
    const target = buffer(6);
    device.queue.writeBuffer(target, 4, new Uint32Array([1, 2, 3, 4]), 1, 2);
    device.queue.writeBuffer(target, 12, new Uint32Array([7, 8, 9]).subarray(1), 1);
    device.queue.writeBuffer(target, 16, new Uint32Array([1, 2]).buffer, 4, 4);
    device.queue.writeBuffer(target, 20, new DataView(new Uint32Array([1, 2, 3]).buffer, 4), 4);
    expect(await read(target)).toEqual([0, 2, 3, 9, 2, 3]);
  });

  it('lets other tasks run within a long dispatch, with the same result', async () => {
    const { buffer, submit, read } = await setUp();
    const target = buffer(1);
    const workgroups = 20_000;
    // However fast this machine is, every look at the clock finds a millisecond later.
    let ms = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ms++);
    let turns = 0;
    submit(target, workgroups);
    const reading = read(target);
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const [found] = await reading;
    clearImmediate(timer);
    expect(found).toBe(stepped(0, workgroups));
    expect(turns).toBeGreaterThan(1);
  });

  it('forgets what it has done while there is always more to do', async () => {
    const { device, buffer, submit } = await setUp();
    const target = buffer(1);
    const queue = device.queue as unknown as { commands: unknown[] };
    let most = 0;
    let waiting = device.queue.onSubmittedWorkDone();
    for (let round = 0; round < 300; round++) {
      const before = waiting;
      for (let i = 0; i < 10; i++) submit(target);
      waiting = device.queue.onSubmittedWorkDone();
      most = Math.max(most, queue.commands.length);
      await before;
    }
    await waiting;
    expect(most).toBeLessThan(1500);
  });
});

test('a kernel is compiled once for all devices, with or without checks for races', async () => {
  const devices = [await openCpuDevice(), await openCpuDevice(), await openCpuDevice({ watched: true })];
  const [one, same, watched] = devices.map(
    (device) => (device.createShaderModule({ code: STEPS }) as unknown as CpuModule).compiled,
  );
  expect(same).toBe(one);
  expect(watched).not.toBe(one);
});

describe('buffers', () => {
  it('that are destroyed while work is queued keep their memory until it is done', async () => {
    const { device, buffer, submit, read } = await setUp();
    const first = buffer(64);
    device.queue.writeBuffer(first, 0, new Uint32Array(64).fill(9));
    for (let i = 0; i < 50; i++) submit(first, 100);
    const copied = read(first);
    first.destroy();
    first.destroy();
    const others = [0, 1, 2, 3].map(() => buffer(64));
    expect((await copied).slice(1)).toEqual(new Array(63).fill(9));
    for (const other of others) expect(await read(other)).toEqual(new Array(64).fill(0));
  });

  it('that there is no memory for are errors of the scope, and harmless', async () => {
    const { device, buffer, read } = await setUp();
    device.pushErrorScope('validation');
    device.pushErrorScope('out-of-memory');
    const large = [0, 1].map(() => device.createBuffer({ size: 2 ** 33, usage: GPUBufferUsage.STORAGE }));
    const [memory, validation] = await Promise.all([device.popErrorScope(), device.popErrorScope()]);
    expect(memory?.message).toMatch(/memory/);
    expect(validation).toBeNull();
    for (const one of large) one.destroy();
    await device.queue.onSubmittedWorkDone();
    const others = Array.from({ length: 300 }, (_, mark) => {
      const one = buffer(64);
      device.queue.writeBuffer(one, 0, new Uint32Array(64).fill(mark));
      return one;
    });
    for (const [i, one] of others.entries()) expect(await read(one)).toEqual(new Array(64).fill(i));
  });

  it('that there is no memory for, outside of any scope, lose the device', async () => {
    const { device } = await setUp();
    device.createBuffer({ size: 2 ** 33, usage: GPUBufferUsage.STORAGE });
    expect(await device.lost).toEqual({ reason: 'unknown', message: 'the memory of WebAssembly is full' });
  });

  it('cannot be mapped once a command has failed, which loses the device', async () => {
    const { device, buffer, submit, read } = await setUp();
    const target = buffer(1);
    submit(target);
    const { memory } = device as unknown as { memory: { room: () => never } };
    memory.room = () => {
      throw new Error('no room');
    };
    const reading = read(target);
    await expect(reading).rejects.toThrow('no room');
    await expect(read(target)).rejects.toThrow('no room');
    await device.queue.onSubmittedWorkDone();
    target.destroy();
    expect(await device.lost).toEqual({ reason: 'unknown', message: 'no room' });
  });

  it('are read as they were when they were mapped, in part or whole', async () => {
    const { device } = await setUp();
    const { COPY_DST, MAP_READ } = GPUBufferUsage;
    const target = device.createBuffer({ size: 16, usage: COPY_DST | MAP_READ });
    device.queue.writeBuffer(target, 0, new Uint32Array([1, 2, 3, 4]));
    await target.mapAsync(GPUMapMode.READ);
    expect([...new Uint32Array(target.getMappedRange(4, 8))]).toEqual([2, 3]);
    target.unmap();
    device.queue.writeBuffer(target, 4, new Uint32Array([20]));
    await target.mapAsync(GPUMapMode.READ);
    expect([...new Uint32Array(target.getMappedRange())]).toEqual([1, 20, 3, 4]);
  });
});

describe('passes', () => {
  it('take the times of their beginning and end', async () => {
    const { device, buffer, read } = await setUp();
    const querySet = device.createQuerySet({ type: 'timestamp', count: 4 });
    const encoder = device.createCommandEncoder();
    for (const i of [0, 2]) {
      const timestampWrites = { querySet, beginningOfPassWriteIndex: i, endOfPassWriteIndex: i + 1 };
      encoder.beginComputePass({ timestampWrites }).end();
    }
    const target = buffer(8);
    encoder.resolveQuerySet(querySet, 1, 3, target, 8);
    device.queue.submit([encoder.finish()]);
    const words = new BigUint64Array(new Uint32Array(await read(target)).buffer);
    expect(words[0]).toBe(0n);
    expect(words[1] <= words[2] && words[2] <= words[3] && words[3] > 0n).toBe(true);
  });

  it('bind parts of buffers, at offsets that may move', async () => {
    const { device, read } = await setUp();
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const target = device.createBuffer({ size: 1024, usage: STORAGE | COPY_SRC | COPY_DST });
    const layout = device.createBindGroupLayout({
      entries: [{ binding: 0, visibility: 4, buffer: { type: 'storage', hasDynamicOffset: true } }],
    });
    const code = `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1) fn main() { out[arrayLength(&out) + 5] = 3; out[0] += arrayLength(&out); }`;
    const pipeline = await device.createComputePipelineAsync({
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module: device.createShaderModule({ code }) },
    });
    const entries = [{ binding: 0, resource: { buffer: target, offset: 256, size: 64 } }];
    const group = device.createBindGroup({ layout, entries });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    for (const offset of [0, 512]) {
      pass.setBindGroup(0, group, [offset]);
      pass.dispatchWorkgroups(1);
    }
    pass.end();
    device.queue.submit([encoder.finish()]);
    const words = await read(target);
    const marks = words.flatMap((word, i) => (word === 0 ? [] : [[i, word]]));
    expect(marks).toEqual([
      [64, 16],
      [79, 3],
      [192, 16],
      [207, 3],
    ]);
  });
});

describe('a browser that cannot run kernels', () => {
  const reason = () =>
    cpuGpu()
      .requestAdapter()
      .then(null, (error: Failure) => error.message);
  afterEach(() => vi.unstubAllGlobals());

  it('without WebAssembly has no adapter, and says so', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(await reason()).toBe('The CPU engine needs WebAssembly with SIMD. Here there is no WebAssembly.');
  });

  it('with WebAssembly alone has none either', async () => {
    const { validate } = WebAssembly;
    const SIMD_PREFIX = 0xfd;
    vi.stubGlobal('WebAssembly', {
      validate: (code: Uint8Array<ArrayBuffer>) => !code.includes(SIMD_PREFIX) && validate(code),
    });
    expect(await reason()).toBe(
      'The CPU engine needs WebAssembly with SIMD. Here there is WebAssembly without SIMD.',
    );
  });
});

it('shaders that do not compile say at which line', async () => {
  const device = await openCpuDevice();
  const code = 'const A = 1;\n\n@compute @workgroup_size(1) fn main() {\n  let x = B;\n}';
  await expect(runShader(device, { code, buffers: [] })).rejects.toThrow('4: unknown name "B"');
});

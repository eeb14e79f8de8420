import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cpuGpu } from '../../cpu/device/gpu.ts';
import type { Device } from '../../gpu/device.ts';
import { DeviceSupply } from '../../gpu/supply.ts';
import { adapterOf } from './event.ts';
import { Engines } from './engines.ts';

const cpu = cpuGpu();

/** A GPU whose adapter calls itself so; the processor computes. */
const gpuOf = (vendor: string, architecture: string) =>
  ({
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await cpu.requestAdapter(options);
      const info = { vendor, architecture, device: '', description: '', isFallbackAdapter: false };
      return { ...adapter, info };
    },
  }) as unknown as GPU;

const REAL = gpuOf('nvidia', 'hopper');
const SOFTWARE = gpuOf('google', 'swiftshader');
const NO_ADAPTER = { requestAdapter: () => Promise.resolve(null) } as unknown as GPU;

const enginesOn = (gpu: GPU | undefined) => {
  const load = vi.fn<() => Promise<GPU>>(() => Promise.resolve(cpu));
  return { engines: new Engines(() => gpu, load), load };
};

test('without a choice a GPU computes, and the CPU engine is not fetched', async () => {
  const { engines, load } = enginesOn(REAL);
  const device = await engines.open();
  expect(adapterOf(device, engines.insteadOfGpu)).toMatchObject({ cpu: false, description: 'NVIDIA hopper' });
  expect(engines.insteadOfGpu).toBeUndefined();
  expect(load).not.toHaveBeenCalled();
});

test.each([
  ['no WebGPU', undefined, 'This browser does not support WebGPU.'],
  ['no adapter', NO_ADAPTER, 'WebGPU is available, but no GPU was found.'],
  ['only a software adapter', SOFTWARE, 'WebGPU runs on a software renderer: SwiftShader (software).'],
])('without a choice and with %s the CPU computes, and says why', async (_, gpu, message) => {
  const { engines } = enginesOn(gpu);
  const device = await engines.open();
  expect(adapterOf(device, engines.insteadOfGpu)).toMatchObject({ cpu: true, insteadOfGpu: { message } });
  // Once more, as after a loss.
  expect((await engines.open()).adapter.cpu).toBe(true);
});

test('what was chosen computes, a software GPU too', async () => {
  const { engines } = enginesOn(SOFTWARE);
  engines.choice = 'gpu';
  expect((await engines.open()).adapter).toMatchObject({ cpu: false, software: true });
  engines.choice = 'cpu';
  expect((await engines.open()).adapter.cpu).toBe(true);
  expect(engines.insteadOfGpu).toBeUndefined();
});

test('without a GPU and without WebAssembly, the reason names both', async () => {
  const { engines } = enginesOn(NO_ADAPTER);
  vi.stubGlobal('WebAssembly', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  await expect(engines.open()).rejects.toMatchObject({
    code: 'no-cpu-engine',
    message:
      'WebGPU is available, but no GPU was found. The CPU engine needs WebAssembly with SIMD. Here there is no WebAssembly.',
  });
  await expect(engines.open('cpu')).rejects.toMatchObject({
    message: 'The CPU engine needs WebAssembly with SIMD. Here there is no WebAssembly.',
  });
});

test('a GPU that was chosen and is not there is a failure', async () => {
  const { engines } = enginesOn(NO_ADAPTER);
  await expect(engines.open('gpu')).rejects.toMatchObject({ code: 'no-webgpu' });
});

test('a GPU that is lost is waited for: the CPU does not take its place', async () => {
  let gpu: GPU | undefined = REAL;
  const engines = new Engines(
    () => gpu,
    () => Promise.resolve(cpu),
  );
  await engines.open();
  gpu = NO_ADAPTER;
  await expect(engines.open()).rejects.toMatchObject({ code: 'no-webgpu' });
  gpu = REAL;
  expect((await engines.open()).adapter.cpu).toBe(false);
});

/** A GPU that answers so many requests with null, and the number of requests. */
function lateGpu(nulls: number) {
  let left = nulls;
  const asked = vi.fn<(options?: GPURequestAdapterOptions) => Promise<GPUAdapter | null>>((options) =>
    left-- > 0 ? Promise.resolve(null) : REAL.requestAdapter(options),
  );
  return { gpu: { requestAdapter: asked } as unknown as GPU, asked };
}

describe('a browser that answers null at first', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('and gives the GPU to the next request: it computes, and the CPU engine is not fetched', async () => {
    const { gpu, asked } = lateGpu(1);
    const { engines, load } = enginesOn(gpu);
    expect((await engines.open()).adapter).toMatchObject({ cpu: false, featureLevel: 'core' });
    expect(load).not.toHaveBeenCalled();
    expect(asked).toHaveBeenCalledTimes(3);
  });

  test('and gives the GPU 100 ms later: the CPU computes at once, and then the GPU', async () => {
    const { gpu, asked } = lateGpu(2);
    const { engines } = enginesOn(gpu);
    const onLate = (engines.onLateGpu = vi.fn<() => void>());
    // No timer has advanced.
    expect((await engines.open()).adapter.cpu).toBe(true);
    expect(engines.insteadOfGpu).toBeDefined();
    await vi.advanceTimersByTimeAsync(99);
    expect(onLate).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onLate).toHaveBeenCalledTimes(1);
    expect(asked).toHaveBeenCalledTimes(3);
    expect((await engines.open()).adapter.cpu).toBe(false);
    expect(engines.insteadOfGpu).toBeUndefined();
  });

  test('and always: the CPU computes at once, and the GPU is asked for three times in all, at both levels', async () => {
    const { gpu, asked } = lateGpu(Infinity);
    const { engines, load } = enginesOn(gpu);
    const onLate = (engines.onLateGpu = vi.fn<() => void>());
    expect((await engines.open()).adapter.cpu).toBe(true);
    expect(load).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(60_000);
    await engines.open();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveBeenCalledTimes(6);
    expect(onLate).not.toHaveBeenCalled();
  });

  test('and the GPU was chosen: it is waited for', async () => {
    const { engines, load } = enginesOn(lateGpu(4).gpu);
    const opened = engines.open('gpu');
    await vi.advanceTimersByTimeAsync(200);
    expect((await opened).adapter.cpu).toBe(false);
    expect(load).not.toHaveBeenCalled();
  });

  test('and has an adapter that gives no device: that is no reason to ask for ever', async () => {
    const { gpu, asked } = lateGpu(Infinity);
    asked.mockImplementation(async (options) => {
      const adapter = await REAL.requestAdapter(options);
      return Object.assign(adapter!, { requestDevice: () => Promise.reject(new Error('no device')) });
    });
    const { engines } = enginesOn(gpu);
    engines.onLateGpu = () => void engines.open();
    expect((await engines.open()).adapter.cpu).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveBeenCalledTimes(3);
  });
});

test('a device that is replaced is destroyed, which is no loss to report', async () => {
  const { engines } = enginesOn(REAL);
  const events: string[] = [];
  const supply = new DeviceSupply(
    () => engines.open(),
    ({ state }) => events.push(state),
  );
  const first = await supply.get();
  const second: Device = await engines.open('cpu');
  await supply.replace(second);
  expect((await first.lost).wanted).toBe(true);
  expect(await supply.get()).toBe(second);
  expect(events).toEqual(['ready', 'ready']);
  second.destroy();
  await second.lost;
  expect((await supply.get()).adapter.cpu).toBe(false);
  expect(events).toEqual(['ready', 'ready', 'lost', 'recovering', 'ready']);
});

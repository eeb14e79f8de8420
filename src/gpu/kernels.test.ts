import { expect, test } from 'vitest';
import { cpuGpu } from '../cpu/device/gpu.ts';
import { openDevice } from './device.ts';
import { KernelCache } from './kernels.ts';

test('the kernels that were used last are kept', async () => {
  const device = await openDevice(cpuGpu());
  const cache = new KernelCache(
    device,
    () => `
const NUMBER = 0u;
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(1) fn main() { x[0] = NUMBER; }`,
  );
  const get = (number: number) => cache.get({ shader: 'numbered', constants: { NUMBER: number } });
  const first = await get(0);
  for (let i = 1; i < 1000; i++) await get(i);
  expect(await get(0)).toBe(first);
  expect(cache.made).toBe(1000);
  // The second one makes room for it.
  await get(1000);
  expect(await get(0)).toBe(first);
  expect(cache.made).toBe(1001);
  await get(1);
  expect(cache.made).toBe(1002);
  device.destroy();
});

test('the progress of compiling counts what is requested together, and starts over when all are ready', async () => {
  const device = await openDevice(cpuGpu());
  const cache = new KernelCache(
    device,
    () => `
const NUMBER = 0u;
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(1) fn main() { x[0] = NUMBER; }`,
  );
  const heard: string[] = [];
  cache.onProgress = ({ done, total }) => heard.push(`${done}/${total}`);
  const get = (number: number) => cache.get({ shader: 'numbered', constants: { NUMBER: number } });
  await Promise.all([get(0), get(1), get(1)]);
  expect(heard).toEqual(['0/1', '0/2', '1/2', '2/2']);
  await get(2);
  expect(heard.slice(4)).toEqual(['0/1', '1/1']);
  device.destroy();
});

import { expect, test, vi } from 'vitest';
import { Failure } from '../../base/result.ts';
import type { Device } from '../../gpu/device.ts';
import { openNodeDevice } from '../../node/gpu.ts';
import type { FindRequest } from '../api.ts';
import { timeOnCpu } from './on-cpu.ts';

const request = (sizes: Partial<FindRequest['sizes']>): FindRequest => ({
  sizes: {
    N: 3,
    C: 4,
    H: 8,
    W: 8,
    K: 4,
    R: 3,
    S: 3,
    stride: [1, 1],
    padding: [1, 1],
    dilation: [1, 1],
    groups: 1,
    layout: 'nchw',
    ...sizes,
  },
  direction: 'fprop',
  number: 'f32',
  workspace: 2 ** 20,
});

const never = new AbortController().signal;
const open = vi.fn<() => Promise<Device>>(() => openNodeDevice({ engine: 'cpu' }));

test('all images of a small problem, and the device is destroyed', async () => {
  const found = await timeOnCpu(open, request({}), never);
  expect(found).toMatchObject({ images: 3, tried: { outcome: 'timed' } });
  const device = await open.mock.results[0].value;
  expect(device.isLost || (await device.lost).wanted).toBe(true);
});

test('a few images of a larger one', async () => {
  const found = await timeOnCpu(open, request({ N: 100, C: 32, K: 32, H: 64, W: 64 }), never);
  expect(found).toMatchObject({ images: 5, tried: { outcome: 'timed' } });
});

test('none of one that is too large, or without the engine', async () => {
  open.mockClear();
  const large = request({ N: 1, C: 64, K: 64, H: 224, W: 224 });
  expect(await timeOnCpu(open, large, never)).toEqual({
    reason: 'one image takes 3.7 GFLOP, more than the 0.40 GFLOP that are measured on the CPU',
  });
  expect(open).not.toHaveBeenCalled();
  open.mockRejectedValueOnce(new Failure('no-cpu-engine', 'No SIMD.'));
  expect(await timeOnCpu(open, request({}), never)).toEqual({ reason: 'No SIMD.' });
});

test('stops when it is cancelled', async () => {
  await expect(timeOnCpu(open, request({}), AbortSignal.abort())).rejects.toThrow('stopped');
});

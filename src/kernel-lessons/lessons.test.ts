import { afterAll, describe, expect, test } from 'vitest';
import { cpuGpu } from '../cpu/device/gpu.ts';
import { openDevice, type Device } from '../gpu/device.ts';
import { kernelLessons, kernelText, lessonsInOrder } from './index.ts';
import { rateKernel, testKernel, testsOf } from './judge.ts';

const devices: Device[] = [];
afterAll(() => {
  for (const device of devices) device.destroy();
});

async function open(watched: boolean): Promise<Device> {
  const device = await openDevice(cpuGpu({ watched }));
  devices.push(device);
  return device;
}

/** What testing a kernel comes to: a verdict, or why there is none. */
async function outcomeOf(lesson: string, text: string) {
  const device = await open(true);
  try {
    return await testKernel(kernelLessons.get(lesson), text, device, 'cpu', kernelLessons.get(lesson).tests);
  } catch (error) {
    return (error as Error).message;
  }
}

describe.each(lessonsInOrder())('$name', (lesson) => {
  const { name } = lesson;

  test('the solution passes, and is timed beside wgrad’s own kernel', async () => {
    const text = kernelText(name, 'solution');
    const passed: number[] = [];
    const tests = testsOf(lesson, ['cpu']);
    const tested = testKernel(lesson, text, await open(true), 'cpu', tests, (count) => passed.push(count));
    await expect(tested).resolves.toEqual({ how: 'passed' });
    expect(passed).toEqual(tests.map((_, i) => i + 1));
    const device = await open(false);
    const rate = await rateKernel(lesson, text, device, 'cpu');
    expect(rate).toMatchObject({ ms: expect.any(Number), ownMs: expect.any(Number) });
  });

  test('the skeleton compiles, and its first wrong value is named', async () => {
    expect(await outcomeOf(name, kernelText(name, 'skeleton'))).toMatchObject({
      how: 'wrong',
      engine: 'cpu',
      value: { at: 0, found: 0, wrong: expect.any(Number) },
    });
  });
});

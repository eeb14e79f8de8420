import { expect, test } from 'vitest';
import { openNodeDevice } from '../node/gpu.ts';
import { kernelText, lessonsInOrder } from './index.ts';
import { testKernel, testsOf } from './judge.ts';

/** What the browser's compiler refuses, or computes otherwise, would be a lesson that cannot be passed there. */
test('every solution passes on this device', async () => {
  const device = await openNodeDevice();
  try {
    for (const lesson of lessonsInOrder()) {
      // On sizes that a software renderer computes in no time.
      const tests = testsOf(lesson, ['cpu']);
      const verdict = await testKernel(lesson, kernelText(lesson.name, 'solution'), device, 'gpu', tests);
      expect(verdict, lesson.name).toEqual({ how: 'passed' });
    }
  } finally {
    device.destroy();
  }
});

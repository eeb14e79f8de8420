/** Tests a kernel of a lesson on the CPU engine, then times it there and, if it is right, on the GPU. */
import { attempt, Failure } from '../../base/result.ts';
import type { Device } from '../../gpu/device.ts';
import { rateKernel, testKernel, testsOf } from '../../kernel-lessons/judge.ts';
import type { KernelLesson, LessonEngine } from '../../kernel-lessons/lesson.ts';
import type { KernelOutcome, KernelRate } from '../api.ts';

/** Opens devices for one kernel alone: nobody knows what its code does to them. */
export interface KernelDevices {
  /** One thread of the CPU engine. */
  openCpu(watched: boolean): Promise<Device>;
  /** @throws Failure saying why there is no GPU to time it on */
  openGpu(): Promise<Device>;
}

/** @param onPassed called after each test that passes, with how many have, of how many */
export async function tryKernel(
  lesson: KernelLesson,
  text: string,
  { openCpu, openGpu }: KernelDevices,
  onPassed: (engine: LessonEngine, passed: number, of: number) => void,
): Promise<KernelOutcome> {
  const test = (device: Device, engine: LessonEngine, before: readonly LessonEngine[]) => {
    const tests = testsOf(lesson, before);
    return testKernel(lesson, text, device, engine, tests, (passed) =>
      onPassed(engine, passed, tests.length),
    );
  };
  const rate = async (device: Device, engine: LessonEngine): Promise<KernelRate[]> => {
    const found = await rateKernel(lesson, text, device, engine);
    return found ? [{ engine, ...found }] : [];
  };
  const onCpu = async (engines: readonly LessonEngine[]): Promise<KernelOutcome> => {
    const verdict = await within(await openCpu(true), (device) =>
      test(device, 'cpu', engines).catch(aboutTheCode),
    );
    if (verdict.how === 'wrong') return verdict;
    return { how: 'passed', rates: await within(await openCpu(false), (device) => rate(device, 'cpu')) };
  };
  if (!lesson.rates.gpu) return onCpu(['cpu']);
  const gpu = await attempt(openGpu);
  if (!gpu.ok) {
    const outcome = await onCpu(['cpu']);
    return outcome.how === 'passed' ? { ...outcome, noGpu: gpu.error } : outcome;
  }
  return within(gpu.value, async (device) => {
    const outcome = await onCpu(['cpu', 'gpu']);
    if (outcome.how === 'wrong') return outcome;
    const verdict = await test(device, 'gpu', ['gpu']);
    if (verdict.how === 'wrong') return verdict;
    return { how: 'passed', rates: [...outcome.rates, ...(await rate(device, 'gpu'))] };
  });
}

async function within<T>(device: Device, work: (device: Device) => Promise<T>): Promise<T> {
  try {
    return await work(device);
  } finally {
    device.destroy();
  }
}

/** A watched device is lost by what is wrong in a kernel: the message says what, and where. */
function aboutTheCode(error: unknown): never {
  const found =
    error instanceof Failure && error.code === 'device-lost' && /a (race|loop) .*/s.exec(error.message);
  throw found ? new Failure('shader', found[0]) : error;
}

import { expect, test } from 'vitest';
import { Failure } from '../base/result.ts';
import type { GpuTask } from '../run/gpu-tasks.ts';
import { ExclusiveGpu } from './exclusive-gpu.ts';

/** @param trains whether a run trains */
function setup(trains: boolean) {
  const log: string[] = [];
  const holders: (GpuTask | undefined)[] = [];
  const gpu = new ExclusiveGpu(
    {
      async pause() {
        log.push('pause');
        return trains;
      },
      async resume() {
        log.push('resume');
      },
    },
    (task) => holders.push(task),
  );
  return { gpu, log, holders };
}

test('a run is paused for a task and then resumes, also after a failure', async () => {
  const { gpu, log } = setup(true);
  await expect(gpu.run('lab', async () => log.push('work'))).resolves.toBe(2);
  expect(log).toEqual(['pause', 'work', 'resume']);
  await expect(gpu.run('lab', () => Promise.reject(new Failure('unsupported', 'no')))).rejects.toThrow('no');
  expect(log).toEqual(['pause', 'work', 'resume', 'pause', 'resume']);
  gpu.requireIdle();
});

test('a run that was paused before stays paused', async () => {
  const { gpu, log } = setup(false);
  await gpu.run('lab', async () => undefined);
  expect(log).toEqual(['pause']);
});

test('one task at a time, and it can be stopped', async () => {
  const { gpu, holders } = setup(true);
  let end = () => {};
  const waiting = new Promise<void>((done) => (end = done));
  const first = gpu.run('doctor', async (signal) => {
    await waiting;
    return signal.aborted;
  });
  expect(() => gpu.requireIdle()).toThrow('The Doctor is examining');
  expect(() => gpu.hold('lab')).toThrow('The Doctor is examining');
  await expect(gpu.run('profile', async () => undefined)).rejects.toMatchObject({ code: 'busy' });
  gpu.cancel();
  end();
  await expect(first).resolves.toBe(true);
  expect(holders).toEqual(['doctor', undefined]);
  gpu.requireIdle();
});

test('a task that only acquires the GPU must pause the run itself', () => {
  const { gpu, log } = setup(true);
  const { signal, release } = gpu.hold('lab');
  gpu.cancel();
  expect(signal.aborted).toBe(true);
  release();
  gpu.requireIdle();
  expect(log).toEqual([]);
});

test('a task that releases the GPU once more leaves the next one its hold', () => {
  const { gpu, holders } = setup(false);
  const { release } = gpu.hold('lab');
  release();
  gpu.hold('profile');
  release();
  expect(() => gpu.requireIdle()).toThrow('A step is being profiled');
  expect(holders).toEqual(['lab', undefined, 'profile']);
});

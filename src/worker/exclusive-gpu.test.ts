import { expect, test } from 'vitest';
import { Failure } from '../base/result.ts';
import type { GpuTask } from '../run/gpu-tasks.ts';
import { ExclusiveGpu } from './exclusive-gpu.ts';

function setup() {
  const log: string[] = [];
  const holders: (GpuTask | undefined)[] = [];
  const whilePaused = async <T>(work: () => Promise<T>) => {
    log.push('pause');
    return work().finally(() => log.push('resume'));
  };
  const gpu = new ExclusiveGpu({ whilePaused }, (task) => holders.push(task));
  return { gpu, log, holders };
}

test('a task works while training is paused, and the GPU is free afterwards, also after a failure', async () => {
  const { gpu, log, holders } = setup();
  await expect(gpu.run('lab', async () => log.push('work'))).resolves.toBe(2);
  expect(log).toEqual(['pause', 'work', 'resume']);
  await expect(gpu.run('lab', () => Promise.reject(new Failure('unsupported', 'no')))).rejects.toThrow('no');
  expect(log).toEqual(['pause', 'work', 'resume', 'pause', 'resume']);
  expect(holders).toEqual(['lab', undefined, 'lab', undefined]);
  gpu.requireIdle();
});

test('one task at a time, and it can be stopped', async () => {
  const { gpu, holders } = setup();
  let end = () => {};
  const waiting = new Promise<void>((done) => (end = done));
  const first = gpu.run('doctor', async (signal) => {
    await waiting;
    return signal.aborted;
  });
  expect(() => gpu.requireIdle()).toThrow('The Doctor is examining');
  await expect(gpu.run('profile', async () => undefined)).rejects.toMatchObject({ code: 'busy' });
  gpu.cancel();
  end();
  await expect(first).resolves.toBe(true);
  expect(holders).toEqual(['doctor', undefined]);
  gpu.requireIdle();
});

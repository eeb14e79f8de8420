import { describe, expect, it } from 'vitest';
import { PromptQueue } from './prompt.ts';

/** A queue that looks for finished work at submissions only, as Firefox does within its 100 ms. */
function queue(submissions: number) {
  let submitted = 0;
  let finish!: (value: string) => void;
  const finished = new Promise<string>((resolve) => (finish = resolve));
  return {
    finished,
    get submitted() {
      return submitted;
    },
    submit(): undefined {
      if (++submitted === submissions) finish('done');
    },
  };
}

describe('a queue that looks seldom', () => {
  it('is made to look until the work is done, by several who wait too, and no longer', async () => {
    const gpu = queue(3);
    const prompt = new PromptQueue(gpu, true);
    expect(await Promise.all([prompt.soon(gpu.finished), prompt.soon(gpu.finished)])).toEqual([
      'done',
      'done',
    ]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(gpu.submitted).toBe(3);
    const later = queue(1);
    const again = new PromptQueue(later, true);
    await again.soon(Promise.resolve());
    expect(await again.soon(later.finished)).toBe('done');
  });

  it('ends when the wait fails', async () => {
    const gpu = queue(Infinity);
    const prompt = new PromptQueue(gpu, true);
    await expect(prompt.soon(Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(gpu.submitted).toBe(0);
  });
});

it('other queues are left alone', async () => {
  const gpu = queue(1);
  expect(await new PromptQueue(gpu).soon(Promise.resolve(7))).toBe(7);
  expect(gpu.submitted).toBe(0);
});

import { expect, test } from 'vitest';
import { cpuCaption, cpuLane } from './cpu-lane.ts';
import { request, timed, wrong } from './testing.ts';

const asked = { ...request, sizes: { ...request.sizes, N: 6 }, cpu: true };
const engine = 'CPU (WebAssembly, 2 threads)';

test('without a request there is no row; until the result arrives, an empty one', () => {
  expect(cpuLane({ request, cpu: undefined })).toBeUndefined();
  expect(cpuLane({ request: asked, cpu: undefined })).toMatchObject({ algorithm: 'cpu', launches: [] });
});

test('the time of fewer images is scaled to all, and the caption says so', () => {
  const cpu = { engine, images: 2, tried: timed('direct', 5, 'rows') };
  const { best } = cpuLane({ request: asked, cpu }) ?? {};
  expect([best?.median, best?.p10, best?.p90]).toEqual([15, 14.25, 15.75]);
  expect(cpuCaption(cpu, 6)).toBe(
    'cpu: CPU (WebAssembly, 2 threads), direct, “rows”. Measured with 2 of 6 images, and scaled.',
  );
  expect(cpuCaption({ ...cpu, images: 6 }, 6)).toBe('cpu: CPU (WebAssembly, 2 threads), direct, “rows”.');
});

test('a wrong result has no time, and a reason has no row', () => {
  const cpu = { engine, images: 6, tried: wrong('direct') };
  expect(cpuLane({ request: asked, cpu })).toMatchObject({
    best: undefined,
    launches: [{ outcome: 'wrong' }],
  });
  const reason = { reason: 'one image takes 9 GFLOP' };
  expect(cpuLane({ request: asked, cpu: reason })).toBeUndefined();
  expect(cpuCaption(reason, 6)).toBe('The CPU is not timed: one image takes 9 GFLOP.');
});

import { expect, test } from 'vitest';
import { randomWords, unit } from '../base/random-words.ts';
import { runPlan, testDevice } from './testing/gpu.ts';

const KERNEL = `// @import common/random
@group(0) @binding(0) var<storage, read> uses: array<vec3u>;
@group(0) @binding(1) var<storage, read_write> words: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> units: array<vec4f>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  let v = random_words(uses[id.x].x, uses[id.x].y, uses[id.x].z);
  words[id.x] = v;
  units[id.x] = vec4f(unit(v.x), unit(v.y), unit(v.z), unit(v.w));
}`;

test('kernels and TypeScript generate the same random numbers, bit for bit', async () => {
  const edges = [0, 1, 2, 3, 1000, 65535, 65536, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x9e3779b9];
  const uses = edges.flatMap((seed) =>
    edges.flatMap((stream) => edges.slice(0, 12).map((place) => [seed, stream, place])),
  );
  const count = uses.length;
  expect(count % 64).toBe(0);
  const { kernels } = await testDevice();
  kernels.replaceSource('random-test', KERNEL);
  const { words, units } = await runPlan({
    // A vec3u occupies four words.
    inputs: { uses: { shape: [4 * count], data: Uint32Array.from(uses.flatMap((use) => [...use, 0])) } },
    outputs: { words: [4 * count], units: [4 * count] },
    build: (plan, tensors) =>
      plan.dispatch({
        label: 'random',
        kernel: { shader: 'random-test' },
        tensors,
        workgroups: [count / 64, 1, 1],
      }),
  });
  kernels.replaceSource('random-test', undefined);
  const expected = uses.flatMap(([seed, stream, place]) => [...randomWords(seed, stream, place)]);
  expect(new Uint32Array(words.buffer)).toEqual(Uint32Array.from(expected));
  expect(units).toEqual(Float32Array.from(expected.map(unit)));
});

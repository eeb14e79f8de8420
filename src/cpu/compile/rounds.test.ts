import { describe, expect, it } from 'vitest';
import { openCpuDevice, runShader } from '../testing/run-shader.ts';

const kernel = (body: string) => `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> tile: array<u32, 4>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lid: u32) {
  ${body}
  out[lid] = 1;
}`;

/** How a watched device was lost. */
async function endOf(body: string): Promise<string> {
  const device = await openCpuDevice({ watched: true });
  const ran = runShader(device, { code: kernel(body), buffers: [[0, 0, 0, 0]] });
  const ended = ran.then(() => 'it ended', String);
  return Promise.race([device.lost.then(({ message }) => message), ended]);
}

describe('a loop that does not end', () => {
  it.each([
    ['while', 'while (out[0] == 0) {}'],
    ['loop, in one invocation', 'loop { if (lid != 3) { break; } }'],
    ['for, whose counter wraps', 'for (var i = 3u; i >= 0; i--) { out[i] = i; }'],
    ['with a barrier', 'for (var i = 0u; i < 8; i = i) { tile[lid] = i; workgroupBarrier(); }'],
    ['inside of one that ends', 'for (var i = 0u; i < 100; i++) { while (out[0] < 9) { out[1] += 1; } }'],
  ])('%s', async (_, body) => {
    expect(await endOf(body)).toBe(`a loop that does not end, line 4: ${body}`);
  });
});

it('a loop that ends does the same as when nobody watches', async () => {
  const code = kernel('for (var i = 0u; i < 1000 * (lid + 1); i++) { out[lid] += i; }');
  const run = async (watched: boolean) =>
    runShader(await openCpuDevice({ watched }), { code, buffers: [[0, 0, 0, 0]] });
  expect(await run(true)).toEqual(await run(false));
});

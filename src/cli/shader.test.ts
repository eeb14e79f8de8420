import { expect, test } from 'vitest';
import { linesOf, wgrad } from './testing/program.ts';

test('every kernel is listed, and printed with all that it imports', async () => {
  const { status, out } = await wgrad('shader');
  expect(status).toBe(0);
  const kernels = linesOf<{ name: string; files: string[]; constants: Record<string, string> }>(out);
  expect(kernels.length).toBeGreaterThan(80);
  for (const { name } of kernels) {
    const printed = await wgrad('shader', name);
    expect(printed, name).toMatchObject({ status: 0, err: '' });
    expect(printed.out, name).toMatch(/^@compute /m);
    expect(printed.out, name).not.toContain('// @import');
  }
  const product = kernels.find(({ name }) => name === 'gemm/products');
  expect(product?.files).toContain('gemm/tile_staged');
  expect(product?.constants).toMatchObject({ TM: '4u', STAGED: 'true', BM: 'WY * TM', Sum: 'vec4f' });
});

test('constants choose what is printed', async () => {
  const direct = await wgrad('shader', 'gemm/products', '--const', 'STAGED=false', 'TM=8', 'Four=vec4h');
  expect(direct.out).toContain('const TM = 8u;');
  expect(direct.out).toContain('alias Four = vec4h;');
  expect(direct.out).not.toContain('workgroupBarrier');
  const words = ['STAGED=true', 'MATRICES=true', 'SUB_M=16'];
  const matrices = await wgrad('shader', 'gemm/products', '--const', ...words);
  expect(matrices.out).toContain('const SUB_M = 16u;');
});

test.each([
  [['conv/direct/fpro'], /no kernel named "conv\/direct\/fpro"\. Did you mean conv\/direct\/fprop\?/],
  [['activation/forward'], /Did you mean .*activation\/forward:gelu/],
  [['nonsense'], /no kernel named "nonsense"\. Without NAME, all are listed\./],
  [['relu/forward', '--const', 'K'], /--const: expected NAME=VALUE, found "K"/],
  [['gemm/products', '--const', 'NONE=1'], /gemm\/products has no constant NONE, only .*TM/],
  [['gemm/products', '--const', 'TM=many'], /--const TM: expected a number, found "many"/],
  [['gemm/products', '--const', 'STAGED=1'], /--const STAGED: expected true or false, found "1"/],
  [['gemm/products', '--const', 'SUB_M=16'], /gemm\/products declares no constant SUB_M/],
  [['--const', 'TM=1'], /--const needs the NAME of a kernel/],
])('a wrong line %j is answered by a message', async (words, message) => {
  const { status, out, err } = await wgrad('shader', ...words);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(message);
});

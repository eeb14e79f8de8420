import { describe, expect, it } from 'vitest';
import { check } from '../check/check.ts';
import { foldedShaderOf, OPERATORS, pairsOf, shaderOf, wordOf, type Operator } from '../testing/operators.ts';
import { openCpuDevice, runShader } from '../testing/run-shader.ts';
import { parse } from '../wgsl/parse.ts';
import { SourceError } from '../wgsl/source-error.ts';

/** Lines that say what is wrong, for a table that is far too long to compare as a whole. */
function mistakes(
  operators: readonly Operator[],
  pairs: readonly [number, number][],
  found: Uint32Array,
): string[] {
  return pairs.flatMap(([a, b], k) =>
    operators.flatMap(({ of, to = of, text, expected }, i) => {
      const [word, wanted] = [found[k * operators.length + i], wordOf(to, expected(a, b))];
      const isNan = to === 'f32' && Number.isNaN(expected(a, b)) && (word & 0x7fffffff) > 0x7f800000;
      return word === wanted || isNan ? [] : [`${text}, a = ${a}, b = ${b}: ${word}, expected ${wanted}`];
    }),
  );
}

describe.each(['u32', 'i32', 'f32'] as const)('operators of %s', (of) => {
  const operators = OPERATORS.filter((one) => one.of === of);
  const pairs = pairsOf(of);
  const words = pairs.flatMap((pair) => pair.map((number) => wordOf(of, number)));
  const zeros = new Uint32Array(pairs.length * operators.length);

  it('compute what WGSL says', async () => {
    const device = await openCpuDevice();
    const run = { code: shaderOf(operators), buffers: [zeros, words], workgroups: [pairs.length] as const };
    const [found] = await runShader(device, run);
    expect(mistakes(operators, pairs, found)).toEqual([]);
  });

  it('compute the same where the compiler folds constants', async () => {
    const device = await openCpuDevice();
    const some = pairs.filter((_, i) => i % 3 === 0);
    const [found] = await runShader(device, { code: foldedShaderOf(operators, some), buffers: [zeros] });
    expect(mistakes(operators, some, found)).toEqual([]);
  });

  it('compute the same among constants, where WGSL computes them', async () => {
    const device = await openCpuDevice();
    const wrong: string[] = [];
    for (const operator of operators) {
      const computed = pairs.filter((pair) => !isRefused(operator, pair));
      const code = foldedShaderOf([operator], computed, 'const');
      const [found] = await runShader(device, { code, buffers: [new Uint32Array(computed.length)] });
      wrong.push(...mistakes([operator], computed, found));
    }
    expect(wrong).toEqual([]);
  });
});

/** Whether WGSL refuses to compute an operator of constants: it has no value there, or none that fits. */
function isRefused(operator: Operator, pair: readonly [number, number]): boolean {
  try {
    check(parse(foldedShaderOf([operator], [pair], 'const')));
    return false;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  const value = operator.expected(...pair);
  const mayBe = Number.isFinite(Math.fround(Number(value))) ? /[/%]|<<|>>|fma/ : /./;
  expect(operator.text, `a = ${pair[0]}, b = ${pair[1]}`).toMatch(mayBe);
  return true;
}

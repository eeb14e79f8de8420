import { describe, expect, test } from 'vitest';
import { Random } from '../../../base/random.ts';
import { elements, type Shape } from '../../../base/shape.ts';
import { normals } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { testNode } from '../../testing/node.ts';
import { ops } from '../registry.ts';
import { reluBackward } from '../relu/reference.ts';
import { ACTIVATIONS, activationReference, elementwiseBackward, elementwiseForward } from './activations.ts';

/** Where exponentials and squares overflow or vanish, and values that are not finite. */
// oxfmt-ignore
const EXTREMES = [NaN, Infinity, -Infinity, 0, ...[1.2e-38, 1e-30, 1e-10, 9, 11.9, 12.1, 14.9, 15.1, 19.9, 20.1, 43, 45, 50, 86,
  88, 89, 103, 105, 128, 1000, 1e10, 1.8e19, 1.9e19, 3e38].flatMap((value) => [value, -value])];

/** From tiny values to those at which every function here has levelled off, both signs. */
const SWEEP = Array.from({ length: 8000 }, (_, i) => 20 * (i / 8000) ** 4 + 1e-6).flatMap((v) => [v, -v]);

/** Below the smallest normal float32, GPUs may return 0. */
const SMALLEST = 1.2e-38;

/** The error that a kernel may have, for each value separately. */
interface Tolerance {
  /** Relative to the expected value. */
  relative: number;
  /** Allowed however small the value is. Default: the smallest normal float32. */
  absolute?: number;
  /**
   * Near its limit, the function behaves like the exponential of this many times |x|, for which WGSL allows 2 units in
   * the last place for each 1 of its argument: https://www.w3.org/TR/WGSL/#concrete-float-accuracy
   */
  exponent?: number;
}

const UNIT_IN_LAST_PLACE = 2 ** -23;

interface ActivationCase {
  name: string;
  attributes?: object;
  tolerance: Tolerance;
}

const CASES: readonly ActivationCase[] = [
  { name: 'leaky_relu', tolerance: { relative: 2e-7 } },
  { name: 'leaky_relu', attributes: { negativeSlope: 0.3 }, tolerance: { relative: 2e-7 } },
  { name: 'leaky_relu', attributes: { negativeSlope: -2 }, tolerance: { relative: 2e-7 } },
  { name: 'elu', tolerance: { relative: 5e-7, exponent: 1 } },
  { name: 'elu', attributes: { alpha: 2.5 }, tolerance: { relative: 5e-7, exponent: 1 } },
  { name: 'gelu', tolerance: { relative: 5e-7, absolute: 1e-7 } },
  { name: 'gelu', attributes: { approximate: 'tanh' }, tolerance: { relative: 5e-7, absolute: 1e-7 } },
  { name: 'silu', tolerance: { relative: 5e-7, exponent: 1, absolute: 1e-7 } },
  { name: 'sigmoid', tolerance: { relative: 5e-7, exponent: 1 } },
  { name: 'tanh', tolerance: { relative: 5e-7, exponent: 2 } },
  { name: 'softplus', tolerance: { relative: 5e-7, exponent: 1 } },
  { name: 'softplus', attributes: { beta: 3, threshold: 5 }, tolerance: { relative: 5e-7, exponent: 3 } },
  { name: 'scale', attributes: { factor: 1 / 9 }, tolerance: { relative: 2e-7 } },
  { name: 'scale', attributes: { factor: -300 }, tolerance: { relative: 2e-7 } },
];

test('every activation is compared with its reference', () => {
  expect(new Set(CASES.map(({ name }) => name))).toEqual(new Set(ACTIVATIONS.map(({ name }) => name)));
});

describe.each(CASES)('$name $attributes', ({ name, attributes = {}, tolerance }) => {
  const op = ops.get(name);
  const reference = activationReference(name, attributes);

  const expectAgreement = async (x: Float32Array<ArrayBuffer>, shape: Shape, maskInput: boolean) => {
    const random = new Random(2, 'gradients');
    // Between 1/2 and 3/2, so that an error of the slope stays about the same.
    const dy = new Float32Array(elements(shape)).map(() => 0.5 + random.uniform());
    const output = op.outputShape(attributes, shape);
    expect(output).toEqual(shape);
    const { y, dx } = await runPlan({
      inputs: { x: { shape, data: x }, dy: { shape: output, data: dy } },
      outputs: { y: output, dx: shape },
      build(plan, t) {
        const given = { input: t.x, output: t.y, outputGradient: t.dy, inputGradient: t.dx, maskInput };
        const node = testNode(attributes, given);
        op.forward(plan, node);
        op.backward(plan, node);
      },
    });
    const gradient = elementwiseBackward(reference, x, dy);
    expectEach('y', y, elementwiseForward(reference, x), x, tolerance);
    expectEach('dx', dx, maskInput ? reluBackward(x, gradient) : gradient, x, tolerance);
  };

  test.each<[Shape, boolean]>([
    [[1], false],
    [[63], true],
    [[64, 1], false],
    [[5, 13], true],
    [[2, 3, 7, 11], false],
    [[65, 1, 9, 9], true],
  ])('shape %j, mask %s', async (shape, mask) => {
    await expectAgreement(
      normals(1, shape).data.map((value) => 4 * value),
      shape,
      mask,
    );
  });

  test('from tiny to large values', async () => {
    await expectAgreement(Float32Array.from(SWEEP), [SWEEP.length], false);
  });

  test('extreme values, infinities and NaN', async () => {
    await expectAgreement(Float32Array.from(EXTREMES), [EXTREMES.length], false);
  });
});

/** Compares value by value. Values that are not finite must be the same. */
function expectEach(
  label: string,
  actual: Float32Array,
  expected: Float64Array,
  x: Float32Array,
  { relative, absolute = SMALLEST, exponent = 0 }: Tolerance,
): void {
  for (let i = 0; i < expected.length; i++) {
    if (Object.is(actual[i], Math.fround(expected[i]))) continue;
    const argument = exponent * Math.min(Math.abs(x[i]), 1000);
    const exponential = Math.min(Math.abs(expected[i]), 4 * Math.exp(-argument));
    const allowed =
      relative * Math.abs(expected[i]) + 2 * UNIT_IN_LAST_PLACE * argument * exponential + absolute;
    // Written so that NaN fails.
    if (Number.isFinite(expected[i]) && Math.abs(actual[i] - expected[i]) <= allowed) continue;
    throw new Error(
      `${label}: at x = ${x[i]} expected ${expected[i]}, found ${actual[i]}, allowed ${allowed} off`,
    );
  }
}

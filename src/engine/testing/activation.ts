/** What every activation has to pass: its reference, and its kernels on awkward sizes and values. */
import { expect, test } from 'vitest';
import { Random } from '../../base/random.ts';
import { elements, type Shape } from '../../base/shape.ts';
import type { Op } from '../op.ts';
import { elementwiseBackward, elementwiseForward, type Elementwise } from '../ops/activation/reference.ts';
import { reluBackward } from '../ops/relu/reference.ts';
import { normals } from './fixtures.ts';
import { gradcheck } from './gradcheck.ts';
import { runPlan } from './gpu.ts';
import { testNode } from './node.ts';

/** Tests a reference's slope by differences. */
export function testActivationReference(label: string, reference: Elementwise): void {
  test(`${label}: the slope agrees with central differences`, () => {
    const x = normals(1, [30]).data.map((value) => 3 * value);
    gradcheck(
      label,
      x,
      (v) => elementwiseForward(reference, v),
      (dy) => elementwiseBackward(reference, x, dy),
    );
  });
}

/** Where exponentials and squares overflow or vanish, and what is not finite. */
// prettier-ignore
const EXTREMES = [NaN, Infinity, -Infinity, 0, ...[1.2e-38, 1e-30, 1e-10, 9, 11.9, 12.1, 14.9, 15.1, 19.9, 20.1, 43, 45, 50, 86,
  88, 89, 103, 105, 128, 1000, 1e10, 1.8e19, 1.9e19, 3e38].flatMap((value) => [value, -value])];

/** From tiny numbers to those for which every function here has levelled off, both signs. */
const SWEEP = Array.from({ length: 8000 }, (_, i) => 20 * (i / 8000) ** 4 + 1e-6).flatMap((v) => [v, -v]);

/** Below the smallest normal float32, GPUs may answer 0. */
const SMALLEST = 1.2e-38;

/** How far off a kernel may be. Every number is judged by itself. */
export interface ActivationTolerance {
  /** Times the number's size. */
  relative: number;
  /** What is allowed however small the number is. Default: what vanishes in float32. */
  absolute?: number;
  /**
   * Where the function is near its limit, it goes by the exponential of so many times |x|, of which WGSL allows 2 units
   * in the last place for each 1 of its argument: https://www.w3.org/TR/WGSL/#concrete-float-accuracy
   */
  exponent?: number;
}

const UNIT_IN_LAST_PLACE = 2 ** -23;

/** Tests an activation's kernels. */
export function testActivation<A>(
  label: string,
  op: Op<A>,
  attributes: A,
  reference: Elementwise,
  tolerance: ActivationTolerance,
): void {
  const expectAgreement = async (x: Float32Array<ArrayBuffer>, shape: Shape, maskInput: boolean) => {
    const random = new Random(2, 'gradients');
    // Between 1/2 and 3/2, so that an error of the slope stays the error that it is.
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
    expectEach(`${label} y`, y, elementwiseForward(reference, x), x, tolerance);
    expectEach(`${label} dx`, dx, maskInput ? reluBackward(x, gradient) : gradient, x, tolerance);
  };

  test.each<[Shape, boolean]>([
    [[1], false],
    [[63], true],
    [[64, 1], false],
    [[5, 13], true],
    [[2, 3, 7, 11], false],
    [[65, 1, 9, 9], true],
  ])(`${label}: shape %j, mask %s`, async (shape, mask) => {
    await expectAgreement(
      normals(1, shape).data.map((value) => 4 * value),
      shape,
      mask,
    );
  });

  test(`${label}: from tiny to large numbers`, async () => {
    await expectAgreement(Float32Array.from(SWEEP), [SWEEP.length], false);
  });

  test(`${label}: extreme numbers, and those that are none`, async () => {
    await expectAgreement(Float32Array.from(EXTREMES), [EXTREMES.length], false);
  });
}

/** Judges every number by itself. What is not finite has to be the same. */
function expectEach(
  label: string,
  actual: Float32Array,
  expected: Float64Array,
  x: Float32Array,
  { relative, absolute = SMALLEST, exponent = 0 }: ActivationTolerance,
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

import { describe, expect, test } from 'vitest';
import { Random } from '../../../base/random.ts';
import { elements, type Shape } from '../../../base/shape.ts';
import { normals } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { testNode } from '../../testing/node.ts';
import { ops } from '../registry.ts';
import { reluBackward } from '../relu/reference.ts';
import type { Tolerance } from '../../../ops/activation.ts';
import { completeAttributes } from '../../../ops/attributes.ts';
import { ACTIVATIONS } from './activations.ts';
import { activationReference, elementwiseBackward, elementwiseForward } from './reference.ts';

/** Where exponentials and squares overflow or vanish, and values that are not finite. */
// oxfmt-ignore
const EXTREMES = [NaN, Infinity, -Infinity, 0, ...[1.2e-38, 1e-30, 1e-10, 9, 11.9, 12.1, 14.9, 15.1, 19.9, 20.1, 43, 45, 50, 86,
  88, 89, 103, 105, 128, 1000, 1e10, 1.8e19, 1.9e19, 3e38].flatMap((value) => [value, -value])];

/** From tiny values to those at which every function here has levelled off, both signs. */
const SWEEP = Array.from({ length: 8000 }, (_, i) => 20 * (i / 8000) ** 4 + 1e-6).flatMap((v) => [v, -v]);

/** Below the smallest normal float32, GPUs may return 0. */
const SMALLEST = 1.2e-38;

const UNIT_IN_LAST_PLACE = 2 ** -23;

/** Attributes besides the defaults that have kernels or limits of their own. */
const MORE: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  leaky_relu: [{ negativeSlope: 0.3 }, { negativeSlope: -2 }],
  elu: [{ alpha: 2.5 }],
  gelu: [{ approximate: 'tanh' }],
  softplus: [{ beta: 3, threshold: 5 }],
  scale: [{ factor: 1 / 9 }, { factor: -300 }],
};

const tolerances = import.meta.glob<Tolerance>('../../../ops/activation/*.ts', {
  eager: true,
  import: 'tolerance',
});

const CASES = ACTIVATIONS.flatMap((activation) =>
  [{}, ...(MORE[activation.name] ?? [])].map((given) => {
    const { name } = activation;
    const attributes = completeAttributes(activation, given);
    const tolerance = tolerances[`../../../ops/activation/${name}.ts`];
    const exponent = tolerance.exponent?.(attributes);
    return { name, attributes, tolerance: { ...tolerance, exponent } };
  }),
);

describe.each(CASES)('$name $attributes', ({ name, attributes, tolerance }) => {
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
  { relative, absolute = SMALLEST, exponent = 0 }: (typeof CASES)[number]['tolerance'],
): void {
  for (let i = 0; i < expected.length; i++) {
    if (Object.is(actual[i], Math.fround(expected[i]))) continue;
    // A slope at NaN can be a number.
    const argument = Number.isNaN(x[i]) ? 0 : exponent * Math.min(Math.abs(x[i]), 1000);
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

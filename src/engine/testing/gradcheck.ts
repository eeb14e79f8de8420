/** Checks a reference's gradient by central differences in float64, with the tolerances of PyTorch's gradcheck. */
import { Random } from '../../base/random.ts';

const EPSILON = 1e-6;
const ABSOLUTE = 1e-5;
const RELATIVE = 1e-3;
/** Larger inputs are probed at this many random places. */
const PROBES = 8;

/**
 * @param f the function
 * @param backward its gradient: maps the gradient of f(x) to the gradient of x
 * @throws at the first place where `backward` and the differences disagree
 */
export function gradcheck(
  label: string,
  x: ArrayLike<number>,
  f: (x: Float64Array) => Float64Array,
  backward: (outputGradient: Float64Array) => Float64Array,
): void {
  const random = new Random(7, label);
  const point = Float64Array.from(x);
  const outputGradient = f(point).map(() => random.normal());
  const analytic = backward(outputGradient);
  if (analytic.length !== x.length)
    throw new Error(`${label}: ${analytic.length} gradients for ${x.length} inputs`);
  const value = (i: number, change: number) => {
    const moved = point.slice();
    moved[i] += change;
    return f(moved).reduce((sum, y, j) => sum + y * outputGradient[j], 0);
  };
  const order = random.permutation(x.length).subarray(0, x.length > 4 * PROBES ? PROBES : x.length);
  for (const i of order) {
    const numeric = (value(i, EPSILON) - value(i, -EPSILON)) / (2 * EPSILON);
    // Written so that NaN fails.
    if (!(Math.abs(analytic[i] - numeric) <= ABSOLUTE + RELATIVE * Math.abs(numeric))) {
      throw new Error(`${label}: gradient at ${i} is ${analytic[i]}, central differences say ${numeric}`);
    }
  }
}

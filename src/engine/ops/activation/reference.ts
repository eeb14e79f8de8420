/** Activations in float64. */
import { assert } from '../../../base/assert.ts';
import { foundByName } from '../../../base/registry.ts';
import type { ActivationReference, Elementwise } from '../../../ops/activation.ts';
import { completeAttributes } from '../../../ops/attributes.ts';
import type { References } from '../../reference/ops.ts';
import { ACTIVATIONS } from './activations.ts';

const functions = new Map(
  foundByName<ActivationReference>(
    // As in src/ops/abouts.ts.
    import.meta.glob('../../../ops/activation/*.ts', {
      eager: true,
      import: 'reference',
      query: '?reference',
    }),
  ),
);

/** The float64 function of an activation with these attributes. */
export function activationReference(
  name: string,
  attributes: Readonly<Record<string, unknown>>,
): Elementwise {
  const activation = ACTIVATIONS.find((one) => one.name === name);
  const reference = functions.get(name);
  assert(activation !== undefined && reference !== undefined, `no activation ${name}`);
  return reference(completeAttributes(activation, attributes));
}

export const elementwiseForward = ({ value }: Elementwise, x: ArrayLike<number>): Float64Array =>
  Float64Array.from(x, value);

/** The gradient of x. */
export const elementwiseBackward = (
  { slope }: Elementwise,
  x: ArrayLike<number>,
  dy: ArrayLike<number>,
): Float64Array => Float64Array.from(x, (value, i) => dy[i] * slope(value));

export default Object.fromEntries(
  ACTIVATIONS.map(({ name }): [string, References[string]] => [
    name,
    ({ attributes, inputs: [x] }) => {
      const f = activationReference(name, attributes);
      return { y: elementwiseForward(f, x), backward: (dy) => ({ inputs: [elementwiseBackward(f, x, dy)] }) };
    },
  ]),
);

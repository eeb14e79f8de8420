/** The activation functions, from their files in src/ops/activation. */
import { foundByName } from '../../../base/registry.ts';
import type { Activation } from '../../../ops/activation.ts';

/** An activation whose file leaves nothing out. */
export interface NamedActivation extends Required<Activation> {
  /** The op's name, and that of the shader file. */
  readonly name: string;
}

/** "NEGATIVE_SLOPE" for negativeSlope. */
const constantName = (attribute: string): string => attribute.replace(/[A-Z]/g, '_$&').toUpperCase();

/** Every activation but ReLU, which other ops apply themselves (ops/relu). */
export const ACTIVATIONS: readonly NamedActivation[] = foundByName<Activation>(
  import.meta.glob('../../../ops/activation/*.ts', { eager: true, import: 'default' }),
).map(([name, activation]) => ({
  name,
  attributes: {},
  constants: (values) =>
    Object.fromEntries(
      Object.keys(activation.attributes ?? {}).map((key) => [constantName(key), values[key] as number]),
    ),
  ...activation,
}));

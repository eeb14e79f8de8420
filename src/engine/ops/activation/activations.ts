/** The activation functions, from their files in src/ops/activation. */
import { foundByName } from '../../../base/registry.ts';
import { Failure } from '../../../base/result.ts';
import type { Activation } from '../../../ops/activation.ts';
import { MOST, type AttributeSpec } from '../../../ops/attributes.ts';

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
  defaults: {},
  constants: (attributes) =>
    Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [constantName(key), value as number]),
    ),
  ...activation,
}));

/**
 * The attributes with defaults in place of those that are absent.
 * @throws Failure('bad-input') for a value that its AttributeSpec excludes
 */
export function completeAttributes(
  { name, attributes: specs, defaults }: NamedActivation,
  given: object,
): object {
  const values: Record<string, unknown> = { ...defaults };
  for (const [key, spec] of Object.entries(specs)) {
    const value = (given as Record<string, unknown>)[key];
    if (value === undefined) continue;
    requireAttribute(`${name}: ${key}`, spec, value);
    values[key] = value;
  }
  return values;
}

/** @param label for the message: "elu: alpha" */
function requireAttribute(label: string, spec: AttributeSpec, value: unknown): void {
  const found = typeof value === 'number' ? String(value) : JSON.stringify(value);
  const refuse = (expected: string) => {
    throw new Failure('bad-input', `${label}: expected ${expected}, found ${found}`);
  };
  if (spec.kind === 'choice') {
    const names = spec.of.map((one) => JSON.stringify(one));
    if (!spec.of.includes(value as string)) refuse(names.join(' or '));
  } else {
    // Kernels' constants are written without an exponent.
    if (typeof value !== 'number' || !(Math.abs(value) <= MOST)) refuse('a number from -1e20 to 1e20');
    if (spec.kind === 'number' && spec.above && (value as number) <= spec.least)
      refuse(`a number above ${spec.least}`);
  }
}

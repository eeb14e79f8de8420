/** Describes an op's attributes, to check models that users wrote and to build forms. */

export type AttributeKind =
  | { kind: 'whole'; least: number }
  /** Two integers, vertical and horizontal. Model files may give one integer for both. */
  | { kind: 'pair'; least: number }
  /** Rows and columns around an image: base/padding.ts. Model files may give one integer for all sides. */
  | { kind: 'padding' }
  /** `above`: `least` itself is not allowed. */
  | { kind: 'number'; least: number; most: number; above?: true }
  | { kind: 'flag' }
  | { kind: 'choice'; of: readonly string[] };

/** An absent attribute takes the op's default; a required one has no default. */
export type AttributeSpec = AttributeKind & { required?: true };

/** By name, as in Layer.attributes. */
export type AttributeSpecs = Readonly<Record<string, AttributeSpec>>;

/** The bound of numbers that declare none. */
export const MOST = 1e20;

export const whole = (least = 1): AttributeSpec => ({ kind: 'whole', least });
export const pair = (least = 1): AttributeSpec => ({ kind: 'pair', least });
export const paddingSpec: AttributeSpec = { kind: 'padding' };
export const number = (least = -MOST, most = MOST): AttributeSpec => ({ kind: 'number', least, most });
export const above = (least: number): AttributeSpec => ({ kind: 'number', least, most: MOST, above: true });
export const flag: AttributeSpec = { kind: 'flag' };
export const choice = (...of: readonly string[]): AttributeSpec => ({ kind: 'choice', of });
export const required = (spec: AttributeSpec): AttributeSpec => ({ ...spec, required: true });

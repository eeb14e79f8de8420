/**
 * An op's attributes: kinds, bounds and defaults, which stand here alone, in `<op>/attributes.ts`. Their texts are in the op's
 * `About`, which the engine does not load.
 */
import { isPaddingSetting, PADDING_FORMS, type PaddingSetting } from '../base/padding.ts';
import { Failure } from '../base/result.ts';
import type { Pair } from '../base/shape.ts';

/** One without a default is required. */
export type AttributeSpec =
  | { kind: 'whole'; least: number; default?: number }
  /** Two integers, vertical and horizontal. Model files may give one integer for both. `follows`: the attribute that is the default. */
  | { kind: 'pair'; least: number; default?: Pair; follows?: string }
  /** Rows and columns around an image: base/padding.ts. Model files may give one integer for all sides. */
  | { kind: 'padding'; default: Pair }
  /** `above`: `least` itself is not allowed. */
  | { kind: 'number'; least: number; most: number; above?: true; default: number }
  | { kind: 'flag'; default: boolean }
  | { kind: 'choice'; of: readonly string[]; default: string };

/** By name, as in Layer.attributes. */
export type AttributeSpecs = Readonly<Record<string, AttributeSpec>>;

type AttributeOf<Kind extends AttributeSpec['kind']> = Extract<AttributeSpec, { kind: Kind }>;
interface ValueOfKind {
  whole: number;
  pair: Pair;
  padding: PaddingSetting;
  number: number;
  flag: boolean;
}
type ValueOf<A extends AttributeSpec> =
  A extends AttributeOf<'choice'> ? A['of'][number] : ValueOfKind[Exclude<A['kind'], 'choice'>];

/** The values of such attributes. */
export type ValuesOf<A extends AttributeSpecs> = { readonly [Name in keyof A]: ValueOf<A[Name]> };

/** The bound of numbers that declare none: kernels' constants are written without an exponent. */
export const MOST = 1e20;

export const whole = (given: { default?: number } = {}): AttributeOf<'whole'> => ({
  kind: 'whole',
  least: 1,
  ...given,
});
export const pair = (given: { default?: Pair; follows?: string } = {}): AttributeOf<'pair'> => ({
  kind: 'pair',
  least: 1,
  ...given,
});
export const padding: AttributeOf<'padding'> = { kind: 'padding', default: [0, 0] };
export const number = (
  byDefault: number,
  bounds: { least?: number; most?: number } = {},
): AttributeOf<'number'> => ({ kind: 'number', least: -MOST, most: MOST, ...bounds, default: byDefault });
export const above = (least: number, byDefault: number): AttributeOf<'number'> => ({
  ...number(byDefault, { least }),
  above: true,
});
export const flag = (byDefault: boolean): AttributeOf<'flag'> => ({ kind: 'flag', default: byDefault });
/** The first is the default. */
export const choice = <const Names extends readonly [string, ...string[]]>(...of: Names) =>
  ({ kind: 'choice', of, default: of[0] as Names[number] }) as const;

export const isRequired = (attribute: AttributeSpec): boolean =>
  !('follows' in attribute) && attribute.default === undefined;

/** The default of a layer with these values; undefined if one is required. */
export const defaultOf = (attribute: AttributeSpec, values: Readonly<Record<string, unknown>>): unknown =>
  'follows' in attribute ? values[attribute.follows ?? ''] : attribute.default;

/** What a value should be, for messages; undefined if it is. */
export function expectedOf(attribute: AttributeSpec, value: unknown): string | undefined {
  const isWhole = (one: unknown, least: number) => Number.isSafeInteger(one) && (one as number) >= least;
  switch (attribute.kind) {
    case 'whole':
      return isWhole(value, attribute.least) ? undefined : `a whole number of at least ${attribute.least}`;
    case 'pair':
      return Array.isArray(value) && value.length === 2 && value.every((one) => isWhole(one, attribute.least))
        ? undefined
        : `two whole numbers of at least ${attribute.least}`;
    case 'padding':
      return isPaddingSetting(value) ? undefined : PADDING_FORMS;
    case 'number': {
      const { least, most, above: exceeds } = attribute;
      const enough = typeof value === 'number' && (exceeds ? value > least : value >= least);
      if (enough && value <= most) return undefined;
      if (exceeds) return `a number above ${least}`;
      return most === MOST ? 'a number from -1e20 to 1e20' : `a number from ${least} to ${most}`;
    }
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'choice':
      return attribute.of.includes(value as string)
        ? undefined
        : attribute.of.map((one) => JSON.stringify(one)).join(' or ');
  }
}

/**
 * The attributes of a layer, with defaults in place of those that are absent.
 * @throws Failure('bad-input') for a required one that is absent, or a value outside its bounds
 */
export function completeAttributes(
  { name: op, attributes = {} }: { name: string; attributes?: AttributeSpecs | undefined },
  given: Readonly<Record<string, unknown>> = {},
): ValuesOf<AttributeSpecs> {
  const values = { ...given };
  for (const [name, attribute] of Object.entries(attributes)) {
    if (values[name] === undefined) values[name] = defaultOf(attribute, given);
    const value = values[name];
    const expected = expectedOf(attribute, value);
    if (expected === undefined) continue;
    const found = typeof value === 'number' ? String(value) : JSON.stringify(value);
    throw new Failure('bad-input', `${op}: expected ${name} to be ${expected}, found ${found ?? 'nothing'}`);
  }
  return values as ValuesOf<AttributeSpecs>;
}

/**
 * Winograd's transforms along one dimension as straight-line sums, without multiplications by 0 and 1. What the rows of
 * a point and of its negative share is computed once: even powers of the two are equal, odd ones opposite.
 */
import { tileSize, type Variant } from './cook_toom.ts';
import { equal, minus, ONE, over, polynomial, power, type Rational, rational, times } from './rational.ts';

/** `factor` times a value: "d[2]", an input, or the name of an earlier line. */
export interface Term {
  readonly factor: Rational;
  readonly of: string;
}

/** One transform: a function from `length` values to its results. */
export interface Transform {
  readonly name: string;
  /** What it computes, for its comment. */
  readonly does: string;
  /** The name of its inputs. */
  readonly input: string;
  readonly length: number;
  readonly lines: readonly { readonly name: string; readonly sum: readonly Term[] }[];
  readonly results: readonly (readonly Term[])[];
}

const term = (factor: Rational, of: string): Term => ({ factor, of });

/** The five transforms of a variant; a test compares them with the matrices of `cookToom`. */
export function transforms(variant: Variant): Transform[] {
  const { M, R } = variant;
  return [
    inputTransform(variant),
    evaluation(variant, 'filter_transform', 'G g: a filter, or one of its rows, at the points.', 'g', R),
    interpolation(variant, 'output_transform', 'AT v: outputs of a tile from its products.', M),
    evaluation(
      variant,
      'gradient_transform',
      'G g of F(R, M): the gradient of a tile of outputs at the points.',
      'g',
      M,
    ),
    interpolation(
      variant,
      'weight_transform',
      'AT v of F(R, M): the gradient of a filter from sums of products.',
      R,
    ),
  ];
}

/** Of points ±p, ±q, ...: p² of all, or of all others than number `j`, as roots of a polynomial in x². */
const squares = ({ points }: Variant, without?: number): Rational[] =>
  polynomial(points.filter((_, k) => k !== without).map((point) => power(point, 2)));

/** Inputs from `first` on, every other one, weighted. */
const weighted = (weights: readonly Rational[], first: number): Term[] =>
  weights.map((weight, i) => term(weight, `d[${first + 2 * i}]`));

function inputTransform(variant: Variant): Transform {
  const length = tileSize(variant);
  const all = squares(variant);
  const sign = all[0].numerator < 0n ? rational(-1) : ONE;
  const lines: { name: string; sum: Term[] }[] = [];
  // A single value with the factor 1 needs no line.
  const named = (name: string, sum: Term[]): string => {
    if (sum.length === 1) return sum[0].of;
    lines.push({ name, sum });
    return name;
  };
  const pairs = variant.points.flatMap((point, j) => {
    const weights = squares(variant, j);
    const even = named(`even_${j + 1}`, weighted(weights, 2));
    const odd = named(`odd_${j + 1}`, weighted(weights, 1));
    return [point, minus(point)].map((factor) => [term(ONE, even), term(factor, odd)]);
  });
  return {
    name: 'input_transform',
    does: 'BT d: a tile of inputs.',
    input: 'd',
    length,
    lines,
    results: [
      weighted(
        all.map((weight) => times(sign, weight)),
        0,
      ),
      ...pairs,
      weighted(all, 1),
    ],
  };
}

/** Values of a polynomial with `length` coefficients at the points, divided as in Cook-Toom. */
function evaluation(variant: Variant, name: string, does: string, input: string, length: number): Transform {
  const lines: { name: string; sum: Term[] }[] = [];
  const pairs = variant.points.flatMap((point, j) => {
    const square = power(point, 2);
    // The product of this point's distances from all others.
    const others = variant.points.filter((_, k) => k !== j).map((other) => power(other, 2));
    const distances = others.reduce(
      (product, other) =>
        times(
          product,
          rational(
            square.numerator * other.denominator - other.numerator * square.denominator,
            square.denominator * other.denominator,
          ),
        ),
      times(rational(2), square),
    );
    const powers = Array.from({ length }, (_, i) => term(over(power(point, i), distances), `${input}[${i}]`));
    lines.push({ name: `even_${j + 1}`, sum: powers.filter((_, i) => i % 2 === 0) });
    lines.push({ name: `odd_${j + 1}`, sum: powers.filter((_, i) => i % 2 === 1) });
    return [ONE, minus(ONE)].map((sign) => [term(ONE, `even_${j + 1}`), term(sign, `odd_${j + 1}`)]);
  });
  const first = squares(variant)[0];
  const size = first.numerator < 0n ? minus(first) : first;
  return {
    name,
    does,
    input,
    length,
    lines,
    results: [[term(over(ONE, size), `${input}[0]`)], ...pairs, [term(ONE, `${input}[${length - 1}]`)]],
  };
}

/** The transpose of an evaluation: `count` values from those at the points. */
function interpolation(variant: Variant, name: string, does: string, count: number): Transform {
  const length = tileSize(variant);
  const lines = variant.points.flatMap((_, j) =>
    [ONE, minus(ONE)].map((sign) => ({
      name: `${sign === ONE ? 'sum' : 'difference'}_${j + 1}`,
      sum: [term(ONE, `v[${2 * j + 1}]`), term(sign, `v[${2 * j + 2}]`)],
    })),
  );
  return {
    name,
    does,
    input: 'v',
    length,
    lines,
    results: Array.from({ length: count }, (_, i) => [
      ...(i === 0 ? [term(ONE, 'v[0]')] : []),
      ...variant.points.map((point, j) =>
        term(power(point, i), `${i % 2 === 0 ? 'sum' : 'difference'}_${j + 1}`),
      ),
      ...(i === count - 1 ? [term(ONE, `v[${length - 1}]`)] : []),
    ]),
  };
}

/** The transform of `numbers`, for any type of number with sums and products. */
export function apply<T>(
  { input, lines, results }: Transform,
  numbers: readonly T[],
  sum: (terms: readonly { factor: Rational; of: T }[]) => T,
): T[] {
  const known = new Map(numbers.map((number, i) => [`${input}[${i}]`, number]));
  const value = (terms: readonly Term[]) =>
    sum(terms.map(({ factor, of }) => ({ factor, of: known.get(of) as T })));
  for (const line of lines) known.set(line.name, value(line.sum));
  return results.map(value);
}

/** The transforms of a variant as WGSL: a part of the kernels in shaders/conv/winograd. */
export function transformsFile(variant: Variant): string {
  const { M, R, points } = variant;
  return [
    `// The one-dimensional transforms of F(${M}, ${R}) and of its weight gradient F(${R}, ${M}), at the points 0, ` +
      `${points.map((point) => `±${fraction(point)}`).join(', ')} and infinity.`,
    '// Generated by src/engine/ops/conv/algorithms/winograd/transforms.ts; cook_toom.ts there explains the matrices.',
    '',
    `const OUTPUTS = ${M}u; // of a tile, vertically and horizontally`,
    `const FILTER = ${R}u;`,
    `const TILE = ${tileSize(variant)}u; // OUTPUTS + FILTER - 1`,
    ...transforms(variant).map(functionText),
    '',
  ].join('\n');
}

function functionText({ name, does, input, length, lines, results }: Transform): string {
  return [
    '',
    `// ${does}`,
    `fn ${name}(${input}: array<f32, ${length}>) -> array<f32, ${results.length}> {`,
    ...lines.map((line) => `  let ${line.name} = ${sumText(line.sum)};`),
    `  return array<f32, ${results.length}>(`,
    ...results.map((result) => `    ${sumText(result)},`),
    '  );',
    '}',
  ].join('\n');
}

/** "a - 2.25 * b", a term that is added first if there is one. */
function sumText(terms: readonly Term[]): string {
  const start = Math.max(
    0,
    terms.findIndex(({ factor }) => factor.numerator > 0n),
  );
  const [first, ...rest] = [terms[start], ...terms.filter((_, i) => i !== start)];
  return [
    (first.factor.numerator < 0n ? '-' : '') + productText(first),
    ...rest.map((other) => `${other.factor.numerator < 0n ? '-' : '+'} ${productText(other)}`),
  ].join(' ');
}

/** Without the sign. */
function productText({ factor, of }: Term): string {
  const size = factor.numerator < 0n ? minus(factor) : factor;
  return equal(size, ONE) ? of : `${literal(size)} * ${of}`;
}

/** A literal if float32 holds it exactly; otherwise a quotient, which compilers round once. */
function literal({ numerator, denominator }: Rational): string {
  const binary = (denominator & (denominator - 1n)) === 0n;
  const text = (value: number) => (Number.isInteger(value) ? `${value}.0` : String(value));
  const [n, d] = [Number(numerator), Number(denominator)];
  return binary ? text(n / d) : `(${text(n)} / ${text(d)})`;
}

const fraction = ({ numerator, denominator }: Rational): string =>
  denominator === 1n ? String(numerator) : `${numerator}/${denominator}`;

/** The transforms of a variant as WGSL: what shaders/conv/winograd_*\/transforms.wgsl hold. */
import { tileSize, type Variant } from './cook_toom.ts';
import { equal, minus, ONE, type Rational } from './rational.ts';
import { transforms, type Term, type Transform } from './transforms.ts';

/** The file's text. */
export function transformsFile(variant: Variant): string {
  const { M, R, points } = variant;
  return [
    `// The one-dimensional transforms of F(${M}, ${R}) and of its weight gradient F(${R}, ${M}), at the points 0, ` +
      `${points.map((point) => `±${fraction(point)}`).join(', ')} and infinity.`,
    '// Written by src/engine/ops/conv/winograd/wgsl.ts, whose test compares; matrices and letters are in cook_toom.ts there.',
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
    (first.factor.numerator < 0n ? '-' : '') + product(first),
    ...rest.map((term) => `${term.factor.numerator < 0n ? '-' : '+'} ${product(term)}`),
  ].join(' ');
}

/** Without the sign. */
function product({ factor, of }: Term): string {
  const size = factor.numerator < 0n ? minus(factor) : factor;
  return equal(size, ONE) ? of : `${literal(size)} * ${of}`;
}

/** Exact where float32 is; else a quotient, which compilers round once. */
function literal({ numerator, denominator }: Rational): string {
  const binary = (denominator & (denominator - 1n)) === 0n;
  const text = (value: number) => (Number.isInteger(value) ? `${value}.0` : String(value));
  const [n, d] = [Number(numerator), Number(denominator)];
  return binary ? text(n / d) : `(${text(n)} / ${text(d)})`;
}

const fraction = ({ numerator, denominator }: Rational): string =>
  denominator === 1n ? String(numerator) : `${numerator}/${denominator}`;

/** How one output value of a layer that is not a convolution follows from its inputs, in float64. */
import type { Shape } from '../../base/shape.ts';
import type { LayerShape } from '../../engine/network.ts';
import { activationReference } from '../../engine/ops/activation/reference.ts';
import type { WorkOut } from '../../ops/about.ts';
import { ABOUTS } from '../../ops/abouts.ts';
import { boxOf, readPlaces } from '../../ops/reads.ts';
import type { ConvPlace, LookTerm, LookTerms } from '../api.ts';
import { readsOf } from './layers.ts';

/** What `workOut` needs of one inspection. */
export interface LayerValues {
  /** The layer, for one image. */
  shape: LayerShape;
  /** Its inputs' names and values. */
  inputs: readonly { name: string; values: ArrayLike<number> }[];
  /** Its output. */
  output: ArrayLike<number>;
  /** Its parameters and buffers, by PyTorch's names within the module: "weight". */
  own: Readonly<Record<string, ArrayLike<number>>>;
}

/** Terms that are listed, at most: those that contribute most. */
const LISTED = 25;

/** Of [1, C, ...]: channels, rows and columns; a vector has one of each of the latter. */
function sizesOf([, C, H = 1, W = 1]: Shape): { C: number; H: number; W: number } {
  return { C, H, W };
}

/** Undefined where the layer has no such output: the model may have changed. */
export function workOut(values: LayerValues, at: ConvPlace): LookTerms | undefined {
  const { shape, output, own } = values;
  const { C, H: P, W: Q } = sizesOf(shape.output);
  const { k, p, q } = at;
  if (k >= C || p >= P || q >= Q) return undefined;
  const { terms, here } = termsOf(values, at);
  const sum = terms.reduce((total, { value, weight = 1 }) => total + value * weight, 0);
  const { op, attributes } = shape;
  const work = ABOUTS.get(op.name)?.workOut ?? elementwise(op.name);
  const worked = work({
    values: terms.map(({ value }) => value),
    sum,
    here,
    attributes,
    // Or one number for all channels.
    own: (name) => own[name]?.[own[name].length === 1 ? 0 : k],
  });
  const { formula, result, constants = [], chosen } = worked;
  const network = output[(k * P + p) * Q + q];
  const magnitude = terms.reduce((most, { value, weight = 1 }) => most + Math.abs(value * weight), 0);
  const difference = Math.abs(result - network);
  const scale = Math.max(magnitude, Math.abs(result), ...constants.map(([, value]) => Math.abs(value)));
  return {
    ...at,
    formula,
    ...listed(terms, chosen),
    constants,
    result,
    network,
    error: difference === 0 ? 0 : difference / scale,
  };
}

const elementwise =
  (op: string): WorkOut =>
  ({ values: [x], attributes }) => ({
    formula: `${op}(x)`,
    result: activationReference(op, attributes).value(x),
  });

/** The terms that contribute most, in their order, and the sum of the others. */
function listed(
  terms: readonly LookTerm[],
  chosen: number | undefined,
): Pick<LookTerms, 'terms' | 'left' | 'leftSum'> {
  const product = ({ value, weight = 1 }: LookTerm) => value * weight;
  const marked = terms.map((term, i) => (i === chosen ? { ...term, chosen: true } : term));
  if (terms.length <= LISTED) return { terms: marked, left: 0, leftSum: 0 };
  const order = marked
    .map((term, i) => ({ term, i }))
    .sort((a, b) => Math.abs(product(b.term)) - Math.abs(product(a.term)));
  const rest = order.slice(LISTED);
  return {
    terms: order.slice(0, LISTED).map(({ term }) => term),
    left: rest.length,
    leftSum: rest.reduce((sum, { term }) => sum + product(term), 0),
  };
}

/** The input values that an output value follows from, and which of them is at its own place. */
function termsOf({ shape, inputs, own }: LayerValues, at: ConvPlace): { terms: LookTerm[]; here: number } {
  const reads = readsOf(shape);
  const { weighted } = ABOUTS.get(shape.op.name) ?? {};
  const shapes = shape.inputs.map(([, ...rest]) => rest);
  const [, ...output] = shape.output;
  const found = inputs.flatMap((input, i) =>
    readPlaces(reads, boxOf(at), shapes, i, output).map((place) => ({ ...input, shape: shapes[i], place })),
  );
  const terms = found.map(({ name, values, shape: [, H = 1, W = 1], place: [c, h, w] }, i) => ({
    name: H * W > 1 ? `${name}[${c}, ${h}, ${w}]` : `${name}[${c}]`,
    value: values[(c * H + h) * W + w],
    weight: weighted && own['weight'][at.k * found.length + i],
  }));
  const here = found.findIndex(({ place }) => place.join() === `${at.k},${at.p},${at.q}`);
  return { terms, here };
}

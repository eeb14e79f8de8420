/** How one output value of a layer that is not a convolution follows from its inputs, in float64. */
import { mirrored } from '../../base/mirrored.ts';
import type { Shape } from '../../base/shape.ts';
import type { LayerShape } from '../../engine/network.ts';
import { activationReference } from '../../engine/ops/activation/reference.ts';
import { adaptiveWindows } from '../../engine/ops/pooling/geometry.ts';
import type { WorkOut } from '../../ops/about.ts';
import { ABOUTS } from '../../ops/abouts.ts';
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
  const terms = termsOf(values, at);
  const sum = terms.reduce((total, { value, weight = 1 }) => total + value * weight, 0);
  const { op, attributes } = shape;
  const work = ABOUTS.get(op.name)?.workOut ?? elementwise(op.name);
  const worked = work({
    values: terms.map(({ value }) => value),
    sum,
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

/** The input values that an output value follows from. */
function termsOf({ shape, inputs, own }: LayerValues, { k, p, q }: ConvPlace): LookTerm[] {
  const reads = readsOf(shape);
  const { H: P, W: Q } = sizesOf(shape.output);
  const { C, H, W } = sizesOf(shape.inputs[0]);
  const [first] = inputs;
  const term = (c: number, h: number, w: number, from = first, weight?: number): LookTerm => ({
    name: H * W > 1 ? `${from.name}[${c}, ${h}, ${w}]` : `${from.name}[${c}]`,
    value: from.values[(c * H + h) * W + w],
    weight,
  });
  const window = (rows: readonly number[], columns: readonly number[]) =>
    rows.flatMap((h) => columns.map((w) => term(k, h, w)));
  switch (reads.kind) {
    case 'all':
      return Array.from({ length: C }, (_, c) => term(c, 0, 0, first, own['weight'][k * C + c]));
    case 'window': {
      const places = (at: number, axis: 0 | 1, most: number) =>
        Array.from(
          { length: reads.size[axis] },
          (_, i) => at * reads.stride[axis] + reads.start[axis] + i * reads.dilation[axis],
        ).filter((place) => place >= 0 && place < most);
      return window(places(p, 0, H), places(q, 1, W));
    }
    case 'border': {
      const { start, mirrors } = reads;
      const place = (at: number, size: number) => (mirrors ? mirrored(at, size) : at);
      const [h, w] = [place(p + start[0], H), place(q + start[1], W)];
      return h >= 0 && h < H && w >= 0 && w < W ? [term(k, h, w)] : [];
    }
    case 'adaptive': {
      const places = (at: number, count: number, most: number) => {
        const { first: from, end } = adaptiveWindows(most, count)[at];
        return Array.from({ length: end - from }, (_, i) => from + i);
      };
      return window(places(p, P, H), places(q, Q, W));
    }
    case 'flatten': {
      const [c, rest] = [Math.floor(k / (H * W)), k % (H * W)];
      return [term(c, Math.floor(rest / W), rest % W)];
    }
    case 'pieces': {
      const { pieces } = reads;
      return Array.from({ length: pieces }, (_, i) => term(k * pieces + i, p, q));
    }
    case 'planes': {
      const channels = C / reads.groups;
      const start = Math.floor(k / channels) * channels * H * W;
      const here = (k * H + p) * W + q;
      const others = Array.from({ length: channels * H * W }, (_, i) => start + i).filter((i) => i !== here);
      return [here, ...others].map((i) =>
        term(Math.floor(i / (H * W)), Math.floor((i % (H * W)) / W), i % W),
      );
    }
    case 'concat': {
      let channel = k;
      for (const [i, input] of inputs.entries()) {
        const channels = shape.inputs[i][1];
        if (channel < channels) return [term(channel, p, q, input)];
        channel -= channels;
      }
      return [];
    }
    case 'same':
      return inputs.map((input) => term(k, p, q, input));
  }
}

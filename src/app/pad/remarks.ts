/** What there is to say about an answer of the pad's. */
import { DOT, type PenStroke } from './drawing.ts';

export type Remark =
  | { about: 'unfamiliar' | 'dot'; best: number; share: number }
  | { about: 'hesitates'; best: number; second: number; shares: readonly [number, number] }
  | { about: 'centred' | 'misplaced' };

interface Answered {
  probabilities: ArrayLike<number>;
  /** 1 for the limit of what is familiar; undefined while that is not known. */
  strangeness: number | undefined;
  /** Where the ink lies, in shares of the picture; undefined without ink. */
  box: Box | undefined;
  /** It was drawn, and brought to the middle. */
  isDrawn: boolean;
}

/** Left, top, right, bottom. */
type Box = readonly [left: number, top: number, right: number, bottom: number];

/** A second class this close to the first, and not below a quarter, is a serious rival. */
const CLOSE = 0.3;
const RIVAL = 0.25;
/** A drawing with a longer side below this, or with its middle further off, does not look as the training images do. */
const SMALL = 0.5;
const OFF = 0.15;

export function remarksOf({ probabilities, strangeness = 0, box, isDrawn }: Answered): Remark[] {
  const order = Array.from(probabilities, (_, i) => i).sort((a, b) => probabilities[b] - probabilities[a]);
  const [best, second] = order;
  const shares = [probabilities[best], probabilities[second] ?? 0] as const;
  const [share] = shares;
  const remarks: Remark[] = [];
  if (isDrawn && box && longerSide(box) < DOT) remarks.push({ about: 'dot', best, share });
  else if (strangeness > 1) remarks.push({ about: 'unfamiliar', best, share });
  else if (shares[1] >= RIVAL && share - shares[1] < CLOSE)
    remarks.push({ about: 'hesitates', best, second, shares });
  if (box && isMisplaced(box)) remarks.push({ about: isDrawn ? 'centred' : 'misplaced' });
  return remarks;
}

const longerSide = ([left, top, right, bottom]: Box): number => Math.max(right - left, bottom - top);

function isMisplaced(box: Box): boolean {
  const [left, top, right, bottom] = box;
  const off = Math.max(Math.abs(left + right - 1), Math.abs(top + bottom - 1)) / 2;
  return longerSide(box) < SMALL || off > OFF;
}

/** Where the pen was. */
export const boxOfStrokes = (strokes: readonly PenStroke[]): Box | undefined =>
  boxOf(strokes.flatMap(({ points }) => pairs(points)));

/** Where a square grey-scale image is bright. */
export function boxOfImage(image: Uint8Array): Box | undefined {
  const side = Math.sqrt(image.length);
  const lit = [...image.keys()].filter((i) => image[i] > 127);
  // Both corners of each pixel.
  return boxOf(
    lit.flatMap((i): [number, number][] => {
      const [x, y] = [i % side, Math.floor(i / side)];
      return [
        [x / side, y / side],
        [(x + 1) / side, (y + 1) / side],
      ];
    }),
  );
}

const pairs = (points: readonly number[]): [number, number][] =>
  Array.from({ length: points.length / 2 }, (_, i) => [points[2 * i], points[2 * i + 1]]);

function boxOf(points: readonly (readonly [number, number])[]): Box | undefined {
  if (points.length === 0) return undefined;
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

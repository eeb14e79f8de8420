/** Ridgelines: histograms of one layer over time, each a hill a little below the one before it. */
import { countOf, type Histogram, type HistogramRecord } from '../../../../run/metrics/histograms.ts';

/** A histogram at its step. */
export interface Moment {
  step: number;
  histogram: Histogram;
}

/** One layer's histograms, oldest first. */
export const momentsOfLayer = (
  records: readonly HistogramRecord[],
  kind: Histogram['kind'],
  layer: string,
): Moment[] =>
  records.flatMap(({ step, histograms }) => {
    const histogram = histograms.find((one) => one.kind === kind && one.layer === layer);
    return histogram ? [{ step, histogram }] : [];
  });

/** At most `most` of a list, evenly spread; the first and the last are among them. */
export function thinnedTo<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))]);
}

/** Between which numbers the axis runs: all that was counted, and 0. */
export function rangeOf(moments: readonly Moment[]): readonly [low: number, high: number] {
  const low = Math.min(0, ...moments.map(({ histogram }) => histogram.low));
  const high = Math.max(0, ...moments.map(({ histogram }) => histogram.high));
  return low === high ? [-1, 1] : [low, high];
}

/**
 * Share of all values per unit of the axis, in each bin: hills of equal area for equal numbers of values. Bins are joined
 * where there are few values, so that hills are not combs.
 */
export function densities(histogram: Histogram): number[] {
  const { low, high, counts } = histogram;
  const count = countOf(histogram);
  if (low === high || count === 0) return [];
  let joined = 1;
  while (counts.length / joined > Math.max(8, 2 * Math.sqrt(count))) joined *= 2;
  const width = ((high - low) * joined) / counts.length;
  return Array.from({ length: counts.length / joined }, (_, i) => {
    const sum = counts.subarray(i * joined, (i + 1) * joined).reduce((a, b) => a + b, 0);
    return sum / count / width;
  });
}

interface Frame {
  /** The axis, and its pixels. */
  range: readonly [low: number, high: number];
  width: number;
  /** The density that is as high as a hill may be, and its pixels. */
  most: number;
  height: number;
}

/** The outline of a hill as an SVG path that starts and ends on its ground, y = `ground`. */
export function hill(histogram: Histogram, ground: number, { range, width, most, height }: Frame): string {
  const { low, high } = histogram;
  const x = (value: number) => ((value - range[0]) / (range[1] - range[0])) * width;
  const heights = densities(histogram);
  const step = (high - low) / heights.length;
  const points = heights.map((density, i) => {
    const y = ground - (most > 0 ? Math.min(1, density / most) * height : 0);
    return `${x(low + (i + 0.5) * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  return points.length === 0
    ? `M0 ${ground}H${width}`
    : `M0 ${ground}H${x(low).toFixed(1)}L${points.join('L')}L${x(high).toFixed(1)} ${ground}H${width}`;
}

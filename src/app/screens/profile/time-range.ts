/** The visible part of a timeline: times in milliseconds. */
export interface TimeRange {
  from: number;
  to: number;
}

interface Span {
  start: number;
  ms: number;
}

/** From the first start to the last end of spans; with a range, that included. */
export const rangeOf = (
  spans: readonly Span[],
  { from, to }: TimeRange = { from: Infinity, to: -Infinity },
): TimeRange => ({
  from: Math.min(from, ...spans.map(({ start }) => start)),
  to: Math.max(to, ...spans.map(({ start, ms }) => start + ms)),
});

/** Where a span is drawn. */
export const placeOf = ({ from, to }: TimeRange, { start, ms }: Span) => ({
  left: `${(100 * (start - from)) / (to - from)}%`,
  width: `${(100 * ms) / (to - from)}%`,
});

/** The deepest zoom: this share of the whole. */
const DEEPEST = 1e-3;

/** The range moved so that it lies inside the whole, and no longer than that. */
export function within({ from, to }: TimeRange, whole: TimeRange): TimeRange {
  const most = whole.to - whole.from;
  const length = Math.min(most, Math.max(to - from, DEEPEST * most));
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  return { from: start, to: start + length };
}

/** Zooms by a factor; the time `at` stays where it is. @param factor below 1 shows less */
export const zoomed = ({ from, to }: TimeRange, whole: TimeRange, factor: number, at: number): TimeRange =>
  within({ from: at - (at - from) * factor, to: at + (to - at) * factor }, whole);

/** Moved by a share of its length. */
export const panned = ({ from, to }: TimeRange, whole: TimeRange, share: number): TimeRange =>
  within({ from: from + share * (to - from), to: to + share * (to - from) }, whole);

/** With some room on both sides, where a span lies outside. */
export function revealed(view: TimeRange, whole: TimeRange, { start, ms }: Span): TimeRange {
  if (start >= view.from && start + ms <= view.to) return view;
  const length = Math.max(view.to - view.from, 1.5 * ms);
  const middle = start + ms / 2;
  return within({ from: middle - length / 2, to: middle + length / 2 }, whole);
}

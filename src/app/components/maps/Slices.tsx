import { Atlas } from './MapCanvas.tsx';
import { results as texts } from '../../messages/en/results.tsx';
import styles from './maps.module.css';
import { digits, reachOf, type NumberRange } from './numbers.ts';
import { cornerOf, frameTile, layOut, paintMap } from './tiles.ts';

interface SlicesProps {
  /** [count, perFilter, height, width] */
  weights: Float32Array;
  /** Filters, and slices per filter. */
  count: number;
  perFilter: number;
  size: readonly [width: number, height: number];
  /** The value that the strongest colour stands for. */
  reach: number;
  /** Of a slice, in CSS pixels. Default: smaller the more there are. */
  side?: number | undefined;
  /** The filter to frame. */
  chosen?: number | undefined;
  onChoose?: (filter: number) => void;
}

/** Filters as pictures: one per filter and input channel. */
export function Slices({
  weights,
  count,
  perFilter,
  size,
  reach,
  side: wanted,
  chosen,
  onChoose,
}: SlicesProps) {
  const [width, height] = size;
  const slices = count * perFilter;
  const side = wanted ?? (slices <= 8 ? 80 : slices <= 32 ? 45 : slices <= 128 ? 30 : 20);
  return (
    <Atlas
      name={texts.maps.weights}
      label={texts.maps.filters(count, perFilter, height, width)}
      count={slices}
      layoutFor={(across) => {
        const { columns, stepX } = layOut(slices, size, side, across);
        // Rows hold whole filters, where one fits.
        const whole = columns >= perFilter ? Math.floor(columns / perFilter) * perFilter : columns;
        return layOut(slices, size, side, whole * stepX);
      }}
      paint={(context, colours, layout) => {
        for (let slice = 0; slice < slices; slice++) {
          const [x, y] = cornerOf(layout, slice);
          paintMap(context, weights, slice * width * height, size, [x, y, layout.zoom], reach, colours);
          if (Math.floor(slice / perFilter) === chosen) frameTile(context, layout, slice, size, colours);
        }
      }}
      onPick={(slice) => {
        if (count > 1) onChoose?.(Math.floor(slice / perFilter));
      }}
    />
  );
}

/** What the colours stand for, and the range of the values. */
export function Legend({ range }: { range: NumberRange }) {
  const reach = reachOf(range);
  return (
    <span className={styles.legend}>
      <span className="unseen">{texts.maps.coloursFrom} </span>
      <span className="numbers">{digits(-reach)}</span>
      <span className={styles.ramp} aria-hidden="true" />
      <span className="unseen"> {texts.maps.coloursTo} </span>
      <span className="numbers">{digits(reach)}</span>
      <span className="numbers">{texts.maps.values(digits(range.least), digits(range.most))}</span>
    </span>
  );
}

import { useId } from 'react';
import { fixed, rangeOf, reachOf } from '../../../components/maps/numbers.ts';
import styles from './Image.module.css';

interface NumberGridProps {
  caption: string;
  /** A row after another. */
  values: ArrayLike<number>;
  window: readonly [rows: number, columns: number];
  /** Which of them are padding. */
  outside?: readonly boolean[];
}

/** A small table of numbers, each on its colour. */
export function NumberGrid({ caption, values, window: [rows, columns], outside }: NumberGridProps) {
  const id = useId();
  const reach = reachOf(rangeOf(values)) || 1;
  return (
    <figure className={styles.grid}>
      <figcaption id={id}>{caption}</figcaption>
      <table aria-labelledby={id}>
        <tbody>
          {Array.from({ length: rows }, (_, row) => (
            <tr key={row}>
              {Array.from({ length: columns }, (__, column) => {
                const i = row * columns + column;
                const value = values[i];
                const share = Math.min(1, Math.abs(value) / reach);
                const colour = value < 0 ? '--map-negative' : '--map-positive';
                return (
                  <td
                    key={column}
                    data-outside={outside?.[i] || undefined}
                    title={outside?.[i] ? 'Padding' : String(value)}
                    style={{
                      backgroundColor: `color-mix(in srgb, var(${colour}) ${(40 * share).toFixed(1)}%, var(--sunken))`,
                    }}
                  >
                    {outside?.[i] ? '0' : fixed(value, reach)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

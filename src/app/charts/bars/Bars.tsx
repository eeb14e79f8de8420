import type { CSSProperties } from 'react';
import * as format from '../../format.ts';
import styles from './Bars.module.css';

interface BarsProps {
  /** What the bars show, for screen readers. */
  label: string;
  names: readonly string[];
  /** Each 0 to 1; undefined while there is nothing to show. */
  shares: Float32Array | undefined;
}

/** A bar for each share, with its number; the largest stands out. */
export function Bars({ label, names, shares }: BarsProps) {
  const largest = shares ? shares.indexOf(Math.max(...shares)) : -1;
  return (
    <ul
      className={styles.bars}
      style={{ '--half': Math.ceil(names.length / 2) } as CSSProperties}
      aria-label={label}
    >
      {names.map((name, i) => (
        <li key={name} data-largest={i === largest || undefined}>
          <span className={styles.name}>{name}</span>
          <span className={styles.track}>
            <span className={styles.bar} style={{ scale: `${shares?.[i] ?? 0} 1` }} />
          </span>
          <span className={styles.share}>{shares ? format.percent(shares[i]) : '–'}</span>
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from 'react';
import { prose } from '../../format.ts';
import { Chip } from './Chip.tsx';
import styles from './Lab.module.css';
import { useAlgorithms } from './lab-store.ts';

interface LegendProps {
  /** Default: all. */
  algorithms?: ReadonlySet<string>;
  /** Further items. */
  children?: ReactNode;
}

/** The colours and letters of algorithms. */
export function Legend({ algorithms, children }: LegendProps) {
  const all = useAlgorithms();
  return (
    <ul className={`soft ${styles.legend}`} aria-label="Legend">
      {all
        .filter(({ name }) => algorithms?.has(name) ?? true)
        .map(({ name, summary }) => (
          <li key={name} title={prose(summary)}>
            <Chip algorithm={name} />
          </li>
        ))}
      {children}
    </ul>
  );
}

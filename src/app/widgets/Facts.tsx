import type { ReactNode } from 'react';
import styles from './Facts.module.css';

interface FactsProps {
  /** Names and values. */
  of: readonly (readonly [name: string, value: ReactNode])[];
}

/** Names at the left and values at the right, in as many columns as there is room for. */
export function Facts({ of }: FactsProps) {
  return (
    <dl className={styles.facts}>
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

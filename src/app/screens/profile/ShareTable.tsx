import type { ReactNode } from 'react';
import * as format from '../../format.ts';
import styles from './ShareTable.module.css';

interface ShareTableProps {
  caption: string;
  /** What a row is. */
  of: string;
  /** What stands behind the share. */
  columns: readonly string[];
  /** Those of them that a phone has no room for: their cells are `WideCell`s. */
  wide?: readonly string[];
  /** Its rows: `ShareRow`. */
  children: ReactNode;
}

/** A table of what takes which share of the time. */
export function ShareTable({ caption, of, columns, wide = [], children }: ShareTableProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col" className={styles.share}>
              Share
            </th>
            {columns.map((title) => (
              <th key={title} scope="col" className={wide.includes(title) ? styles.wide : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface ShareRowProps {
  name: ReactNode;
  /** The parts of its share, each 0 to 1; or a word, where it has none. */
  share: readonly { kind: string; share: number }[] | string;
  selected?: boolean;
  /** The cells behind the share. */
  children: ReactNode;
}

export function ShareRow({ name, share, selected = false, children }: ShareRowProps) {
  return (
    <tr data-selected={selected || undefined}>
      <th scope="row">{name}</th>
      <td className={styles.share}>
        {typeof share === 'string' ? (
          share
        ) : (
          <>
            <span className={styles.bar} aria-hidden="true">
              {share.map((part) => (
                <i key={part.kind} data-kind={part.kind} style={{ width: `${100 * part.share}%` }} />
              ))}
            </span>
            <span className={styles.percent}>
              {format.percent(share.reduce((sum, part) => sum + part.share, 0))}
            </span>
          </>
        )}
      </td>
      {children}
    </tr>
  );
}

/** A cell of a column that a phone has no room for. */
export function WideCell({ children }: { children: ReactNode }) {
  return <td className={styles.wide}>{children}</td>;
}

/** What stands in a row's name instead, on a phone. */
export function InsteadOfWide({ children }: { children: ReactNode }) {
  return <small className={styles.instead}>{children}</small>;
}

import { Fragment } from 'react';
import type { StepRow } from '../../../run/metrics/rows.ts';
import { useLive } from '../../metrics/use-live.ts';
import { Heads } from '../../widgets/Heads.tsx';
import styles from './Curve.module.css';
import { TestTable } from './TestTable.tsx';

interface StepTableProps {
  caption: string;
  columns: readonly { title: string; value(row: StepRow): string }[];
}

/** The first and the last ten steps of the run as they came. */
export function StepTable({ caption, columns }: StepTableProps) {
  const { curve } = useLive();
  const head = curve.head;
  const end = head.at(-1)?.step ?? -1;
  const tail = curve.tail.filter(({ step }) => step > end);
  const gap = tail.length > 0 && tail[0].step > end + 1;
  return (
    <table className={styles.table}>
      <caption>{caption}</caption>
      <Heads of={['Step', ...columns.map(({ title }) => title)]} />
      <tbody>
        {[...head, ...tail].map((row) => (
          <Fragment key={row.step}>
            {gap && row === tail[0] && (
              <tr>
                <td colSpan={columns.length + 1}>…</td>
              </tr>
            )}
            <tr>
              <th scope="row">{row.step}</th>
              {columns.map(({ title, value }) => (
                <td key={title}>{value(row)}</td>
              ))}
            </tr>
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

/** The last tests of the run. */
export function EpochTable() {
  const { evaluations } = useLive();
  if (evaluations.length === 0) return null;
  return (
    <TestTable className={styles.table} caption="Test results, latest epochs" evaluations={evaluations} />
  );
}

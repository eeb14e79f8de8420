import type { StepRow } from '../../../run/metrics/rows.ts';
import { useLive } from '../../metrics/use-live.ts';
import { DataTable } from '../../widgets/DataTable.tsx';
import { results as texts } from '../../messages/en/results.tsx';
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
    <DataTable
      caption={caption}
      captioned
      fits
      frame={styles.listed}
      className={styles.table}
      rows={[...head, ...tail]}
      keyOf={({ step }) => step}
      below={(row) => gap && row === head.at(-1) && '…'}
      columns={[
        { title: texts.tables.step, render: ({ step }) => step },
        ...columns.map(({ title, value }) => ({ title, render: value })),
      ]}
    />
  );
}

/** The last tests of the run. */
export function EpochTable() {
  const { evaluations } = useLive();
  if (evaluations.length === 0) return null;
  return (
    <TestTable
      captioned
      fits
      frame={styles.listed}
      className={styles.table}
      caption={texts.tables.tests}
      evaluations={evaluations}
    />
  );
}

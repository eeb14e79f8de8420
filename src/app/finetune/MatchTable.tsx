import type { MatchRow } from '../../worker/api.ts';
import { DataTable } from '../widgets/DataTable.tsx';
import * as format from '../format.ts';
import styles from './MatchTable.module.css';
import { useApp } from '../state/store.ts';

const WORDS: Record<MatchRow['status'], string> = {
  taken: 'loaded',
  'other shape': 'new',
  missing: 'new',
  'not in the model': 'not used',
};

/** "3 × 64, not 10 × 64": the model's, and that of the weights where it is another. */
function shapeOf({ shape, found, status }: MatchRow): string {
  const own = shape && (format.shape(shape) || 'one number');
  if (status === 'other shape' && found) return `${own}, not ${format.shape(found)}`;
  return own ?? format.shape(found ?? []);
}

/** A name that may break after its dots and underscores, by zero-width spaces. */
const breakable = (name: string): string => name.replaceAll(/[._]/g, '$&\u200b');

/** What the current run took of the weights that it started from, tensor by tensor. */
export function MatchTable() {
  const runId = useApp((state) => state.runId);
  const begun = useApp((state) => state.begun);
  if (begun?.runId !== runId) return null;
  const { rows } = begun;
  const fresh = rows.filter(({ status }) => status !== 'taken');
  return (
    <details className={styles.match}>
      <summary className="soft">
        This run started from {rows.length - fresh.length} of {rows.length} tensors
      </summary>
      <DataTable
        caption="The tensors of the model"
        className={styles.table}
        rows={[...fresh, ...rows.filter(({ status }) => status === 'taken')]}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Tensor', render: ({ name }) => <code>{breakable(name)}</code> },
          { title: 'Shape', className: 'fine numbers', render: shapeOf },
          { title: 'Result', render: ({ status }) => WORDS[status] },
        ]}
      />
    </details>
  );
}

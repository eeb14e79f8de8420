import type { MatchRow } from '../../worker/api.ts';
import { DataTable } from '../widgets/DataTable.tsx';
import * as format from '../format.ts';
import { model as texts } from '../messages/en/model.tsx';
import styles from './MatchTable.module.css';
import { useApp } from '../state/store.ts';

/** "3 × 64, not 10 × 64": the model's, and that of the weights where it is another. */
function shapeOf({ shape, found, status }: MatchRow): string {
  const own = shape && (format.shape(shape) || texts.match.oneNumber);
  if (status === 'other shape' && own !== undefined && found)
    return texts.match.not(own, format.shape(found));
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
      <summary className="soft">{texts.match.summary(rows.length - fresh.length, rows.length)}</summary>
      <DataTable
        caption={texts.match.caption}
        className={styles.table}
        rows={[...fresh, ...rows.filter(({ status }) => status === 'taken')]}
        keyOf={({ name }) => name}
        columns={[
          { title: texts.match.tensor, render: ({ name }) => <code>{breakable(name)}</code> },
          { title: texts.match.shape, className: 'fine numbers', render: shapeOf },
          { title: texts.match.result, render: ({ status }) => texts.match.status[status] },
        ]}
      />
    </details>
  );
}

import { Fragment } from 'react';
import type { MatchRow } from '../../worker/api.ts';
import table from '../widgets/Table.module.css';
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
      <div className={table.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Tensor</th>
              <th scope="col">Shape</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {[...fresh, ...rows.filter(({ status }) => status === 'taken')].map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  <code>
                    {row.name.split(/(?<=[._])/).map((part, i) => (
                      // oxlint-disable-next-line react/no-array-index-key -- parts of one name
                      <Fragment key={i}>
                        {i > 0 && <wbr />}
                        {part}
                      </Fragment>
                    ))}
                  </code>
                </th>
                <td className="fine numbers">{shapeOf(row)}</td>
                <td>{WORDS[row.status]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

import type { MatchRow } from '../../worker/api.ts';
import table from '../components/Table.module.css';
import * as format from '../format.ts';
import { useApp } from '../state/store.ts';

const WORDS: Record<MatchRow['status'], string> = {
  taken: 'taken',
  'other shape': 'new: other shape',
  missing: 'new: not in the weights',
  'not in the model': 'not used',
};

/** What the current run took of the weights that it started from, tensor by tensor. */
export function MatchTable() {
  const runId = useApp((state) => state.runId);
  const begun = useApp((state) => state.begun);
  if (begun?.runId !== runId) return null;
  const { rows } = begun;
  const taken = rows.filter(({ status }) => status === 'taken').length;
  const shape = (one: readonly number[] | undefined) => (one ? format.shape(one) : '–');
  return (
    <details>
      <summary className="soft">
        This run took {taken} of {rows.length} tensors
      </summary>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Tensor</th>
            <th scope="col">Model</th>
            <th scope="col">Weights</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {rows
            .toSorted((a, b) => Number(a.status === 'taken') - Number(b.status === 'taken'))
            .map(({ name, shape: own, found, status }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{shape(own)}</td>
                <td>{shape(found)}</td>
                <td>{WORDS[status]}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </details>
  );
}

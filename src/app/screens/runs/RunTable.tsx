import { Icon } from '../../components/Icon.tsx';
import * as format from '../../format.ts';
import { difference } from './differences.ts';
import { originOf, showOrigin } from '../../journal/origin.ts';
import { changeRun, usePicked } from './manage.ts';
import { bestAccuracy, type RunRecord } from '../../journal/record.ts';
import { useShownState } from '../../tabs/shown-state.ts';
import type { Column, Order } from './order.ts';
import styles from './Runs.module.css';
import { useRuns } from '../../journal/runs-store.ts';

const TITLES: Record<Column, string> = {
  name: 'Run',
  accuracy: 'Best test accuracy',
  time: 'Time',
  rate: 'Images/s',
  state: 'Status',
  number: 'Started',
};

const COLUMNS: readonly { column: Column; numeric: boolean }[] = [
  { column: 'name', numeric: false },
  { column: 'accuracy', numeric: true },
  { column: 'time', numeric: true },
  { column: 'rate', numeric: true },
  { column: 'state', numeric: false },
  { column: 'number', numeric: true },
];

interface RunTableProps {
  /** In the order to show. */
  records: readonly RunRecord[];
  order: Order;
  onOrder(order: Order): void;
  /** The id of the run whose details are shown. */
  opened: string | undefined;
  onOpen(id: string): void;
}

/** One row per run, a card on phones. */
export function RunTable({ records, order, onOrder, opened, onOpen }: RunTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className={styles.scroll} role="region" aria-label="Table of runs" tabIndex={0}>
      <table className={styles.table}>
        <caption className="unseen">Saved runs, starred first</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">Compare</span>
            </th>
            <th scope="col">
              <span className="unseen">Star</span>
            </th>
            {COLUMNS.map(({ column, numeric }) => {
              const sorted = order.column === column;
              return (
                <th
                  key={column}
                  scope="col"
                  data-number={numeric || undefined}
                  aria-sort={sorted ? (order.ascending ? 'ascending' : 'descending') : undefined}
                >
                  <button
                    type="button"
                    className={`bare ${styles.sort}`}
                    onClick={() => onOrder({ column, ascending: sorted ? !order.ascending : !numeric })}
                  >
                    {TITLES[column]}
                    <span aria-hidden="true">{sorted ? (order.ascending ? ' ↑' : ' ↓') : ''}</span>
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <Row key={record.id} record={record} opened={record.id === opened} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  record: RunRecord;
  opened: boolean;
  onOpen(id: string): void;
}

function Row({ record, opened, onOpen }: RowProps) {
  const picked = usePicked(({ ids }) => ids.includes(record.id));
  const best = bestAccuracy(record);
  const shown = useShownState(record);
  const pick = () => {
    const { ids } = usePicked.getState();
    usePicked.setState({ ids: picked ? ids.filter((id) => id !== record.id) : [...ids, record.id] });
  };
  return (
    <tr data-opened={opened || undefined}>
      <td>
        <input type="checkbox" checked={picked} aria-label={`Compare ${record.name}`} onChange={pick} />
      </td>
      <td>
        <button
          type="button"
          className={`bare ${styles.star}`}
          aria-pressed={record.starred}
          aria-label={`Star ${record.name}`}
          onClick={() => void changeRun(record.id, { starred: !record.starred })}
        >
          <Icon name="star" />
        </button>
      </td>
      <th scope="row">
        <button
          type="button"
          className={`bare ${styles.name}`}
          aria-expanded={opened}
          onClick={() => onOpen(record.id)}
        >
          {record.name}
        </button>
        <span className="soft">
          {record.model} on {record.dataset}
          <Origin record={record} />
        </span>
      </th>
      <td data-number data-title={TITLES.accuracy}>
        {best === undefined ? '–' : format.percent(best, 2)}
      </td>
      <td data-number data-title={TITLES.time}>
        {format.time(record.trainedMs)}
      </td>
      <td data-number data-title={TITLES.rate}>
        {record.imagesPerSecond === undefined ? '–' : format.rate(record.imagesPerSecond)}
      </td>
      <td className={styles.state}>
        {shown.words}
        <span className="soft">step {format.count(shown.step)}</span>
      </td>
      <td data-number className={styles.started}>
        {new Date(record.began).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}
      </td>
    </tr>
  );
}

/** "from brave-otter-1, step 938: lr 1e-3 → 3e-4" */
function Origin({ record }: { record: RunRecord }) {
  const records = useRuns((state) => state.records) ?? [];
  const { parent, config } = record;
  if (!parent) return null;
  const before = records.find(({ id }) => id === parent.id);
  const origin = originOf(record, records);
  const changed = before ? difference(before.config, config) : '';
  if (!origin && !changed) return before ? <> · as {before.name}</> : null;
  return (
    <>
      {' · '}
      {origin ? `forked from ${showOrigin(origin)}` : `after ${before?.name ?? parent.name}`}
      {changed && `: ${changed}`}
    </>
  );
}

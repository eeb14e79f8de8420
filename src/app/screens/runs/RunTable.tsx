import { Icon } from '../../widgets/Icon.tsx';
import * as format from '../../format.ts';
import { originOf, showOrigin } from '../../journal/origin.ts';
import { bestAccuracy, rateOf, type RunRecord } from '../../journal/record.ts';
import { useRuns } from '../../journal/runs-store.ts';
import { useShownState } from '../../tabs/shown-state.ts';
import { difference } from './differences.ts';
import { changeRun, usePicked } from './manage.ts';
import type { RunColumn, Order } from './order.ts';
import styles from './RunTable.module.css';
import { Sketch } from './Sketch.tsx';

const TITLES: Record<RunColumn, string> = {
  name: 'Run',
  accuracy: 'Accuracy',
  time: 'Time',
  rate: 'Images/s',
  state: 'Status',
  number: 'Started',
};

const COLUMNS: readonly { column: RunColumn; numeric: boolean }[] = [
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

/** One line per run. */
export function RunTable({ records, order, onOrder, opened, onOpen }: RunTableProps) {
  const ids = usePicked((picked) => picked.ids);
  const all = records.length > 0 && records.every(({ id }) => ids.includes(id));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className={styles.list} role="region" aria-label="Table of runs" tabIndex={0}>
      <table className={styles.table}>
        <caption className="unseen">Saved runs, starred first</caption>
        <thead>
          <tr>
            <th scope="col" className={styles.tick}>
              <input
                type="checkbox"
                checked={all}
                aria-label="Select all runs shown"
                onChange={() => usePicked.setState({ ids: all ? [] : records.map(({ id }) => id) })}
              />
            </th>
            <th scope="col" className={styles.tick}>
              <span className="unseen">Star</span>
            </th>
            {COLUMNS.map(({ column, numeric }) => {
              const sorted = order.column === column;
              return (
                <th
                  key={column}
                  scope="col"
                  data-column={column}
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

const SHORT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

function Row({ record, opened, onOpen }: RowProps) {
  const { id, name, model, dataset, live, state, starred, sketch, began } = record;
  const picked = usePicked(({ ids }) => ids.includes(id));
  const best = bestAccuracy(record);
  const rate = rateOf(record);
  const shown = useShownState(record);
  const pick = () => {
    const { ids } = usePicked.getState();
    usePicked.setState({ ids: picked ? ids.filter((one) => one !== id) : [...ids, id] });
  };
  return (
    <tr data-opened={opened || undefined}>
      <td className={styles.tick}>
        <input type="checkbox" checked={picked} aria-label={`Compare ${name}`} onChange={pick} />
      </td>
      <td className={styles.tick}>
        <button
          type="button"
          className={`bare ${styles.star}`}
          aria-pressed={starred}
          aria-label={`Star ${name}`}
          onClick={() => void changeRun(id, { starred: !starred })}
        >
          <Icon name="star" />
        </button>
      </td>
      <th scope="row">
        <div className={styles.run}>
          <button
            type="button"
            className={`bare ${styles.name}`}
            id={`run-${id}`}
            aria-expanded={opened}
            onClick={() => onOpen(id)}
          >
            {name}
          </button>
          <span className={styles.about}>
            {model} on {dataset}
            <Origin record={record} />
          </span>
          <Sketch values={sketch} />
        </div>
      </th>
      <td data-column="accuracy" data-number>
        {best === undefined ? '–' : format.percent(best, 2)}
      </td>
      <td data-column="time" data-number>
        {record.trainedMs > 0 ? format.time(record.trainedMs) : '–'}
      </td>
      <td data-column="rate" data-number>
        {rate === undefined ? '–' : format.rate(rate)}
      </td>
      <td data-column="state" title={`${shown.words}, step ${format.count(shown.step)}`}>
        <span className={styles.state}>
          <span className={styles.dot} data-state={state} data-live={live ?? undefined} />
          {shown.words}
          <span className={styles.step}> step {format.count(shown.step)}</span>
        </span>
      </td>
      <td data-column="number" data-number title={format.dateAndTime(new Date(began))}>
        {SHORT.format(began)}
      </td>
    </tr>
  );
}

/** "forked from brave-otter-1, step 938: lr 1e-3 → 3e-4", "unlike brave-otter-1: lr 1e-3 → 3e-4" */
function Origin({ record }: { record: RunRecord }) {
  const records = useRuns((state) => state.records) ?? [];
  const { parent, config } = record;
  if (!parent) return null;
  const before = records.find(({ id }) => id === parent.id);
  const origin = originOf(record, records);
  const changed = before ? difference(before.config, config) : '';
  if (!origin && !changed) return before ? <> · same settings as {before.name}</> : null;
  return (
    <>
      {' · '}
      {origin ? `forked from ${showOrigin(origin)}` : `unlike ${before?.name ?? parent.name}`}
      {/* No line breaks within 1e-3. */}
      {changed && `: ${changed.replaceAll(/(?<=\de)-(?=\d)/g, '\u2011')}`}
    </>
  );
}

import { DataTable, type TableColumn } from '../../widgets/DataTable.tsx';
import { Icon } from '../../widgets/Icon.tsx';
import * as format from '../../format.ts';
import { originOf, showOrigin } from '../../journal/origin.ts';
import { lastTest, rateOf, testedOn, type RunRecord } from '../../journal/record.ts';
import { useRuns } from '../../journal/runs-store.ts';
import { useShownState } from '../../tabs/shown-state.ts';
import { runs as texts } from '../../messages/en/runs.tsx';
import { difference } from './differences.ts';
import { changeRun, usePicked } from './manage.ts';
import type { RunOrder } from './order.ts';
import styles from './RunTable.module.css';
import { Sketch } from './Sketch.tsx';

interface RunTableProps {
  /** In the order to show. */
  records: readonly RunRecord[];
  order: RunOrder;
  onOrder(order: RunOrder): void;
  /** The id of the run whose details are shown. */
  opened: string | undefined;
  onOpen(id: string): void;
}

const SHORT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** One line per run. */
export function RunTable({ records, order, onOrder, opened, onOpen }: RunTableProps) {
  return (
    <DataTable
      caption={texts.table.caption}
      region={texts.table.region}
      frame={styles.list}
      className={styles.table}
      rows={records}
      keyOf={({ id }) => id}
      row={({ id }) => ({ 'data-opened': id === opened || undefined })}
      order={order}
      onOrder={(to) => onOrder(to as RunOrder)}
      columns={[
        {
          key: 'picked',
          title: texts.table.selected,
          className: styles.tick,
          face: <Tick ids={records.map(({ id }) => id)} label={texts.table.selectAll} />,
          render: ({ id, name }) => <Tick ids={[id]} label={texts.table.compare(name)} />,
        },
        {
          title: texts.table.star,
          unseen: true,
          className: `${styles.tick} ${styles.starred}`,
          render: (record) => <Star record={record} />,
        },
        {
          key: 'name',
          title: texts.table.run,
          head: true,
          sort: 'ascending',
          render: (record) => (
            <Name record={record} isOpen={record.id === opened} onPress={() => onOpen(record.id)} />
          ),
        },
        ...columnsOfValues(),
      ]}
    />
  );
}

const columnsOfValues = (): TableColumn<RunRecord>[] => [
  {
    key: 'accuracy',
    title: texts.table.accuracy,
    hint: texts.table.aboutAccuracy,
    number: true,
    sort: 'descending',
    className: styles.accuracy,
    render: (record) => <Accuracy record={record} />,
  },
  {
    key: 'time',
    title: texts.table.time,
    number: true,
    sort: 'descending',
    className: styles.time,
    render: ({ trainedMs }) => (trainedMs > 0 ? format.time(trainedMs) : '–'),
  },
  {
    key: 'rate',
    title: texts.table.rate,
    number: true,
    sort: 'descending',
    className: styles.time,
    render(record) {
      const rate = rateOf(record);
      return rate === undefined ? '–' : format.rate(rate);
    },
  },
  {
    key: 'state',
    title: texts.table.status,
    sort: 'ascending',
    className: styles.status,
    render: (record) => <Status record={record} />,
  },
  {
    key: 'number',
    title: texts.table.started,
    number: true,
    sort: 'descending',
    className: styles.began,
    cell: ({ began }) => ({ title: format.dateAndTime(new Date(began)) }),
    render: ({ began }) => SHORT.format(began),
  },
];

/** Selects runs, or none of them if all are selected. */
function Tick({ ids, label }: { ids: readonly string[]; label: string }) {
  const picked = usePicked((state) => state.ids);
  const all = ids.length > 0 && ids.every((id) => picked.includes(id));
  const others = picked.filter((id) => !ids.includes(id));
  return (
    <input
      type="checkbox"
      checked={all}
      aria-label={label}
      onChange={() => usePicked.setState({ ids: all ? others : [...others, ...ids] })}
    />
  );
}

const Star = ({ record: { id, name, starred } }: { record: RunRecord }) => (
  <button
    type="button"
    className={`bare ${styles.star}`}
    aria-pressed={starred}
    aria-label={texts.table.starRun(name)}
    onClick={() => void changeRun(id, { starred: !starred })}
  >
    <Icon name="star" />
  </button>
);

interface NameProps {
  record: RunRecord;
  isOpen: boolean;
  onPress(): void;
}

/** What opens its details, what it trained and comes from, and its curve at a glance. */
const Name = ({ record, isOpen, onPress }: NameProps) => (
  <div className={styles.run}>
    <button
      type="button"
      className={`bare ${styles.name}`}
      id={`run-${record.id}`}
      aria-expanded={isOpen}
      onClick={onPress}
    >
      {record.name}
    </button>
    <span className={styles.about}>
      {texts.pane.trained(record.model, record.dataset)}
      <Origin record={record} />
    </span>
    <Sketch values={record.sketch} />
  </div>
);

function Accuracy({ record }: { record: RunRecord }) {
  const last = lastTest(record);
  if (!last) return '–';
  const tests = record.evaluations.length;
  return (
    <>
      {format.accuracy(last.testAccuracy, testedOn(record))}
      {tests > 1 && <small className="fine"> {texts.table.last(tests)}</small>}
    </>
  );
}

function Status({ record }: { record: RunRecord }) {
  const { live } = record;
  const { standing, words, step } = useShownState(record);
  const steps = texts.step(step);
  return (
    <span className={styles.state} title={`${words}, ${steps}`}>
      <span className={styles.dot} data-state={standing} data-live={live ?? undefined} />
      {words}
      <span className={styles.step}> {steps}</span>
    </span>
  );
}

/** "forked from brave-otter-1, step 938: lr 1e-3 → 3e-4", "unlike brave-otter-1: lr 1e-3 → 3e-4" */
function Origin({ record }: { record: RunRecord }) {
  const records = useRuns((state) => state.records) ?? [];
  const { parent } = record;
  if (!parent) return null;
  const before = records.find(({ id }) => id === parent.id);
  const origin = originOf(record, records);
  const changed = before ? difference(before, record) : '';
  if (!origin && !changed) return before ? texts.table.sameSettings(before.name) : null;
  return (
    <>
      {origin ? texts.table.forked(showOrigin(origin)) : texts.table.unlike(before?.name ?? parent.name)}
      {/* No line breaks within 1e-3. */}
      {changed && `: ${changed.replaceAll(/(?<=\de)-(?=\d)/g, '\u2011')}`}
    </>
  );
}

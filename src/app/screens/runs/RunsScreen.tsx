import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { ask } from '../../client.ts';
import { Button } from '../../widgets/Button.tsx';
import { dropTarget } from '../../widgets/drop-target.ts';
import { FailureNotice, Callout, NoticeStack } from '../../widgets/Notice.tsx';
import { Select } from '../../widgets/Select.tsx';
import { Foreseen } from '../../components/Foreseen.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import * as format from '../../format.ts';
import type { RunRecord } from '../../journal/record.ts';
import { useRuns } from '../../journal/runs-store.ts';
import { hrefOf, note, useRoute } from '../../route.ts';
import { runs as texts } from '../../messages/en/runs.tsx';
import { VERBS } from '../verbs.ts';
import { Compare } from './Compare.tsx';
import { Details } from './Details.tsx';
import { matching, type RunKind } from './filter.ts';
import { Import, ImportNotices } from './Import.tsx';
import { takeFiles } from './incoming.ts';
import { deleteRuns, exportRun, undoDeletion, useDeletion, usePicked } from './manage.ts';
import { ordered, type RunOrder } from './order.ts';
import styles from './Runs.module.css';
import { RunTable } from './RunTable.tsx';
import { SweepPane } from './SweepPane.tsx';

/** In the address, where the selected runs are compared. */
const COMPARE = 'compare';
/** In the address, where a sweep is shown. */
const SWEEP = 'sweep';

/** In place of the table, where it has no rows. */
function NoRuns({ records }: { records: readonly RunRecord[] | undefined }) {
  if (records?.length !== 0)
    return <p className={styles.empty}>{records ? texts.list.noMatch : texts.list.loading}</p>;
  return (
    <Foreseen of="curves">
      <p>{texts.list.none(hrefOf('train'))}</p>
    </Foreseen>
  );
}

const open = (what: string): void => note(hrefOf('runs', what));

/** All kept runs at the left; at the right one of them, or several compared. On a phone one or the other. */
export function RunsScreen() {
  const records = useRuns((state) => state.records);
  const picked = usePicked((state) => state.ids);
  const { screen, view } = useRoute();
  const opened = screen === 'runs' ? view : '';
  const record = records?.find(({ id }) => id === opened);
  const selected = useMemo(
    () => picked.flatMap((id) => records?.find((one) => one.id === id) ?? []),
    [records, picked],
  );
  const compares = opened === COMPARE && selected.length > 0;
  const sweeps = opened === SWEEP;
  const pane = compares || sweeps || record !== undefined;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropped files for all that it contains
    <div className={styles.screen} data-pane={pane || undefined} {...dropTarget(takeFiles)}>
      <div className={styles.head}>
        <ScreenHead title={texts.title} explanation={texts.explanation}>
          <Button verb={VERBS.sweep} onPress={() => open(sweeps ? '' : SWEEP)} />
          <Import />
        </ScreenHead>
        <StoreNotices />
        <ImportNotices />
        <DeletionNotices />
      </div>
      <RunList selected={selected} opened={record?.id} />
      {pane && (
        <Pane
          key={record?.id ?? opened}
          title={sweeps ? texts.pane.sweep : (record?.name ?? texts.pane.compared(selected.length))}
          about={record ? aboutOf(record) : sweeps ? texts.pane.aboutSweeps : texts.pane.aboutComparing}
          onClose={() => {
            // The list is shown again, where the pane took its place.
            flushSync(() => open(''));
            document.querySelector<HTMLElement>(`#run-${record?.id ?? selected[0]?.id}`)?.focus();
          }}
        >
          {sweeps && <SweepPane />}
          {compares && <Compare records={selected} />}
          {record && <Details record={record} onDelete={() => void deleteRuns([record])} />}
        </Pane>
      )}
    </div>
  );
}

/** What was deleted, with the way back, or why it was not. */
function DeletionNotices() {
  const { deleted, error } = useDeletion();
  return (
    <>
      <NoticeStack>
        {error && (
          <FailureNotice
            title={texts.failed}
            error={error}
            onDismiss={() => useDeletion.setState({ error: undefined })}
          />
        )}
      </NoticeStack>
      <div role="status">
        <NoticeStack>
          {deleted.length > 0 && (
            <Callout
              kind="info"
              title={texts.deleted(deleted.length === 1 ? deleted[0].name : texts.several(deleted.length))}
              actions={
                <Button icon="undo" onPress={undoDeletion}>
                  {texts.undo}
                </Button>
              }
              onDismiss={() => useDeletion.setState({ deleted: [] })}
            />
          )}
        </NoticeStack>
      </div>
    </>
  );
}

interface RunListProps {
  selected: readonly RunRecord[];
  /** The id of the run whose details are shown. */
  opened: string | undefined;
}

/** The runs that a search finds, in the order of a column. */
function RunList({ selected, opened }: RunListProps) {
  const records = useRuns((state) => state.records);
  const [order, setOrder] = useState<RunOrder>({ column: 'number', ascending: false });
  const [kind, setKind] = useState<RunKind>('all');
  const [query, setQuery] = useState('');
  const shown = useMemo(
    () => ordered(matching(records ?? [], kind, query), order),
    [records, kind, query, order],
  );
  return (
    <section className={styles.left} aria-label={texts.list.label}>
      <div className={`row ${styles.tools}`}>
        <input
          type="search"
          aria-label={texts.list.search}
          placeholder={texts.list.placeholder}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Select
          look="hidden"
          label={texts.list.show}
          value={kind}
          options={texts.list.kinds}
          onChange={setKind}
        />
        {records && <span className="soft numbers">{texts.list.shown(shown.length, records.length)}</span>}
      </div>
      {selected.length > 0 && <Bulk selected={selected} />}
      {shown.length > 0 ? (
        <RunTable
          records={shown}
          order={order}
          onOrder={setOrder}
          opened={opened}
          onOpen={(id) => open(id === opened ? '' : id)}
        />
      ) : (
        <NoRuns records={records} />
      )}
      <Storage />
      <Damaged />
    </section>
  );
}

/** "LeNet-5 on Synthetic digits, NVIDIA H200, 22 November 2026 at 09:14" */
function aboutOf({ model, dataset, adapter, began, sweep, imported }: RunRecord): string {
  const when = new Date(began).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
  const what = imported ? texts.pane.imported(model, imported.file) : texts.pane.trained(model, dataset);
  return [what, adapter, when, sweep?.name].filter(Boolean).join(' · ');
}

/** What is opened, with its title focused, so that it is in view and the keyboard is there. */
function Pane(props: { title: string; about: string; onClose(): void; children: ReactNode }) {
  const { title, about, onClose, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A menu that was opened while the runs were read would close when the focus leaves it.
    if (document.activeElement?.closest('[role=dialog]')) return;
    heading.current?.focus({ preventScroll: true });
    // On a phone it takes the list's place; beside the list it is in view already.
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section className={styles.right} aria-label={title}>
      <div className={styles.paneHead}>
        <Button kind="quiet" icon="chevron" className={styles.back} onPress={onClose}>
          {texts.pane.back}
        </Button>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Button kind="quiet" icon="close" className={styles.close} onPress={onClose}>
          {texts.pane.close}
        </Button>
      </div>
      <p className="faint">{about}</p>
      {children}
    </section>
  );
}

/** What can be done with all selected runs at once. */
function Bulk({ selected }: Pick<RunListProps, 'selected'>) {
  const all = async () => {
    for (const record of selected) await exportRun(record);
  };
  const free = selected.filter(({ checkpoint, live }) => checkpoint && live === null).map(({ id }) => id);
  return (
    <div className={`row ${styles.bulk}`} role="group" aria-label={texts.bulk.label}>
      <span className="numbers">{texts.bulk.selected(selected.length)}</span>
      <Button icon="curve" kind="primary" onPress={() => open(COMPARE)}>
        {texts.bulk.compare}
      </Button>
      <Button icon="download" onPress={() => void all()}>
        {texts.bulk.exportEach}
      </Button>
      <Button
        icon="down"
        obstacle={free.length === 0 ? texts.bulk.noCheckpoints : undefined}
        title={texts.bulk.freeTitle}
        onPress={() => void ask((api) => api.runs.freeRuns(free))}
      >
        {texts.bulk.free}
      </Button>
      <Button icon="trash" onPress={() => void deleteRuns(selected)}>
        {texts.bulk.delete}
      </Button>
      <Button
        kind="quiet"
        icon="close"
        title={texts.bulk.clearTitle}
        onPress={() => usePicked.setState({ ids: [] })}
      >
        {texts.bulk.clear}
      </Button>
    </div>
  );
}

/** What the runs take of the browser's storage. */
function Storage() {
  const records = useRuns((state) => state.records);
  const limit = useRuns((state) => state.limit);
  if (!records || records.length === 0) return null;
  const bytes = records.reduce((sum, one) => sum + one.bytes, 0);
  return (
    <p className={`fine ${styles.storage}`}>
      <meter min={0} max={limit} value={bytes} aria-label={texts.list.storage} />{' '}
      {texts.list.stored(format.bytes(bytes), format.bytes(limit))}
    </p>
  );
}

/** Why runs are not kept. */
function StoreNotices() {
  const error = useRuns((state) => state.error);
  return (
    <NoticeStack>
      {error && (
        <Callout kind="warning" title={texts.list.lost}>
          <p>
            {error.message}. {error.advice}
          </p>
        </Callout>
      )}
    </NoticeStack>
  );
}

/** Which runs cannot be read. The others are not affected. */
function Damaged() {
  const damaged = useRuns((state) => state.damaged);
  if (damaged.length === 0) return null;
  return (
    <details className={`fine ${styles.damaged}`}>
      <summary>{texts.list.damaged(damaged.length)}</summary>
      {damaged.map(({ message }) => (
        <p key={message}>{message}.</p>
      ))}
    </details>
  );
}

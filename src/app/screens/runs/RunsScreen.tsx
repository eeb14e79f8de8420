import { useMemo, useState } from 'react';
import type { FailureValue } from '../../../base/result.ts';
import { Button } from '../../components/Button.tsx';
import { FileButton } from '../../components/FileButton.tsx';
import { FailureNotice, Notice } from '../../components/Notice.tsx';
import { Panel } from '../../components/Panel.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { Notices } from '../../shell/Notices.tsx';
import { RunNotices } from '../../shell/RunNotices.tsx';
import { Compare } from './Compare.tsx';
import { Details } from './Details.tsx';
import { ordered, type Order } from './order.ts';
import styles from './Runs.module.css';
import { RunTable } from './RunTable.tsx';
import { hrefOf, note, useRoute } from '../../route.ts';
import { deleteRun, importRuns, usePicked } from './manage.ts';
import type { RunRecord } from '../../journal/record.ts';
import { useRuns } from '../../journal/runs-store.ts';

/** All saved runs, to view, compare and fork. */
export function RunsScreen() {
  const records = useRuns((state) => state.records);
  const recordsError = useRuns((state) => state.error);
  const picked = usePicked((state) => state.ids);
  const [order, setOrder] = useState<Order>({ column: 'number', ascending: false });
  const { screen, view } = useRoute();
  const opened = screen === 'runs' ? view : '';
  const [deleted, setDeleted] = useState<{ name: string; undo(): Promise<void> }>();
  const shown = useMemo(() => ordered(records ?? [], order), [records, order]);
  const details = records?.find(({ id }) => id === opened);
  const compared = useMemo(
    () => picked.flatMap((id) => records?.find((record) => record.id === id) ?? []),
    [records, picked],
  );
  const remove = async (record: RunRecord) => {
    const undo = await deleteRun(record);
    setDeleted({ name: record.name, undo });
  };
  return (
    <div className={styles.screen}>
      <ScreenHead
        title="Runs"
        explanation="Runs are saved in this browser with settings, metrics and weights. Select runs to compare them."
      >
        <Import />
      </ScreenHead>
      <Notices />
      <RunNotices />
      {recordsError !== undefined && (
        <Notice kind="warning" title="Runs will be lost when you close this page">
          <p>Browser storage error: {recordsError}</p>
        </Notice>
      )}
      <div role="status">
        {deleted && (
          <Notice
            kind="info"
            title={`${deleted.name} deleted`}
            actions={
              <Button
                icon="undo"
                onPress={() => {
                  setDeleted(undefined);
                  void deleted.undo();
                }}
              >
                Undo
              </Button>
            }
            onDismiss={() => setDeleted(undefined)}
          />
        )}
      </div>
      <Panel title="All runs" aside={records && <span className="soft">{records.length}</span>}>
        {shown.length === 0 ? (
          <p className={styles.empty}>
            {records ? (
              <>
                No runs yet. <a href={hrefOf('train')}>Train a model</a> or import a run.
              </>
            ) : (
              'Loading runs…'
            )}
          </p>
        ) : (
          <RunTable
            records={shown}
            order={order}
            onOrder={setOrder}
            opened={opened}
            onOpen={(id) => note(hrefOf('runs', id === opened ? '' : id))}
          />
        )}
      </Panel>
      {details && <Details key={details.id} record={details} onDelete={(record) => void remove(record)} />}
      {compared.length > 0 && <Compare records={compared} />}
    </div>
  );
}

function Import() {
  const [outcome, setOutcome] = useState<{ names: string[]; errors: FailureValue[] }>();
  const dismiss = (error: FailureValue) =>
    setOutcome((now) => now && { ...now, errors: now.errors.filter((one) => one !== error) });
  const take = async (files: readonly File[]) => setOutcome(await importRuns(files));
  return (
    <div className="row">
      <FileButton
        label="Archives of runs"
        accept=".zip,application/zip"
        multiple
        icon="upload"
        title="Import exported run archives (.zip)"
        onFiles={(files) => void take(files)}
      >
        Import
      </FileButton>
      <span role="status" className="soft">
        {outcome && outcome.names.length > 0 && `Imported: ${outcome.names.join(', ')}.`}
      </span>
      {outcome?.errors.map((error) => (
        <FailureNotice
          key={error.message}
          title="Import failed"
          error={error}
          onDismiss={() => dismiss(error)}
        />
      ))}
    </div>
  );
}

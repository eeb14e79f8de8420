import { useId, useState } from 'react';
import type { FailureValue, Result } from '../../../base/result.ts';
import { obstacleToDevice } from '../../actions/start.ts';
import { Confusion } from '../../charts/confusion/Confusion.tsx';
import { TestTable } from '../../charts/curve/TestTable.tsx';
import { Button } from '../../widgets/Button.tsx';
import { Facts } from '../../widgets/Facts.tsx';
import { DataTable } from '../../widgets/DataTable.tsx';
import { later } from '../../components/later.tsx';
import { FailureNotice } from '../../widgets/Notice.tsx';
import * as format from '../../format.ts';
import { originLine } from '../../journal/origin.ts';
import {
  bestAccuracy,
  lastTest,
  obstacleToResume,
  rateOf,
  testedOn,
  weightsStep,
  type RunRecord,
} from '../../journal/record.ts';
import { useRuns } from '../../journal/runs-store.ts';
import { usePredict } from '../../state/predict-store.ts';
import { go, hrefOf } from '../../route.ts';
import { resumeRun } from '../../saved-run.ts';
import { openShareDialog } from '../../share/dialog.ts';
import { runIsOpen } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import { runs as texts } from '../../messages/en/runs.tsx';
import { Curves } from './Compare.tsx';
import { difference, settingLines } from './differences.ts';
import { changeRun, exportRun, forkRun } from './manage.ts';
import styles from './Runs.module.css';

const ExportDialog = later(
  'Export',
  async () => (await import('../../exchange/ExportDialog.tsx')).ExportDialog,
);

/** Does something with a run; what fails is shown. */
type Attempt = (work: Promise<Result<void>>) => void;

interface DetailsProps {
  record: RunRecord;
  onDelete(): void;
}

/** One run: its actions, and all that is kept of it. */
export function Details({ record, onDelete }: DetailsProps) {
  const [error, setError] = useState<FailureValue>();
  const kept = useRuns((state) => state.records);
  const attempt: Attempt = (work) =>
    void work.then((answer) => setError(answer.ok ? undefined : answer.error));
  return (
    <>
      <Actions record={record} attempt={attempt} onDelete={onDelete} />
      {error && <FailureNotice title={texts.failed} error={error} onDismiss={() => setError(undefined)} />}
      <Figures record={record} />
      <Curves records={[record]} />
      <Changed record={record} />
      <Words record={record} attempt={attempt} />
      {record.confusion && (
        <details className={styles.more} open>
          <summary>{texts.details.confusion}</summary>
          <Confusion classes={record.classes} counts={Uint32Array.from(record.confusion)} />
        </details>
      )}
      <details className={styles.more}>
        <summary>{texts.details.settings}</summary>
        <Facts
          of={[...settingLines(record), originLine(record, kept ?? [])].map(({ title, value }) => [
            title,
            value,
          ])}
        />
      </details>
      <Tests record={record} />
      <Algorithms record={record} />
    </>
  );
}

/** What can be done with a run. */
function Actions({ record, attempt, onDelete }: DetailsProps & { attempt: Attempt }) {
  const [exporting, setExporting] = useState(false);
  const open = useApp((state) => runIsOpen(state.runState));
  const device = useApp(obstacleToDevice);
  const here = useRuns((state) => open && state.open === record.id);
  const held = weightsStep(record);
  const { checkpoint } = record;
  const busy = open && !here ? texts.stopFirst : undefined;
  const unsaved = held === undefined ? texts.details.noneSaved : undefined;
  return (
    <>
      <div className={`row ${styles.actions}`}>
        <Button
          icon="play"
          kind="primary"
          obstacle={here ? texts.details.isOpen : (obstacleToResume(record) ?? busy ?? device)}
          title={texts.details.resumeTitle}
          onPress={() => void resumeRun(record.id).then((resumes) => resumes && go(hrefOf('train')))}
        >
          {checkpoint ? texts.details.resumeFrom(checkpoint.step) : texts.details.resume}
        </Button>
        <Button
          icon="fork"
          obstacle={held === undefined ? texts.details.noWeights : open ? texts.stopFirst : undefined}
          title={checkpoint ? texts.details.forkWithState : texts.details.forkTitle}
          onPress={() => attempt(forkRun(record))}
        >
          {held === undefined ? texts.details.fork : texts.details.forkFrom(held)}
        </Button>
        <Button icon="download" title={texts.details.exportTitle} onPress={() => attempt(exportRun(record))}>
          {texts.details.export}
        </Button>
        <Button
          icon="download"
          obstacle={unsaved}
          title={texts.details.exportModelTitle}
          onPress={() => setExporting(true)}
        >
          {texts.details.exportModel}
        </Button>
        <Button
          icon="lens"
          obstacle={unsaved}
          title={texts.details.predictTitle}
          onPress={() => {
            usePredict.setState({ chosen: record.id });
            go(hrefOf('inspect', 'predict'));
          }}
        >
          {texts.details.predict}
        </Button>
        <Button icon="image" title={texts.details.shareTitle} onPress={() => openShareDialog(record.id)}>
          {texts.details.share}
        </Button>
        <Button
          icon="trash"
          obstacle={here || record.live === 'elsewhere' ? texts.details.stopFirst : undefined}
          onPress={onDelete}
        >
          {texts.details.delete}
        </Button>
      </div>
      {exporting && (
        <ExportDialog
          subjects={[{ title: record.name, source: { run: record.id } }]}
          onClose={() => setExporting(false)}
        />
      )}
    </>
  );
}

/** In which settings it differs from the run that it comes from. */
function Changed({ record }: Pick<DetailsProps, 'record'>) {
  const kept = useRuns((state) => state.records);
  const before = record.parent && kept?.find(({ id }) => id === record.parent?.id);
  const changed = before ? difference(before, record) : '';
  if (!before || changed === '') return null;
  return (
    <p className={`soft ${styles.changed}`}>
      {texts.details.differs}{' '}
      <a href={hrefOf('runs', before.id)} className={styles.parent}>
        {before.name}
      </a>
      : {changed}
    </p>
  );
}

/** Its name and its note, which are kept as a field is left. */
function Words({ record, attempt }: { record: RunRecord; attempt: Attempt }) {
  const [nameId, noteId] = [useId(), useId()];
  return (
    <div className={styles.fields}>
      <label htmlFor={nameId}>{texts.details.name}</label>
      <input
        id={nameId}
        key={`${record.id} ${record.name}`}
        defaultValue={record.name}
        maxLength={80}
        onBlur={(event) => {
          const name = event.target.value.trim();
          if (name === '') event.target.value = record.name;
          else if (name !== record.name) attempt(changeRun(record.id, { name }));
        }}
      />
      <label htmlFor={noteId}>{texts.details.note}</label>
      <textarea
        id={noteId}
        key={`${record.id} note ${record.note}`}
        defaultValue={record.note}
        maxLength={10_000}
        rows={2}
        placeholder={texts.details.addNote}
        onBlur={(event) => {
          const note = event.target.value;
          if (note !== record.note) attempt(changeRun(record.id, { note }));
        }}
      />
    </div>
  );
}

/** The run in a few numbers. */
function Figures({ record }: { record: RunRecord }) {
  const { step, epoch, trainedMs, bytes, evaluations } = record;
  const best = bestAccuracy(record);
  const last = lastTest(record);
  const images = testedOn(record);
  const rate = rateOf(record);
  const figures: (readonly [string, string])[] = [
    [texts.details.accuracy, last ? format.accuracy(last.testAccuracy, images) : '–'],
    ...(best !== undefined && evaluations.length > 1
      ? ([[texts.details.best(evaluations.length), format.accuracy(best, images)]] as const)
      : []),
    [texts.details.steps, format.count(step)],
    [texts.details.epochs, format.count(epoch)],
    [texts.details.time, trainedMs > 0 ? format.time(trainedMs) : '–'],
    [texts.details.rate, rate === undefined ? '–' : format.rate(rate)],
    [texts.details.storage, format.bytes(bytes)],
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(([title, value]) => (
        <div key={title}>
          <dt className="fine">{title}</dt>
          <dd className="numbers">{value}</dd>
        </div>
      ))}
      {last && images !== undefined && (
        <div className={styles.wide}>
          <dt className="fine">{texts.details.testedOn}</dt>
          <dd className="numbers">{format.measuredOn(last.testAccuracy, images)}</dd>
        </div>
      )}
    </dl>
  );
}

function Tests({ record: { evaluations } }: { record: RunRecord }) {
  if (evaluations.length === 0) return null;
  return (
    <details className={styles.more}>
      <summary>{texts.details.tests(evaluations.length)}</summary>
      <TestTable className={styles.settings} caption={texts.details.testsCaption} evaluations={evaluations} />
    </details>
  );
}

const DIRECTIONS = ['fprop', 'dgrad', 'wgrad'] as const;

function Algorithms({ record: { choices } }: { record: RunRecord }) {
  const layers = Object.entries(choices);
  if (layers.length === 0) return null;
  return (
    <details className={styles.more}>
      <summary>{texts.details.algorithms}</summary>
      <DataTable
        caption={texts.details.algorithmsCaption}
        className={styles.settings}
        rows={layers}
        keyOf={([layer]) => layer}
        columns={[
          { title: texts.details.layer, render: ([layer]) => layer },
          ...DIRECTIONS.map((direction) => ({
            title: direction,
            render: ([, uses]: (typeof layers)[number]) => uses[direction]?.algorithm ?? '–',
          })),
        ]}
      />
    </details>
  );
}

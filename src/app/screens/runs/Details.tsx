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
import { bestAccuracy, obstacleToResume, rateOf, weightsStep, type RunRecord } from '../../journal/record.ts';
import { useRuns } from '../../journal/runs-store.ts';
import { usePredict } from '../../predict-store.ts';
import { go, hrefOf } from '../../route.ts';
import { resumeRun } from '../../saved-run.ts';
import { runIsOpen } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import { Curves } from './Compare.tsx';
import { difference, settingLines } from './differences.ts';
import { changeRun, exportRun, forkRun } from './manage.ts';
import styles from './Runs.module.css';
import { shareCard } from './share-card.ts';

const ExportDialog = later(
  'Export',
  async () => (await import('../../exchange/ExportDialog.tsx')).ExportDialog,
);

interface DetailsProps {
  record: RunRecord;
  onDelete(record: RunRecord): void;
}

/** One run: its actions, and all that is kept of it. */
export function Details({ record, onDelete }: DetailsProps) {
  const [error, setError] = useState<FailureValue>();
  const [exporting, setExporting] = useState(false);
  const open = useApp((state) => runIsOpen(state.runState));
  const device = useApp(obstacleToDevice);
  const here = useRuns((state) => open && state.open === record.id);
  const kept = useRuns((state) => state.records);
  const [nameId, noteId] = [useId(), useId()];
  const show = async (work: Promise<Result<void>>) => {
    const answer = await work;
    setError(answer.ok ? undefined : answer.error);
  };
  const held = weightsStep(record);
  const { checkpoint, confusion, parent } = record;
  const before = parent && kept?.find(({ id }) => id === parent.id);
  const changed = before ? difference(before.config, record.config) : '';
  const busy = open && !here ? 'Stop the current run first.' : undefined;
  return (
    <>
      <div className={`row ${styles.actions}`}>
        <Button
          icon="play"
          kind="primary"
          obstacle={here ? 'This run is open: see Train.' : (obstacleToResume(record) ?? busy ?? device)}
          title="Resume from its last checkpoint, bit for bit"
          onPress={() => void resumeRun(record.id).then((resumes) => resumes && go(hrefOf('train')))}
        >
          {checkpoint ? `Resume from step ${format.count(checkpoint.step)}` : 'Resume'}
        </Button>
        <Button
          icon="fork"
          obstacle={
            held === undefined
              ? 'No weights saved. Weights are saved while a run trains.'
              : open
                ? 'Stop the current run first.'
                : undefined
          }
          title={
            checkpoint
              ? 'Start a new run with these settings, weights, and the state of the optimiser'
              : 'Start a new run with these settings and weights'
          }
          onPress={() => void show(forkRun(record))}
        >
          {held === undefined ? 'Fork' : `Fork from step ${format.count(held)}`}
        </Button>
        <Button
          icon="download"
          title="Download settings, metrics, model, weights and checkpoint as a zip"
          onPress={() => void show(exportRun(record))}
        >
          Export
        </Button>
        <Button
          icon="download"
          obstacle={held === undefined ? 'No weights saved.' : undefined}
          title="Save the network with its weights for ONNX, TensorFlow.js, Keras and others"
          onPress={() => setExporting(true)}
        >
          Export model…
        </Button>
        <Button
          icon="lens"
          obstacle={held === undefined ? 'No weights saved.' : undefined}
          title="Classify a test set or your own images with these weights"
          onPress={() => {
            usePredict.setState({ chosen: record.id });
            go(hrefOf('inspect', 'predict'));
          }}
        >
          Predict
        </Button>
        <Button
          icon="image"
          title="Save a picture of this run to share"
          onPress={() => void shareCard(record)}
        >
          Share card
        </Button>
        <Button
          icon="trash"
          obstacle={here || record.live === 'elsewhere' ? 'This run is open. Stop it first.' : undefined}
          onPress={() => onDelete(record)}
        >
          Delete
        </Button>
      </div>
      {exporting && (
        <ExportDialog
          subjects={[{ title: record.name, source: { run: record.id } }]}
          onClose={() => setExporting(false)}
        />
      )}
      {error && (
        <FailureNotice title="Something went wrong" error={error} onDismiss={() => setError(undefined)} />
      )}
      <Figures record={record} />
      <Curves records={[record]} />
      {changed && before && (
        <p className={`soft ${styles.changed}`}>
          Differs from{' '}
          <a href={hrefOf('runs', before.id)} className={styles.parent}>
            {before.name}
          </a>
          : {changed}
        </p>
      )}
      <div className={styles.fields}>
        <label htmlFor={nameId}>Name</label>
        <input
          id={nameId}
          key={`${record.id} ${record.name}`}
          defaultValue={record.name}
          maxLength={80}
          onBlur={(event) => {
            const name = event.target.value.trim();
            if (name === '') event.target.value = record.name;
            else if (name !== record.name) void show(changeRun(record.id, { name }));
          }}
        />
        <label htmlFor={noteId}>Note</label>
        <textarea
          id={noteId}
          key={`${record.id} note ${record.note}`}
          defaultValue={record.note}
          maxLength={10_000}
          rows={2}
          placeholder="Add a note…"
          onBlur={(event) => {
            const note = event.target.value;
            if (note !== record.note) void show(changeRun(record.id, { note }));
          }}
        />
      </div>
      {confusion && (
        <details className={styles.more} open>
          <summary>Confusion matrix</summary>
          <Confusion classes={record.classes} counts={Uint32Array.from(confusion)} />
        </details>
      )}
      <details className={styles.more}>
        <summary>Settings</summary>
        <Facts
          of={[...settingLines(record.config), originLine(record, kept ?? [])].map(({ title, value }) => [
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

/** The run in a few numbers. */
function Figures({ record }: { record: RunRecord }) {
  const { step, epoch, trainedMs, bytes } = record;
  const best = bestAccuracy(record);
  const rate = rateOf(record);
  const figures: [string, string][] = [
    ['Accuracy', best === undefined ? '–' : format.percent(best, 2)],
    ['Steps', format.count(step)],
    ['Epochs', format.count(epoch)],
    ['Time', trainedMs > 0 ? format.time(trainedMs) : '–'],
    ['Images/s', rate === undefined ? '–' : format.rate(rate)],
    ['Storage', format.bytes(bytes)],
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(([title, value]) => (
        <div key={title}>
          <dt className="fine">{title}</dt>
          <dd className="numbers">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Tests({ record: { evaluations } }: { record: RunRecord }) {
  if (evaluations.length === 0) return null;
  return (
    <details className={styles.more}>
      <summary>Test results ({format.count(evaluations.length)})</summary>
      <TestTable
        className={styles.settings}
        caption="Results on the test set, the last twenty"
        evaluations={evaluations}
      />
    </details>
  );
}

const DIRECTIONS = ['fprop', 'dgrad', 'wgrad'] as const;

function Algorithms({ record: { choices } }: { record: RunRecord }) {
  const layers = Object.entries(choices);
  if (layers.length === 0) return null;
  return (
    <details className={styles.more}>
      <summary>Convolution algorithms</summary>
      <DataTable
        caption="Which algorithm computed each convolution, by direction"
        className={styles.settings}
        rows={layers}
        keyOf={([layer]) => layer}
        columns={[
          { title: 'Layer', render: ([layer]) => layer },
          ...DIRECTIONS.map((direction) => ({
            title: direction,
            render: ([, uses]: (typeof layers)[number]) => uses[direction]?.algorithm ?? '–',
          })),
        ]}
      />
    </details>
  );
}

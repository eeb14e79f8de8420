import { useId, useState } from 'react';
import type { FailureValue, Result } from '../../../base/result.ts';
import { TestTable } from '../../charts/curve/TestTable.tsx';
import { Button } from '../../components/Button.tsx';
import { Facts } from '../../components/Facts.tsx';
import { Heads } from '../../components/Heads.tsx';
import { FailureNotice } from '../../components/Notice.tsx';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { settingLines } from './differences.ts';
import { originLine } from '../../journal/origin.ts';
import { changeRun, exportRun, forkRun } from './manage.ts';
import type { RunRecord } from '../../journal/record.ts';
import { runIsOpen } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import styles from './Runs.module.css';
import { useRuns } from '../../journal/runs-store.ts';
import { usePredict } from '../../predict-store.ts';
import { go, hrefOf } from '../../route.ts';

interface DetailsProps {
  record: RunRecord;
  onDelete(record: RunRecord): void;
}

/** One run: its actions, and all that is saved of it. */
export function Details({ record, onDelete }: DetailsProps) {
  const [error, setError] = useState<FailureValue>();
  const open = useApp((state) => runIsOpen(state.runState));
  const current = useApp((state) => open && state.runConfig?.record === record.config.record);
  const kept = useRuns((state) => state.records);
  const [nameId, noteId] = [useId(), useId()];
  const show = async (work: Promise<Result<void>>) => {
    const answer = await work;
    setError(answer.ok ? undefined : answer.error);
  };
  const noFork = !record.weights
    ? 'No weights saved. Weights are saved when a run is paused or stopped.'
    : open
      ? 'Stop the current run first.'
      : undefined;
  return (
    <Panel title={record.name} explanation={aboutOf(record)}>
      <div className={`row ${styles.actions}`}>
        <Button
          icon="fork"
          kind="primary"
          obstacle={noFork}
          title="Start a new run with these settings and weights"
          onPress={() => void show(forkRun(record))}
        >
          {record.weights ? `Fork from step ${format.count(record.weights.step)}` : 'Fork'}
        </Button>
        <Button
          icon="lens"
          obstacle={record.weights ? undefined : 'No weights saved.'}
          title="Classify a test set or your own images with these weights"
          onPress={() => {
            usePredict.setState({ chosen: record.id });
            go(hrefOf('inspect', 'predict'));
          }}
        >
          Predict
        </Button>
        <Button
          icon="download"
          title="Download settings, metrics, model and weights as a zip"
          onPress={() => void show(exportRun(record))}
        >
          Export
        </Button>
        <Button
          icon="trash"
          obstacle={current ? 'This run is active. Stop it first.' : undefined}
          onPress={() => onDelete(record)}
        >
          Delete
        </Button>
      </div>
      {error && (
        <FailureNotice title="Something went wrong" error={error} onDismiss={() => setError(undefined)} />
      )}
      <div className={styles.fields}>
        <label htmlFor={nameId}>Name</label>
        <input
          id={nameId}
          key={`${record.id} name`}
          defaultValue={record.name}
          maxLength={80}
          onBlur={(event) => {
            const name = event.target.value.trim();
            if (name === '') event.target.value = record.name;
            else if (name !== record.name) void changeRun(record.id, { name });
          }}
        />
        <label htmlFor={noteId}>Note</label>
        <textarea
          id={noteId}
          key={`${record.id} note`}
          defaultValue={record.note}
          maxLength={10_000}
          rows={2}
          placeholder="Add a note…"
          onBlur={(event) => {
            if (event.target.value !== record.note) void changeRun(record.id, { note: event.target.value });
          }}
        />
      </div>
      <details className={styles.more} open>
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
    </Panel>
  );
}

/** "LeNet-5 on Synthetic digits, 938 steps (1 epoch) in 12.3 s on NVIDIA H200." */
function aboutOf({ model, dataset, step, epoch, trainedMs, adapter, weights }: RunRecord): string {
  const epochs = `${format.count(epoch)} ${epoch === 1 ? 'epoch' : 'epochs'}`;
  const where = adapter ? ` on ${adapter}` : '';
  const held = weights
    ? ` Checkpoint: step ${format.count(weights.step)}, ${format.bytes(weights.bytes)}.`
    : '';
  return `${model} on ${dataset}, ${format.count(step)} steps (${epochs}) in ${format.time(trainedMs)}${where}.${held}`;
}

function Tests({ record: { evaluations } }: { record: RunRecord }) {
  if (evaluations.length === 0) return null;
  return (
    <details className={styles.more}>
      <summary>Test results ({format.count(evaluations.length)})</summary>
      <TestTable
        className={styles.settings}
        caption={<span className="unseen">Results on the test set, the last twenty</span>}
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
      <table className={styles.settings}>
        <caption className="unseen">Which algorithm computed each convolution, by direction</caption>
        <Heads of={['Layer', ...DIRECTIONS]} />
        <tbody>
          {layers.map(([layer, uses]) => (
            <tr key={layer}>
              <th scope="row">{layer}</th>
              {DIRECTIONS.map((direction) => (
                <td key={direction}>{uses[direction]?.algorithm ?? '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

import { useId, useState } from 'react';
import { bestEvaluation } from '../../../run/metrics/rows.ts';
import { chosenSettings, obstacleToDevice } from '../../actions/start.ts';
import { Button } from '../../widgets/Button.tsx';
import { DataTable } from '../../widgets/DataTable.tsx';
import { FailureNotice } from '../../widgets/Notice.tsx';
import { inRange } from '../../widgets/number-rule.ts';
import { NumberControl } from '../../widgets/NumberField.tsx';
import { Select } from '../../widgets/Select.tsx';
import * as format from '../../format.ts';
import { bestAccuracy, testedOn, type RunRecord } from '../../journal/record.ts';
import { useRuns } from '../../journal/runs-store.ts';
import { useLive } from '../../metrics/use-live.ts';
import { modelTitle } from '../../measured-run.ts';
import { hrefOf, note } from '../../route.ts';
import { runIsOpen, runStanding } from '../../state/run.ts';
import { trainImagesOf } from '../../state/data.ts';
import { useApp } from '../../state/store.ts';
import { runs as texts } from '../../messages/en/runs.tsx';
import { VERBS } from '../verbs.ts';
import styles from './Runs.module.css';
import {
  gridOf,
  MAX_CELLS,
  readNumbers,
  startSweep,
  stopSweep,
  sweepSeconds,
  useSweep,
  type Grid,
} from './sweep.ts';

const EPOCHS = inRange({ whole: true, least: 1 });

/** Learning rate by batch size: what to train, and the accuracies as they come. */
export function SweepPane() {
  const { id, running, error } = useSweep();
  const records = useRuns((runs) => runs.records) ?? [];
  const sweeps = [...new Map(records.flatMap(({ sweep }) => (sweep ? [[sweep.id, sweep.name]] : [])))];
  const shown = id ?? sweeps.at(-1)?.[0];
  const runs = records.filter(({ sweep }) => sweep && sweep.id === shown);
  return (
    <>
      <SweepForm records={records} />
      {error && (
        <FailureNotice
          title={texts.sweep.ended}
          error={error}
          onDismiss={() => useSweep.setState({ error: undefined })}
        />
      )}
      {sweeps.length > 1 && (
        <Select
          look="hidden"
          label={texts.sweep.label}
          value={shown ?? ''}
          options={sweeps.map(([one, name], i) => ({ value: one, title: `${i + 1}: ${name}` }))}
          onChange={(one) => useSweep.setState({ id: one })}
        />
      )}
      {runs.length > 0 && <SweepMap grid={gridOf(runs, running?.id === shown ? running : undefined)} />}
    </>
  );
}

/** What to train, and the button. @param records from which it is estimated how long that takes */
function SweepForm({ records }: { records: readonly RunRecord[] }) {
  const [lrText, setLrs] = useState('0.0003, 0.001, 0.003, 0.01');
  const [batchText, setBatches] = useState('64, 256');
  const [epochText, setEpochs] = useState('1');
  const [wrongEpochs, setWrongEpochs] = useState<string>();
  const [lrId, batchId, epochId] = [useId(), useId(), useId()];
  return (
    <>
      <div className={styles.fields}>
        <label htmlFor={lrId}>{texts.sweep.rates}</label>
        <input id={lrId} value={lrText} onChange={(event) => setLrs(event.target.value)} />
        <label htmlFor={batchId}>{texts.sweep.batches}</label>
        <input id={batchId} value={batchText} onChange={(event) => setBatches(event.target.value)} />
        <label htmlFor={epochId}>{texts.sweep.epochs}</label>
        <NumberControl
          id={epochId}
          value={epochText}
          rule={EPOCHS}
          onChange={setEpochs}
          onError={setWrongEpochs}
        />
      </div>
      <StartSweep
        lrs={readNumbers(lrText, false)}
        batches={readNumbers(batchText, true)}
        epochs={Number(epochText)}
        wrongEpochs={wrongEpochs}
        records={records}
      />
    </>
  );
}

interface StartSweepProps {
  /** Undefined where something else than numbers is among them. */
  lrs: number[] | undefined;
  batches: number[] | undefined;
  epochs: number;
  wrongEpochs: string | undefined;
  records: readonly RunRecord[];
}

/** Starts the sweep or stops it, and says what it does, how long that takes, or why it cannot start. */
function StartSweep({ lrs, batches, epochs, wrongEpochs, records }: StartSweepProps) {
  const running = useSweep((state) => state.running);
  const state = useApp();
  const count = (lrs?.length ?? 0) * (batches?.length ?? 0);
  const base = chosenSettings(state).config;
  const images = trainImagesOf(state, base) ?? NaN;
  const seconds = base && sweepSeconds(records, base, count * epochs * images);
  const estimate = seconds !== undefined && seconds > 0 ? format.seconds(seconds) : undefined;
  const obstacle =
    (runIsOpen(state.runState) && runStanding(state) !== 'finished' ? texts.stopFirst : undefined) ??
    (lrs && batches ? undefined : texts.sweep.notNumbers) ??
    wrongEpochs ??
    (count > MAX_CELLS ? texts.sweep.tooMany(MAX_CELLS) : undefined) ??
    (base ? obstacleToDevice(state) : texts.sweep.invalid);
  return (
    <div className={`row ${styles.actions}`}>
      {running ? (
        <Button icon="stop" kind="primary" onPress={() => void stopSweep()}>
          {texts.sweep.stop}
        </Button>
      ) : (
        <Button
          verb={VERBS.trainSweep}
          kind="primary"
          obstacle={obstacle}
          onPress={() => base && lrs && batches && void startSweep(base, lrs, batches, epochs)}
        >
          {texts.sweep.train(count)}
        </Button>
      )}
      <span className="soft" role="status">
        {running
          ? texts.sweep.progress(running.done + 1, running.lrs.length * running.batches.length)
          : (obstacle ?? (base && texts.sweep.about(modelTitle(state, base), estimate)))}
      </span>
    </div>
  );
}

/** Test accuracies by learning rate and batch size: the stronger the colour, the better. */
function SweepMap({ grid: { lrs, batches, at, best } }: { grid: Grid }) {
  const accuracies = lrs.flatMap((lr) => batches.flatMap((batch) => accuracyOf(at(lr, batch)) ?? []));
  const [low, high] = [Math.min(...accuracies), Math.max(...accuracies)];
  return (
    <>
      <DataTable
        caption={texts.sweep.caption}
        className={styles.sweep}
        rows={batches}
        keyOf={(batch) => batch}
        columns={[
          { title: texts.sweep.corner, render: (batch) => batch },
          ...lrs.map((lr) => ({
            title: String(lr),
            render(batch: number) {
              const run = at(lr, batch);
              const accuracy = accuracyOf(run);
              const heat = accuracy === undefined ? 0 : (accuracy - low) / (high - low || 1);
              return (
                run && (
                  <button
                    type="button"
                    className={styles.cell}
                    data-best={run.id === best?.id || undefined}
                    style={{
                      background: `color-mix(in srgb, var(--heat-right) ${Math.round(10 + 65 * heat)}%, var(--surface))`,
                    }}
                    title={texts.sweep.open(run.name)}
                    onClick={() => note(hrefOf('runs', run.id))}
                  >
                    <CellText run={run} />
                  </button>
                )
              );
            },
          })),
        ]}
      />
      {best && (
        <p className="row">
          <span className="soft">
            {texts.sweep.best(
              best.config.lr,
              best.config.batchSize,
              format.accuracy(bestAccuracy(best) ?? 0, testedOn(best)),
              bestEvaluation(best.evaluations)?.validationAccuracy !== undefined,
            )}
          </span>
          <Button icon="star" onPress={() => note(hrefOf('runs', best.id))}>
            {texts.sweep.openBest}
          </Button>
        </p>
      )}
    </>
  );
}

const accuracyOf = (run: RunRecord | undefined) => run && bestAccuracy(run);

/** The accuracy; of a run without one, what it does. */
function CellText({ run }: { run: RunRecord }) {
  const { step } = useLive();
  const isOpen = useRuns(({ open }) => open === run.id);
  const accuracy = bestAccuracy(run);
  if (accuracy !== undefined) return format.accuracy(accuracy, run && testedOn(run));
  if (run.state === 'failed') return texts.sweep.diverged;
  return isOpen ? texts.step(step) : '–';
}

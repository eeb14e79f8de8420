import { useState } from 'react';
import type { ConvChoice, ConvPin, SampleSpread } from '../../../worker/api.ts';
import { TimeBar } from '../../charts/bars/TimeBar.tsx';
import { timeAxis } from '../../charts/bars/time-axis.ts';
import { ask } from '../../client.ts';
import { Button } from '../../widgets/Button.tsx';
import { FileButton } from '../../widgets/FileButton.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { variantName } from '../../components/variant-name.ts';
import * as format from '../../format.ts';
import { titleOf } from '../../../run/settings/text.ts';
import { useApp } from '../../state/store.ts';
import { isRunning, progressOf } from './batch.ts';
import { Interruption, MeasureButton, useObstacle } from './controls.tsx';
import { useProgress } from './estimate.ts';
import { useCurrentModel, useUses } from './current-model.ts';
import styles from './Lab.module.css';
import { tune, useLab } from './lab-store.ts';
import type { ShownVariant } from './RaceView.tsx';
import { download, fileName } from '../../download.ts';
import { LabFooter } from './LabFooter.tsx';
import { stepVerdict, toggleChoice, withPin } from './tuning.ts';
import { TuneTable } from './TuneTable.tsx';
import { KernelReader } from './wgsl/KernelReader.tsx';

const NO_PINS: readonly ConvPin[] = [];

/** All convolutions of the current model: what was tried, what is fastest, and what that did to a training step. */
export function TuneView() {
  const current = useCurrentModel();
  const batch = useLab((state) => state.batches.tune);
  const [imported, setImported] = useState(0);
  const uses = useUses(current, `${batch?.job} ${batch?.state} ${imported}`);
  const [reading, setReading] = useState<ShownVariant>();
  const exclude = useLab((state) => state.exclude);
  const pins = useApp((state) => state.pins[current?.key ?? ''] ?? NO_PINS);
  const setPins = useApp((state) => state.setPins);
  const obstacle = useObstacle('tune');
  const running = isRunning(batch);
  if (!current) return null;

  const start = (only?: number[]) => {
    const { model, batchSize, optimizer } = current;
    const job = { model, batchSize, optimizer, pins: [...pins], exclude: [...exclude] };
    void tune(only ? { ...job, only } : job);
  };
  const toggleExcluded = (choice: ConvChoice) => useLab.setState({ exclude: toggleChoice(exclude, choice) });
  const title = `${current.title}, batch ${current.batchSize}`;
  return (
    <div className="column">
      <Panel
        title={title}
        explanation="Tuning results are saved on this machine. A run picks its algorithms when it starts and keeps them."
      >
        <div className="stack">
          <div className="row">
            <MeasureButton view="tune" onPress={() => start()}>
              {batch ? 'Tune all again' : undefined}
            </MeasureButton>
            <ResultsFile onChange={() => setImported(imported + 1)} />
          </div>
          <Progress count={uses.length} used={current.algorithm === 'auto'} />
          <Interruption view="tune" />
          <StepTime step={batch?.trainingStep ?? {}} running={running} />
          <TuneTable
            uses={uses}
            batch={batch}
            pins={pins}
            exclude={exclude}
            obstacle={obstacle ?? (running ? 'Tuning is already running.' : undefined)}
            onTune={(index) => start([index])}
            onPin={(use, choice) => setPins(current.key, withPin(pins, use, choice))}
            onExclude={toggleExcluded}
            onRead={setReading}
          />
          <Excluded exclude={exclude} onInclude={toggleExcluded} />
        </div>
        {batch && <LabFooter kind="autotune" batch={batch} title={`Autotune of ${title}`} />}
      </Panel>
      {reading && (
        <KernelReader key={JSON.stringify(reading)} reading={reading} onClose={() => setReading(undefined)} />
      )}
    </div>
  );
}

/** @param used whether runs take tuning results */
function Progress({ count, used }: { count: number; used: boolean }) {
  const batch = useLab((state) => state.batches.tune);
  const { before, after } = batch?.trainingStep ?? {};
  const { done, total } = progressOf(batch);
  const progress = useProgress('tune', batch, count, 'measurement');
  const text = ((): string => {
    if (!batch) {
      return `Verifies and times every kernel variant per layer and direction, and saves the fastest. ${progress}`;
    }
    if (batch.state === 'cancelled') return 'Stopped. Results so far are saved.';
    if (batch.state === 'done' && used) return 'Done. The next run uses these results.';
    if (batch.state === 'done')
      return `Done. The next run does not use these results: its setting “${titleOf('convAlgorithm')}” is not automatic.`;
    if (!isRunning(batch)) return '';
    if (!before) return 'Timing a training step before tuning…';
    if (done === total && !after) return 'Timing a tuned training step…';
    return progress;
  })();
  return (
    <p className="fine" role="status">
      {text}
    </p>
  );
}

interface StepTimeProps {
  step: { before?: SampleSpread; after?: SampleSpread };
  running: boolean;
}

/** What tuning did to a whole training step. */
function StepTime({ step: { before, after }, running }: StepTimeProps) {
  if (!before && !running) return null;
  const axis = timeAxis(
    'all',
    [before, after].flatMap((one) => one ?? []),
  );
  const row = (title: string, look: string, time: SampleSpread | undefined) => (
    <>
      <dt>{title}</dt>
      <dd>
        {time && axis ? (
          <>
            <TimeBar algorithm={look} axis={axis} time={time} />
            <b>{format.time(time.median)}</b>
          </>
        ) : (
          <span className="faint">{running ? 'not yet' : 'not measured'}</span>
        )}
      </dd>
    </>
  );
  return (
    <section className={`card ${styles.step}`} aria-label="Training step">
      <dl>
        {row('Step time, predicted', 'before', before)}
        {row('Step time, tuned', 'implicit_gemm', after)}
      </dl>
      <p>{before && after ? stepVerdict(before, after) : '\u00a0'}</p>
    </section>
  );
}

interface ExcludedProps {
  exclude: readonly ConvChoice[];
  onInclude(choice: ConvChoice): void;
}

/** Variants that tuning skips, each with a button that includes it again. */
function Excluded({ exclude, onInclude }: ExcludedProps) {
  if (exclude.length === 0) return null;
  return (
    <div className="row wrapping">
      <p className="fine">Excluded from tuning:</p>
      {exclude.map((choice) => (
        <Button
          key={`${choice.algorithm} ${choice.launch}`}
          icon="close"
          title="Include again"
          onPress={() => onInclude(choice)}
        >
          {`${choice.algorithm}, ${variantName(choice.launch)}`}
        </Button>
      ))}
    </div>
  );
}

/** Saves, imports and deletes the tuning results of this machine. */
function ResultsFile({ onChange }: { onChange(): void }) {
  const [status, setStatus] = useState<{ text: string; failed?: boolean }>();
  const importFile = async ([file]: File[]) => {
    const text = await file.text();
    const answer = await ask((api) => api.lab.importFound(file.name, text));
    if (answer.ok) {
      setStatus({ text: `${answer.value} ${answer.value === 1 ? 'entry' : 'entries'} imported.` });
      onChange();
    } else {
      setStatus({ text: answer.error.message, failed: true });
    }
  };
  const exportFile = async () => {
    const answer = await ask((api) => api.lab.exportFound());
    if (answer.ok) download(`${fileName('find-db', new Date())}.json`, 'application/json', answer.value);
  };
  const clear = async () => {
    const answer = await ask((api) => api.lab.deleteTuningResults());
    setStatus(answer.ok ? { text: 'Results cleared.' } : { text: answer.error.message, failed: true });
    onChange();
  };
  return (
    <>
      <Button icon="download" title="Download all tuning results as JSON" onPress={() => void exportFile()}>
        Export results
      </Button>
      <FileButton
        label="Tuning results file"
        accept="application/json,.json"
        icon="upload"
        onFiles={(files) => void importFile(files)}
      >
        Import
      </FileButton>
      <Button
        kind="quiet"
        title="Delete tuning results for this device. Runs then use predicted algorithms."
        onPress={() => void clear()}
      >
        Clear results
      </Button>
      {status && (
        <p className={status.failed ? 'error' : 'soft'} role="status">
          {status.text}
        </p>
      )}
    </>
  );
}

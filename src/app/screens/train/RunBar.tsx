import { useId, type ReactNode } from 'react';
import { ActionButton } from '../../actions/ActionButton.tsx';
import { runActions } from '../../actions/actions.ts';
import { chosenDataset, obstacleToTraining } from '../../actions/start.ts';
import * as format from '../../format.ts';
import { useLive } from '../../metrics/use-live.ts';
import { PaceSlider } from '../../pace/PaceSlider.tsx';
import { RUN_STATES, runIsOpen } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import styles from './Train.module.css';

/** The run's controls and where it stands. */
export function RunBar() {
  return (
    <section className={styles.bar} aria-label="Run">
      <Controls />
      <PaceSlider />
      <Values />
      <Hint />
      <MemoryWarning />
    </section>
  );
}

function Controls() {
  // The one that Space works on stands out.
  const first = useApp((state) => (state.runState === 'training' ? 'Pause' : 'Train'));
  const actions = useApp(runActions);
  return (
    <div className={styles.controls} role="group" aria-label="Controls">
      {actions.map((action) => (
        <ActionButton
          key={action.name}
          action={action}
          kind={action.name === first ? 'primary' : 'plain'}
          className={styles.control}
          withKey
        />
      ))}
    </div>
  );
}

/** Stands for what was not measured yet. */
const NONE = '–';

function Values() {
  const runState = useApp((state) => state.runState);
  const { curve, step, epoch, lastEvaluation } = useLive();
  const waiting = useApp((state) => !runIsOpen(state.runState) && obstacleToTraining(state) !== undefined);
  const last = curve.last;
  return (
    <div className={styles.values}>
      <Value label="Status" className={styles.state} state={runState}>
        {runState === 'idle' && waiting ? 'Not ready' : RUN_STATES[runState]}
      </Value>
      <Value label="Epoch">{format.count(epoch)}</Value>
      <Value label="Step">{format.count(step)}</Value>
      <Value label="Loss">{last ? format.loss(last.loss) : NONE}</Value>
      <Value label="Test accuracy">
        {lastEvaluation ? format.percent(lastEvaluation.testAccuracy, 2) : NONE}
      </Value>
      <Value label="Images/s">
        {last && runState === 'training' ? format.rate(last.imagesPerSecond) : NONE}
      </Value>
    </div>
  );
}

interface ValueProps {
  label: string;
  className?: string;
  state?: string;
  children: ReactNode;
}

/** An output is a live region by default; ten changes per second must not be read out. */
function Value({ label, className = '', state, children }: ValueProps) {
  const id = useId();
  return (
    <div className={`${styles.value} ${className}`} data-state={state}>
      <label htmlFor={id}>{label}</label>
      <output id={id} aria-live="off" className="numbers" data-none={children === NONE || undefined}>
        {children}
      </output>
    </div>
  );
}

/** What the person has to do before training can start. What takes only a moment by itself is left out. */
function Hint() {
  const hint = useApp((state) => {
    const dataset = chosenDataset(state);
    if (state.device !== 'ready' || !dataset || runIsOpen(state.runState)) return undefined;
    const status = dataset.status.state;
    if (dataset.shipped && (status === 'absent' || status === 'downloading')) return undefined;
    return obstacleToTraining(state);
  });
  return hint && <p className={`soft ${styles.hint}`}>{hint}</p>;
}

/** Beside the controls, because the settings with the whole estimate start folded on a phone. */
function MemoryWarning() {
  const tight = useApp((state) => (runIsOpen(state.runState) ? undefined : state.tightMemory));
  return (
    tight && (
      <p className={`${styles.hint} ${styles.warning}`} role="status">
        This run needs {format.bytes(tight.bytes)} of memory, and this device may have only{' '}
        {format.bytes(tight.budget)} for it. If the run fails or the page reloads, reduce the batch size or
        choose a smaller model.
      </p>
    )
  );
}

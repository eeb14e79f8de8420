import { useId, type ReactNode } from 'react';
import { ActionButton } from '../../actions/ActionButton.tsx';
import { isMoving, pause, runActions, train } from '../../actions/actions.ts';
import { obstacleToTraining } from '../../actions/start.ts';
import * as format from '../../format.ts';
import { useLive } from '../../metrics/use-live.ts';
import { testedOn } from '../../journal/record.ts';
import { runStanding } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import { train as texts } from '../../messages/en/train.tsx';
import styles from './RunBar.module.css';

/** The run's controls and where it stands. */
export const RunBar = () => (
  <section className={styles.bar} aria-label={texts.bar.label}>
    <Controls />
    <Values />
  </section>
);

function Controls() {
  // One button that trains and pauses, as Space does.
  const moving = useApp(isMoving);
  const others = useApp(runActions).filter((action) => action !== train && action !== pause);
  return (
    <div className={styles.controls} role="group" aria-label={texts.bar.controls}>
      <ActionButton action={moving ? pause : train} kind="primary" className={styles.first} withKey />
      {others.map((action) => (
        <ActionButton key={action.name} action={action} className={`iconic ${styles.control}`} withKey />
      ))}
    </div>
  );
}

/** Stands for what was not measured yet. */
const NONE = '–';

function Values() {
  const standing = useApp(runStanding);
  const { curve, step, epoch, lastEvaluation } = useLive();
  const isReady = useApp((state) => state.responds && obstacleToTraining(state) === undefined);
  const last = curve.last;
  return (
    <div className={styles.values} data-idle={(standing === 'idle' && step === 0) || undefined}>
      <Value label={texts.bar.status} className={styles.state} state={standing}>
        {standing === 'idle' && !isReady ? texts.bar.notReady : texts.states[standing]}
      </Value>
      <Value label={texts.bar.step}>{format.count(step)}</Value>
      <Value label={texts.bar.loss}>{last ? format.loss(last.loss) : NONE}</Value>
      <Value label={texts.bar.accuracy}>
        {lastEvaluation ? format.accuracy(lastEvaluation.testAccuracy, testedOn(lastEvaluation)) : NONE}
      </Value>
      <Value label={texts.bar.epoch} title={texts.bar.epochTitle}>
        {format.count(epoch)}
      </Value>
      <Rate />
    </div>
  );
}

/** With tests and everything else; that of the steps alone is said on hover. */
function Rate() {
  const runState = useApp((state) => state.runState);
  const { curve, stepsPerSecond } = useLive();
  const { last, batchSize } = curve;
  if (!last || runState !== 'training') return <Value label={texts.bar.rate}>{NONE}</Value>;
  const alone = last.imagesPerSecond;
  const rate = stepsPerSecond === undefined ? alone : batchSize * stepsPerSecond;
  return (
    <Value label={texts.bar.rate} title={texts.bar.rateTitle(format.rate(alone))}>
      {format.rate(rate)}
    </Value>
  );
}

interface ValueProps {
  label: string;
  title?: string;
  className?: string;
  state?: string;
  children: ReactNode;
}

/** An output is a live region by default; ten changes per second must not be read out. */
function Value({ label, title, className = '', state, children }: ValueProps) {
  const id = useId();
  return (
    <div className={`${styles.value} ${className}`} data-state={state} title={title}>
      <label htmlFor={id}>{label}</label>
      <output id={id} aria-live="off" className="numbers" data-none={children === NONE || undefined}>
        {children}
      </output>
    </div>
  );
}

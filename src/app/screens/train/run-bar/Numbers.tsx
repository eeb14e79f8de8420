import { useId, type ReactNode } from 'react';
import { obstacleToTraining } from '../../../actions/start.ts';
import * as format from '../../../format.ts';
import { useLive } from '../../../metrics/use-live.ts';
import { RUN_STATES, runIsOpen } from '../../../state/run.ts';
import { useApp } from '../../../state/store.ts';
import styles from './RunBar.module.css';

/** Stands for what was not measured yet. */
const NONE = '–';

/** The run in six numbers. */
export function Numbers() {
  const runState = useApp((state) => state.runState);
  const { curve, step, epoch, lastEvaluation } = useLive();
  const waiting = useApp((state) => !runIsOpen(state.runState) && obstacleToTraining(state) !== undefined);
  const last = curve.last;
  return (
    <div className={styles.numbers}>
      <Value label="Run state" className={styles.state} data={runState}>
        {runState === 'idle' && waiting ? 'Not ready' : RUN_STATES[runState]}
      </Value>
      <Value label="Epoch">{format.count(epoch)}</Value>
      <Value label="Step">{format.count(step)}</Value>
      <Value label="Loss">{last ? format.loss(last.loss) : NONE}</Value>
      <Value label="Test accuracy">
        {lastEvaluation ? format.percent(lastEvaluation.testAccuracy, 2) : NONE}
      </Value>
      <Value label="Images per second">
        {last && runState === 'training' ? format.rate(last.imagesPerSecond) : NONE}
      </Value>
    </div>
  );
}

interface ValueProps {
  label: string;
  className?: string;
  data?: string;
  children: ReactNode;
}

/** An output is a live region by itself; ten changes a second must not be read out. */
function Value({ label, className, data, children }: ValueProps) {
  const id = useId();
  return (
    <div className={[styles.value, className].filter(Boolean).join(' ')} data-state={data}>
      <label htmlFor={id}>{label}</label>
      <output id={id} aria-live="off" className="numbers" data-none={children === NONE || undefined}>
        {children}
      </output>
    </div>
  );
}

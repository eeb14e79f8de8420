import { useId, type ReactNode } from 'react';
import type { RunState } from '../../../worker/api.ts';
import * as format from '../../format.ts';
import { useLive } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import styles from './RunBar.module.css';

const STATE_WORDS: Record<RunState, string> = {
  idle: 'Ready',
  preparing: 'Preparing',
  training: 'Training',
  paused: 'Paused',
  recovering: 'Recovering',
  stopped: 'Stopped',
  failed: 'Failed',
};

/** The run in six numbers. A dash stands for what was not measured yet. */
export function Numbers() {
  const runState = useApp((state) => state.runState);
  const { curve, step, epoch, lastEvaluation } = useLive();
  const last = curve.last;
  const tests = lastEvaluation && `epoch ${format.count(lastEvaluation.epoch)}`;
  return (
    <div className={styles.numbers}>
      <Value label="Run state" className={styles.state} data={runState}>
        {STATE_WORDS[runState]}
      </Value>
      <Value label="Epoch">{format.count(epoch)}</Value>
      <Value label="Step">{format.count(step)}</Value>
      <Value label="Loss">{last ? format.loss(last.loss) : '–'}</Value>
      <Value label="Test accuracy" note={tests}>
        {lastEvaluation ? format.percent(lastEvaluation.testAccuracy, 2) : '–'}
      </Value>
      <Value label="Images per second">
        {last && runState === 'training' ? format.rate(last.imagesPerSecond) : '–'}
      </Value>
    </div>
  );
}

interface ValueProps {
  label: string;
  note?: string;
  className?: string;
  data?: string;
  children: ReactNode;
}

/** An output is a live region by itself; ten changes a second must not be read out. */
function Value({ label, note, className, data, children }: ValueProps) {
  const id = useId();
  return (
    <div className={[styles.value, className].filter(Boolean).join(' ')} data-state={data}>
      <label htmlFor={id}>{label}</label>
      <output id={id} aria-live="off" className="numbers">
        {children}
      </output>
      {note && <span className={styles.note}>{note}</span>}
    </div>
  );
}

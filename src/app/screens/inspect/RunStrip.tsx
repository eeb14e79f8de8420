import { ActionButton } from '../../actions/ActionButton.tsx';
import { pause, stepBatch, train } from '../../actions/actions.ts';
import * as format from '../../format.ts';
import { useLive } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import styles from './Inspect.module.css';

/** Which model is looked at, and whether it stands still. */
export function RunStrip() {
  const { step } = useLive();
  const runState = useApp((state) => state.runState);
  const moving = runState === 'training' || runState === 'preparing' || runState === 'recovering';
  return (
    <div className={styles.strip}>
      <span className="numbers">
        {step === 0 && !moving ? 'Untrained' : `After ${format.steps(step)}`}
        {runState === 'training' && ', training'}
        {runState === 'paused' && ', paused'}
      </span>
      <ActionButton action={moving ? pause : train} />
      <ActionButton action={stepBatch} />
    </div>
  );
}

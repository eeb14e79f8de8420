import type { Action } from '../../actions/action.ts';
import { pause } from '../../actions/pause.ts';
import { stepBatch } from '../../actions/step-batch.ts';
import { train } from '../../actions/train.ts';
import { Button } from '../../components/Button.tsx';
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
        {step === 0 && !moving ? 'Not trained yet' : `After ${format.steps(step)}`}
        {runState === 'training' && ', training'}
        {runState === 'paused' && ', paused'}
      </span>
      <Control action={moving ? pause : train} />
      <Control action={stepBatch} />
    </div>
  );
}

export function Control({ action, kind = 'plain' }: { action: Action; kind?: 'plain' | 'primary' }) {
  const obstacle = useApp(action.obstacle);
  return (
    <Button
      icon={action.icon}
      kind={kind}
      title={action.title}
      obstacle={obstacle}
      onPress={() => void action.perform()}
    >
      {action.name}
    </Button>
  );
}

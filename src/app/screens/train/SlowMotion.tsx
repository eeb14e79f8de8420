import { useEffect, useState, type ReactNode } from 'react';
import { obstacleToTraining, startOrContinue } from '../../actions/start.ts';
import { Button } from '../../components/Button.tsx';
import { later } from '../../components/later.tsx';
import { useApp } from '../../state/store.ts';
import styles from './Train.module.css';

const StepPhases = later('The phases of a step', async () => (await import('./StepPhases.tsx')).StepPhases);

/** How long each phase of a step is highlighted. */
const PHASE_MS = 700;

/** Trains a batch every few seconds and explains each phase of the step. It ends when the run does anything else. */
export function SlowMotion({ beside }: { beside: ReactNode }) {
  const [on, setOn] = useState(false);
  const [phase, setPhase] = useState(0);
  const obstacle = useApp(obstacleToTraining);
  const moves = useApp(({ runState }) => runState === 'training' || runState === 'preparing');

  useEffect(() => {
    if (!on) return;
    const ended = new AbortController();
    const play = async () => {
      while (!ended.signal.aborted) {
        const before = useApp.getState();
        // The run was resumed, or no step can be trained.
        if (before.runState === 'training' || obstacleToTraining(before) !== undefined) break;
        await startOrContinue((api, config) => api.stepBatch(config));
        if (useApp.getState().runError) break;
        for (const at of [0, 1, 2]) {
          setPhase(at);
          await new Promise((done) => setTimeout(done, PHASE_MS));
        }
      }
      if (!ended.signal.aborted) setOn(false);
    };
    void play();
    return () => ended.abort();
  }, [on]);

  return (
    <div className={styles.slow}>
      <div className={styles.slowHead}>
        {beside}
        <Button
          icon="clock"
          kind="quiet"
          title="Train one batch at a time, with each phase explained."
          obstacle={on ? undefined : moves ? 'Pause the run first.' : obstacle}
          onPress={() => setOn(!on)}
        >
          {on ? 'Exit slow motion' : 'Slow motion'}
        </Button>
      </div>
      {on && <StepPhases current={phase} />}
    </div>
  );
}

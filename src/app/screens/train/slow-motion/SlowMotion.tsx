import { useEffect, useState, type ReactNode } from 'react';
import { obstacleToTraining, startOrContinue } from '../../../actions/start.ts';
import { Button } from '../../../components/Button.tsx';
import { useLive } from '../../../metrics/use-live.ts';
import { useApp } from '../../../state/store.ts';
import { wordsOfStep } from './words.ts';
import styles from './SlowMotion.module.css';

/** Each part of a step is in the light for so long. */
const PART_MS = 700;

/** Trains a batch every few seconds and says what each part of the step does. It ends when the run does anything else. */
export function SlowMotion({ beside }: { beside: ReactNode }) {
  const [on, setOn] = useState(false);
  const [part, setPart] = useState(0);
  const obstacle = useApp(obstacleToTraining);
  const moves = useApp(({ runState }) => runState === 'training' || runState === 'preparing');

  useEffect(() => {
    if (!on) return;
    const ended = new AbortController();
    const play = async () => {
      while (!ended.signal.aborted) {
        const before = useApp.getState();
        // Somebody trains on, or a step cannot be taken.
        if (before.runState === 'training' || obstacleToTraining(before) !== undefined) break;
        await startOrContinue((api, config) => api.stepBatch(config));
        if (useApp.getState().runError) break;
        for (const at of [0, 1, 2]) {
          setPart(at);
          await new Promise((done) => setTimeout(done, PART_MS));
        }
      }
      if (!ended.signal.aborted) setOn(false);
    };
    void play();
    return () => ended.abort();
  }, [on]);

  return (
    <div className={styles.slow}>
      <div className={styles.head}>
        {beside}
        <Button
          icon="clock"
          kind="quiet"
          title="One batch at a time, with what happens in words."
          obstacle={on ? undefined : moves ? 'Pause first: the run trains at full speed.' : obstacle}
          onPress={() => setOn(!on)}
        >
          {on ? 'End slow motion' : 'Slow motion'}
        </Button>
      </div>
      {on && <Words part={part} />}
    </div>
  );
}

/** The parts of the last step; the one in the light stands out. */
function Words({ part }: { part: number }) {
  const { curve } = useLive();
  const config = useApp((state) => state.runConfig);
  const optimizers = useApp((state) => state.optimizers);
  const [before, last] = curve.tail.slice(-2).length === 2 ? curve.tail.slice(-2) : [undefined, curve.last];
  if (!last || !config) return <p className={styles.waiting}>The first step is being prepared…</p>;
  const title = optimizers.find(({ name }) => name === config.optimizer.name)?.title ?? '';
  return (
    <ol className={styles.parts} aria-label="What a step does">
      {wordsOfStep(last, before, config, title).map((words, at) => (
        <li key={at} aria-current={at === part ? 'step' : undefined}>
          {words}
        </li>
      ))}
    </ol>
  );
}

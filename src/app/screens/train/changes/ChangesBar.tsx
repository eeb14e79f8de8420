import { useEffect } from 'react';
import { begin, followSettings, obstacleToChanges, obstacleToFork, undo, waitingChanges } from './changes.ts';
import { Button } from '../../../components/Button.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { useApp } from '../../../state/store.ts';
import styles from './ChangesBar.module.css';

/** What was changed while a run is open and cannot act on it, with the ways on. */
export function ChangesBar() {
  useEffect(followSettings, []);
  const words = useApp((state) => waitingChanges(state).join(', '));
  const obstacle = useApp(obstacleToChanges);
  const toFork = useApp(obstacleToFork);
  if (words === '') return null;
  const count = words.split(', ').length;
  return (
    <div className={styles.bar}>
      <Notice
        kind="info"
        title={`${count} ${count === 1 ? 'change needs' : 'changes need'} a restart: ${words}`}
        actions={
          <>
            <Button
              icon="restart"
              kind="primary"
              title="A new run from step 0."
              obstacle={obstacle}
              onPress={() => void begin('restart')}
            >
              Restart with {count === 1 ? 'it' : 'them'}
            </Button>
            <Button
              icon="fork"
              title="A new run that begins with what this one has learnt."
              obstacle={toFork}
              onPress={() => void begin('fork')}
            >
              Fork from here
            </Button>
            <Button icon="undo" onPress={undo}>
              Undo
            </Button>
          </>
        }
      >
        <p>The run goes on as it was meanwhile. A fork begins with the weights that it has now.</p>
      </Notice>
    </div>
  );
}

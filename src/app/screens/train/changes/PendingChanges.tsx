import { begin, obstacleToChanges, obstacleToFork, undo } from './restart.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Explain } from '../../../widgets/Popover.tsx';
import { useApp } from '../../../state/store.ts';
import styles from './ChangesBar.module.css';

/** Changes that cannot act on the open run, with the ways to apply them. @param words separated by commas */
export function PendingChanges({ words }: { words: string }) {
  const obstacle = useApp(obstacleToChanges);
  const toFork = useApp(obstacleToFork);
  const count = words.split(', ').length;
  return (
    <section className={styles.pending} aria-label="Pending changes">
      <div className="spread">
        <h2>
          {count} pending {count === 1 ? 'change' : 'changes'}: {words}
        </h2>
        <Explain of="Pending changes">
          The current run keeps its settings until you restart or fork. A fork starts from its current
          weights.
        </Explain>
      </div>
      <Button
        icon="restart"
        kind="primary"
        title="Start a new run from step 0 with these settings."
        obstacle={obstacle}
        onPress={() => void begin('restart')}
      >
        Apply and restart
      </Button>
      <Button
        icon="fork"
        title="Start a new run from the current weights."
        obstacle={toFork}
        onPress={() => void begin('fork')}
      >
        Fork from here
      </Button>
      <Button icon="undo" onPress={undo}>
        Discard changes
      </Button>
    </section>
  );
}

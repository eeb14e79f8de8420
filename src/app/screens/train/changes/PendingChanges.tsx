import { restart } from '../../../actions/actions.ts';
import { fork, obstacleToFork, undo } from './restart.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Explain } from '../../../widgets/Popover.tsx';
import { useApp } from '../../../state/store.ts';
import { changes as texts } from '../../../messages/en/changes.tsx';
import styles from './ChangesBar.module.css';

/** Changes that cannot act on the open run, with the ways to apply them. @param words separated by commas */
export function PendingChanges({ words }: { words: string }) {
  const obstacle = useApp(restart.obstacle);
  const toFork = useApp(obstacleToFork);
  return (
    <section className={styles.pending} aria-label={texts.pending.label}>
      <div className="spread">
        <h2>{texts.pending.title(words.split(', ').length, words)}</h2>
        <Explain of={texts.pending.label}>{texts.pending.explanation}</Explain>
      </div>
      <Button
        icon="restart"
        kind="primary"
        title={texts.pending.restartTitle}
        obstacle={obstacle}
        onPress={() => void restart.perform()}
      >
        {texts.pending.restart}
      </Button>
      <Button icon="fork" title={texts.pending.forkTitle} obstacle={toFork} onPress={() => void fork()}>
        {texts.pending.fork}
      </Button>
      <Button icon="undo" onPress={undo}>
        {texts.pending.discard}
      </Button>
    </section>
  );
}

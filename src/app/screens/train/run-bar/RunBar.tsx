import { type Action, RUN_ACTIONS } from '../../../actions/actions.ts';
import { chosenDataset, obstacleToTraining } from '../../../actions/start.ts';
import { Button } from '../../../components/Button.tsx';
import { runIsOpen } from '../../../state/run.ts';
import { useApp } from '../../../state/store.ts';
import { Numbers } from './Numbers.tsx';
import styles from './RunBar.module.css';

/** What can be done with the run, and where it stands. */
export function RunBar() {
  return (
    <section className={styles.bar} aria-label="Run">
      <Controls />
      <Numbers />
      <Hint />
    </section>
  );
}

/** What has to be done before anything can be trained, where all can see it. What only takes a moment is left out. */
function Hint() {
  const hint = useApp((state) => {
    const dataset = chosenDataset(state);
    if (state.device !== 'ready' || !dataset || runIsOpen(state.runState)) return undefined;
    const status = dataset.status.state;
    if (dataset.shipped && (status === 'absent' || status === 'downloading')) return undefined;
    return obstacleToTraining(state);
  });
  return hint && <p className={styles.hint}>{hint}</p>;
}

function Controls() {
  return (
    <div className={styles.controls} role="group" aria-label="Controls">
      {RUN_ACTIONS.map((action) => (
        <Control key={action.name} action={action} />
      ))}
    </div>
  );
}

function Control({ action }: { action: Action }) {
  const obstacle = useApp(action.obstacle);
  const hotkeys = useApp((state) => state.hotkeys);
  // The one that Space would press stands out.
  const first = useApp((state) => action.name === (state.runState === 'training' ? 'Pause' : 'Train'));
  const key = action.key === ' ' ? 'Space' : action.key;
  return (
    <Button
      className={styles.control}
      icon={action.icon}
      kind={first ? 'primary' : 'plain'}
      title={key ? `${action.title} (${key})` : action.title}
      obstacle={obstacle}
      shortcut={hotkeys ? key : undefined}
      onPress={() => void action.perform()}
    >
      {action.name}
    </Button>
  );
}

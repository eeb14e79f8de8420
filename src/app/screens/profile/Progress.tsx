import { Button } from '../../components/Button.tsx';
import { Panel } from '../../components/Panel.tsx';
import { useApp } from '../../state/store.ts';
import { cancelStudy } from '../../study.ts';
import shared from './Profile.module.css';
import styles from './Progress.module.css';

const PHASES = {
  compiling: 'Compiling the step’s kernels',
  calls: 'Timing the calls on the processor',
  steps: 'Timing steps in a row',
  kernels: 'Timing each kernel on its own',
  ceilings: 'Seeing what this GPU can do at best',
} as const;

/** How far the measurement is. */
export function Progress() {
  const profiling = useApp((state) => state.profiling);
  const rests = useApp((state) => state.studyRests);
  const share = profiling?.share ?? 0;
  return (
    <Panel title="Measuring">
      <div className={styles.progress} role="status" aria-label="Profile">
        <p>{PHASES[profiling?.phase ?? 'compiling']}…</p>
        <progress value={share} max={1} aria-label="Part of the measurement that is done" />
        <Button icon="stop" onPress={() => void cancelStudy()}>
          Stop measuring
        </Button>
      </div>
      {rests && <p className={shared.note}>Training rests meanwhile, and goes on afterwards.</p>}
    </Panel>
  );
}

import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import * as format from '../../format.ts';
import { runIsOpen } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import { KeptRun } from './KeptRun.tsx';
import styles from './Notices.module.css';

/** What should be known of the run: where runs are begun and gone on with. */
export function RunNotices() {
  const runState = useApp((state) => state.runState);
  const keptRun = useApp((state) => state.keptRun);
  const enough = useApp((state) => state.enough);
  const keepError = useApp((state) => state.keepError);
  const fork = useApp((state) => state.fork);
  const setRuns = useApp((state) => state.setRuns);
  return (
    <div className={styles.notices}>
      {runState === 'idle' && keptRun && <KeptRun run={keptRun} />}
      {fork && !runIsOpen(runState) && (
        <Notice
          kind="info"
          title={`The next run begins with the weights of ${fork.name}`}
          actions={
            <Button icon="close" onPress={() => setRuns({ fork: undefined })}>
              Begin with drawn weights
            </Button>
          }
        >
          <p>
            As they were after step {format.count(fork.step)}. Change settings if you like; the model must
            stay the same.
          </p>
        </Notice>
      )}
      {enough !== undefined && (
        <Notice kind="info" title="The run rests">
          <p>{enough} Train goes on with it.</p>
        </Notice>
      )}
      {keepError && (
        <Notice
          kind="warning"
          title={
            keepError.code === 'bad-file'
              ? 'The run that was kept here is damaged'
              : 'The run is not kept for another visit'
          }
        >
          <p>
            {keepError.message}. {keepError.advice}
          </p>
        </Notice>
      )}
    </div>
  );
}

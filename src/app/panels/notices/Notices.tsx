import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import * as format from '../../format.ts';
import { load } from '../../load.ts';
import { takeUpdate } from '../../offline.ts';
import { runIsOpen } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import { KeptRun } from './KeptRun.tsx';
import { NoWebGpu } from './NoWebGpu.tsx';
import styles from './Notices.module.css';
import { WayBack } from './WayBack.tsx';

/** Whatever stands in the way, or should be known, with what to do about it. */
export function Notices() {
  const device = useApp((state) => state.device);
  const deviceError = useApp((state) => state.deviceError);
  const adapter = useApp((state) => state.adapter);
  const crash = useApp((state) => state.crash);
  const runState = useApp((state) => state.runState);
  const runError = useApp((state) => state.runError);
  const keptRun = useApp((state) => state.keptRun);
  const enough = useApp((state) => state.enough);
  const keepError = useApp((state) => state.keepError);
  const update = useApp((state) => state.update);
  const fork = useApp((state) => state.fork);
  const setRuns = useApp((state) => state.setRuns);
  return (
    <div className={styles.notices}>
      {crash !== undefined && (
        <Notice
          kind="error"
          title="The part of wgrad that trains has ended by an error"
          actions={
            <Button icon="retry" kind="primary" onPress={() => void load()}>
              Begin anew
            </Button>
          }
        >
          <p>It said: {crash}</p>
          <p>Data sets that were downloaded are kept; the run is lost.</p>
        </Notice>
      )}
      {crash === undefined && device === 'unavailable' && <NoWebGpu error={deviceError} />}
      {crash === undefined && (device === 'lost' || device === 'recovering' || runState === 'recovering') && (
        <Notice kind="warning" title="The GPU went away; wgrad is asking for it again">
          <p>
            Browsers take a GPU away when a driver restarts or memory runs short. The run goes on by itself
            from its last kept state.
          </p>
        </Notice>
      )}
      {device === 'ready' && adapter?.software && (
        <Notice kind="warning" title="No GPU here: WebGPU runs on the processor">
          <p>
            Everything works, only slowly. The browser’s adapter is {adapter.description}. If this machine has
            a GPU, turn on hardware acceleration in the browser’s settings.
          </p>
        </Notice>
      )}
      {runState === 'idle' && keptRun && <KeptRun run={keptRun} />}
      {update && (
        <Notice
          kind="info"
          title="A newer wgrad is here"
          actions={
            <Button icon="retry" onPress={takeUpdate}>
              Load the page anew
            </Button>
          }
        >
          <p>A reload brings it. A run that is under way can be resumed afterwards.</p>
        </Notice>
      )}
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
      {runError && (
        <Notice
          kind="error"
          title={runState === 'failed' ? 'The run ended by an error' : 'That could not be done'}
          actions={runState === 'failed' && runError.code === 'diverged' && <WayBack />}
        >
          <p>{runError.message}</p>
          <p>
            {runError.advice ??
              (runState === 'failed' ? 'Change the settings if they may be the cause, and train again.' : '')}
          </p>
        </Notice>
      )}
    </div>
  );
}

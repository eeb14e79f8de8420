import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import { load } from '../../load.ts';
import { takeUpdate } from '../../offline.ts';
import { useApp } from '../../state/store.ts';
import { NoWebGpu } from './NoWebGpu.tsx';
import styles from './Notices.module.css';
import { WayBack } from './WayBack.tsx';

/** Whatever stands in the way of everything, with what to do about it: on every screen. */
export function Notices() {
  const device = useApp((state) => state.device);
  const deviceError = useApp((state) => state.deviceError);
  const crash = useApp((state) => state.crash);
  const runState = useApp((state) => state.runState);
  const runError = useApp((state) => state.runError);
  const update = useApp((state) => state.update);
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

import { obstacleToDevice } from '../actions/start.ts';
import { Button } from '../components/Button.tsx';
import { later } from '../components/later.tsx';
import { Notice, NoticeStack } from '../components/Notice.tsx';
import * as format from '../format.ts';
import { rollBack } from '../saved-run.ts';
import { load } from '../load.ts';
import { takeUpdate } from '../offline.ts';
import { useApp } from '../state/store.ts';

const NoWebGpu = later('Browsers with WebGPU', async () => (await import('./NoWebGpu.tsx')).NoWebGpu);

/** What keeps the whole page from working, and what to do about it: on every screen that needs the GPU. */
export function Notices() {
  const device = useApp((state) => state.device);
  const deviceError = useApp((state) => state.deviceError);
  const crash = useApp((state) => state.crash);
  const silent = useApp((state) => !state.responds);
  const gpuBusy = useApp((state) => state.gpuBusy && state.responds);
  const runState = useApp((state) => state.runState);
  const runError = useApp((state) => state.runError);
  const update = useApp((state) => state.update);
  const reconnecting = device === 'lost' || device === 'recovering' || runState === 'recovering';
  const failed = runState === 'failed';
  return (
    <NoticeStack>
      {crash !== undefined && (
        <Notice
          kind="error"
          title="The training worker crashed"
          actions={
            <Button icon="retry" kind="primary" onPress={() => void load()}>
              Restart worker
            </Button>
          }
        >
          <p>Details: {crash}</p>
          <p>Data sets and runs are saved. After the restart, resume the run from its last checkpoint.</p>
        </Notice>
      )}
      {silent && (
        <Notice
          kind="warning"
          title="The training worker does not respond"
          actions={
            <Button icon="retry" onPress={() => void load()}>
              Restart worker
            </Button>
          }
        >
          <p>
            It is busy with one long computation, or stuck. Data sets and runs are saved: after a restart,
            resume the run from its last checkpoint.
          </p>
        </Notice>
      )}
      {gpuBusy && (
        <Notice
          kind="warning"
          title="GPU busy"
          actions={
            <>
              <Button icon="retry" onPress={() => location.reload()}>
                Reload
              </Button>
              <Button onPress={reloadOnCpu}>Reload on the CPU</Button>
            </>
          }
        >
          <p>
            The GPU has worked on one task for 5 seconds. When it finishes, everything continues; a task that
            never ends is stopped by most drivers after a while. After a reload, resume the run from its last
            checkpoint. If the GPU stays busy, use the CPU or restart the browser.
          </p>
        </Notice>
      )}
      {crash === undefined && device === 'unavailable' && <NoWebGpu error={deviceError} />}
      {crash === undefined && reconnecting && (
        <Notice kind="warning" title="GPU connection lost. Reconnecting…">
          <p>
            This happens when the driver restarts or GPU memory runs out. The run resumes automatically from
            its last checkpoint.
          </p>
        </Notice>
      )}
      {update && (
        <Notice
          kind="info"
          title="A new version is available"
          actions={
            <Button icon="retry" onPress={takeUpdate}>
              Reload
            </Button>
          }
          onDismiss={() => useApp.setState({ update: false })}
        >
          <p>Reload to update. You can resume the current run afterwards.</p>
        </Notice>
      )}
      {runError && (
        <Notice
          kind="error"
          title={failed ? 'The run failed' : 'Something went wrong'}
          actions={failed && runError.code === 'diverged' && <RollBack />}
          onDismiss={failed ? undefined : () => useApp.setState({ runError: undefined })}
        >
          <p>{format.prose(runError.message)}</p>
          <p>{format.prose(runError.advice ?? (failed ? 'Check the settings and try again.' : ''))}</p>
        </Notice>
      )}
    </NoticeStack>
  );
}

/** A GPU that hangs cannot be left otherwise: whatever waits for it waits on. */
function reloadOnCpu(): void {
  useApp.getState().setEngine('cpu');
  location.reload();
}

/** At the same learning rate the run would diverge again. */
const SLOWER = 10;

/** Returns a run that diverged to its last checkpoint, with a lower learning rate. */
function RollBack() {
  const obstacle = useApp(obstacleToDevice);
  const step = useApp((state) => state.lastGood);
  const lr = useApp((state) => state.runConfig?.lr);
  if (step === undefined || lr === undefined) return null;
  const slower = Number((lr / SLOWER).toPrecision(6));
  return (
    <Button icon="retry" kind="primary" obstacle={obstacle} onPress={() => void rollBack(slower)}>
      Return to step {format.count(step)} and set the learning rate to {slower}
    </Button>
  );
}

/** Above every screen: a part of the worker's code that could not be fetched. */
export function MissingPart() {
  const missing = useApp((state) => state.missingPart);
  if (!missing) return null;
  return (
    <NoticeStack>
      <Notice
        kind="error"
        title="Part of the app could not be loaded"
        actions={
          <Button icon="retry" onPress={() => location.reload()}>
            Reload
          </Button>
        }
        onDismiss={() => useApp.setState({ missingPart: undefined })}
      >
        <p>{missing.message}</p>
        <p>Everything else keeps working. Check your connection. Reloading interrupts the current run.</p>
      </Notice>
    </NoticeStack>
  );
}

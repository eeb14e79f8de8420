/** What keeps the page from computing, or from being the newest, and what to do about it. */
import { Button } from '../widgets/Button.tsx';
import { Notice } from '../widgets/Notice.tsx';
import { load } from '../load.ts';
import { takeUpdate } from '../offline.ts';
import { setLostAddress } from '../route.ts';
import { useApp } from '../state/store.ts';

/** The GPU works on one task for too long. */
export function GpuBusy() {
  return (
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
  );
}

/** A GPU that hangs cannot be left otherwise: whatever waits for it waits on. */
function reloadOnCpu(): void {
  useApp.getState().setEngine('cpu');
  location.reload();
}

/** The worker does not answer. */
export const WorkerSilent = () => (
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
      It is busy with one long computation, or stuck. Data sets and runs are saved: after a restart, resume
      the run from its last checkpoint.
    </p>
  </Notice>
);

export const Reconnecting = () => (
  <Notice kind="warning" title="GPU connection lost. Reconnecting…">
    <p>
      This happens when the driver restarts or GPU memory runs out. The run resumes automatically from its
      last checkpoint.
    </p>
  </Notice>
);

/** The worker ended by itself. */
export const WorkerCrashed = ({ details }: { details: string }) => (
  <Notice
    kind="error"
    about={details}
    title="The training worker crashed"
    actions={
      <Button icon="retry" kind="primary" onPress={() => void load()}>
        Restart worker
      </Button>
    }
  >
    <p>Details: {details}</p>
    <p>Data sets and runs are saved. After the restart, resume the run from its last checkpoint.</p>
  </Notice>
);

export const NewVersion = () => (
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
);

/** The address leads nowhere: what is shown instead is the nearest that there is. */
export const LostAddress = ({ address }: { address: string }) => (
  <Notice
    kind="warning"
    about={address}
    title="This address leads nowhere"
    onDismiss={() => setLostAddress(undefined)}
  >
    <p>
      There is no “{address.slice(0, 60)}” here. The link may be mistyped, or made for another version of this
      page. Choose a screen to go on.
    </p>
  </Notice>
);

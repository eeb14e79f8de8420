import { Button } from '../widgets/Button.tsx';
import { Notice } from '../widgets/Notice.tsx';
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

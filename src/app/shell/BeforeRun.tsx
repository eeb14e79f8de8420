import { Button } from '../widgets/Button.tsx';
import { Notice } from '../widgets/Notice.tsx';
import * as format from '../format.ts';
import { useRuns } from '../journal/runs-store.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp } from '../state/store.ts';

/** What should be known before a run starts; none of it is so in most visits. */
export function BeforeRun() {
  const open = useApp((state) => runIsOpen(state.runState));
  const tight = useApp((state) => state.tightMemory);
  const fork = useRuns((state) => state.fork);
  const cleared = useRuns((state) => state.cleared);
  return (
    <>
      {cleared && (
        <Notice
          kind="warning"
          title="The browser has deleted your runs"
          onDismiss={() => useRuns.setState({ cleared: false })}
        >
          <p>Browsers do this when space runs short. To keep runs safe, export them on the Runs screen.</p>
        </Notice>
      )}
      {fork && !open && (
        <Notice
          kind="info"
          about={fork.id}
          title={`The next run will be forked from ${fork.name}`}
          actions={
            <Button icon="close" onPress={() => useRuns.setState({ fork: undefined })}>
              Start from scratch instead
            </Button>
          }
        >
          <p>
            It starts from the weights at step {format.count(fork.step)}. Another data set gets a new last
            layer; the other layers must be the same.
          </p>
        </Notice>
      )}
      {tight && !open && (
        <Notice kind="warning" title="This run may need too much memory">
          <p>
            This run needs {format.memory(tight.bytes)} of memory, and this device may have only{' '}
            {format.memory(tight.budget)} for it. If the run fails or the page reloads, reduce the batch size
            or choose a smaller model.
          </p>
        </Notice>
      )}
    </>
  );
}

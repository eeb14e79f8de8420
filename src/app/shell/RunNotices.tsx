import { Button } from '../components/Button.tsx';
import { later } from '../components/later.tsx';
import { Notice, NoticeStack } from '../components/Notice.tsx';
import * as format from '../format.ts';
import { useLiveValue } from '../metrics/use-live.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp } from '../state/store.ts';
import { OtherTabs } from '../tabs/OtherTabs.tsx';
import { useRuns } from '../journal/runs-store.ts';

const Exploded = later(
  'The state of the weights',
  async () => (await import('../screens/train/changes/Exploded.tsx')).Exploded,
);
const SavedRun = later('The unfinished run', async () => (await import('./SavedRun.tsx')).SavedRun);

/** What should be known about the run, on the screen where runs are started and resumed. */
export function RunNotices() {
  const runState = useApp((state) => state.runState);
  const savedRun = useApp((state) => state.savedRun);
  const stoppedEarly = useApp((state) => state.stopReason);
  const notice = useApp((state) => state.runNotice);
  const saveError = useApp((state) => state.saveError);
  const tight = useApp((state) => state.tightMemory);
  const fork = useRuns((state) => state.fork);
  const tested = useLiveValue(({ lastEvaluation }) => lastEvaluation !== undefined);
  const evaluated = tested && runState !== 'failed';
  const cleared = useRuns((state) => state.cleared);
  return (
    <NoticeStack>
      <OtherTabs />
      {evaluated && <Exploded />}
      {runState === 'idle' && savedRun && <SavedRun run={savedRun} />}
      {cleared && (
        <Notice
          kind="warning"
          title="The browser has deleted your runs"
          onDismiss={() => useRuns.setState({ cleared: false })}
        >
          <p>Browsers do this when space runs short. To keep runs safe, export them on the Runs screen.</p>
        </Notice>
      )}
      {fork && !runIsOpen(runState) && (
        <Notice
          key={fork.id}
          kind="info"
          hideable
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
      {tight && !runIsOpen(runState) && (
        <Notice kind="warning" hideable title="This run may need too much memory">
          <p>
            This run needs {format.memory(tight.bytes)} of memory, and this device may have only{' '}
            {format.memory(tight.budget)} for it. If the run fails or the page reloads, reduce the batch size
            or choose a smaller model.
          </p>
        </Notice>
      )}
      {stoppedEarly !== undefined && (
        <Notice kind="info" title="Paused early" onDismiss={() => useApp.setState({ stopReason: undefined })}>
          <p>{stoppedEarly} Select Resume to continue.</p>
        </Notice>
      )}
      {notice !== undefined && (
        <Notice
          kind="info"
          title="Other convolution algorithms"
          onDismiss={() => useApp.setState({ runNotice: undefined })}
        >
          <p>{notice}</p>
        </Notice>
      )}
      {saveError && (
        <Notice
          kind="warning"
          title={
            saveError.code === 'bad-file'
              ? 'The saved checkpoint is damaged'
              : 'This run is not being saved for your next visit'
          }
          onDismiss={() => useApp.setState({ saveError: undefined })}
        >
          <p>
            {saveError.message}. {saveError.advice}
          </p>
        </Notice>
      )}
    </NoticeStack>
  );
}

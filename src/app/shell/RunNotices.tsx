import { later } from '../components/later.tsx';
import { Notice, NoticeStack } from '../components/Notice.tsx';
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
const BeforeRun = later('What to know before a run', async () => (await import('./BeforeRun.tsx')).BeforeRun);

/** What should be known about the run, on the screen where runs are started and resumed. */
export function RunNotices() {
  const runState = useApp((state) => state.runState);
  const savedRun = useApp((state) => state.savedRun);
  const stoppedEarly = useApp((state) => state.stopReason);
  const notice = useApp((state) => state.runNotice);
  const saveError = useApp((state) => state.saveError);
  const tight = useApp((state) => state.tightMemory !== undefined);
  const fork = useRuns((state) => state.fork !== undefined);
  const tested = useLiveValue(({ lastEvaluation }) => lastEvaluation !== undefined);
  const evaluated = tested && runState !== 'failed';
  const cleared = useRuns((state) => state.cleared);
  const next = (fork || tight) && !runIsOpen(runState);
  return (
    <NoticeStack>
      <OtherTabs />
      {evaluated && <Exploded />}
      {runState === 'idle' && savedRun && <SavedRun run={savedRun} />}
      {(cleared || next) && <BeforeRun />}
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

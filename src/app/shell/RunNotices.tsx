import type { KeptRunEntry } from '../../worker/api.ts';
import { obstacleToDevice } from '../actions/start.ts';
import { Button } from '../components/Button.tsx';
import { Notice, NoticeStack } from '../components/Notice.tsx';
import * as format from '../format.ts';
import { forgetRun, resumeRun } from '../kept.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp } from '../state/store.ts';
import { useRuns } from '../journal/runs-store.ts';

/** What should be known about the run, on the screen where runs are started and resumed. */
export function RunNotices() {
  const runState = useApp((state) => state.runState);
  const savedRun = useApp((state) => state.keptRun);
  const stoppedEarly = useApp((state) => state.stopReason);
  const saveError = useApp((state) => state.keepError);
  const fork = useRuns((state) => state.fork);
  const setRun = useApp((state) => state.setRun);
  return (
    <NoticeStack>
      {runState === 'idle' && savedRun && <SavedRun run={savedRun} />}
      {fork && !runIsOpen(runState) && (
        <Notice
          kind="info"
          title={`The next run will be forked from ${fork.name}`}
          actions={
            <Button icon="close" onPress={() => useRuns.setState({ fork: undefined })}>
              Start from scratch instead
            </Button>
          }
        >
          <p>
            It starts from the weights at step {format.count(fork.step)}. You can change any setting except
            the model.
          </p>
        </Notice>
      )}
      {stoppedEarly !== undefined && (
        <Notice kind="info" title="Stopped early" onDismiss={() => setRun({ stopReason: undefined })}>
          <p>{stoppedEarly} Select Resume to train on.</p>
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
          onDismiss={() => setRun({ keepError: undefined })}
        >
          <p>
            {saveError.message}. {saveError.advice}
          </p>
        </Notice>
      )}
    </NoticeStack>
  );
}

/** A run of an earlier visit, to resume or to discard. */
function SavedRun({ run }: { run: KeptRunEntry }) {
  const obstacle = useApp(obstacleToDevice);
  const title = useApp(({ datasets }) => datasets.find(({ name }) => name === run.dataset)?.title);
  const when = new Date(run.at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Notice
      kind="info"
      title={`You have an unfinished run: ${run.model} on ${title ?? run.dataset}`}
      actions={
        <>
          <Button icon="play" kind="primary" obstacle={obstacle} onPress={() => void resumeRun(run.id)}>
            Resume from step {format.count(run.step)}
          </Button>
          <Button icon="trash" onPress={() => void forgetRun(run.id)}>
            Discard
          </Button>
        </>
      }
    >
      <p>
        Saved {when}, epoch {format.count(run.epoch + 1)}. Resuming continues exactly where it stopped.
        Starting a new run replaces it.
      </p>
      {run.passedOver.map(({ message }) => (
        <p key={message}>The latest checkpoint is damaged; this is the previous one. Details: {message}.</p>
      ))}
    </Notice>
  );
}

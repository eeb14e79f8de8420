import type { SavedRunEntry } from '../../worker/api.ts';
import { obstacleToDevice } from '../actions/start.ts';
import { Button } from '../widgets/Button.tsx';
import { Notice } from '../widgets/Notice.tsx';
import * as format from '../format.ts';
import { discardSavedRun, resumeRun } from '../saved-run.ts';
import { useApp } from '../state/store.ts';

const TITLES: Partial<Record<SavedRunEntry['standing'], string>> = {
  stopped: 'You stopped a run',
  stoppedEarly: 'A run stopped early',
};

/** A run of an earlier visit, to resume or to discard. */
export function SavedRun({ run }: { run: SavedRunEntry }) {
  const obstacle = useApp(obstacleToDevice);
  const when = format.dateAndTime(new Date(run.at));
  return (
    <Notice
      kind="info"
      about={run.id}
      title={`${TITLES[run.standing] ?? 'You have an unfinished run'}: ${run.model} on ${run.dataset}`}
      actions={
        <>
          <Button icon="play" kind="primary" obstacle={obstacle} onPress={() => void resumeRun(run.id)}>
            Resume from step {format.count(run.step)}
          </Button>
          <Button icon="trash" onPress={() => void discardSavedRun(run.id)}>
            Discard
          </Button>
        </>
      }
    >
      <p>
        Saved {when}. Resuming continues exactly where it stopped. If you start a new run, this one stays on
        the Runs screen.
      </p>
      {run.skipped.map(({ message }) => (
        <p key={message}>The latest checkpoint is damaged; this is the previous one. Details: {message}.</p>
      ))}
    </Notice>
  );
}

import type { KeptRunEntry } from '../../../worker/api.ts';
import { obstacleToDevice } from '../../actions/start.ts';
import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import * as format from '../../format.ts';
import { forgetRun, resumeRun } from '../../kept.ts';
import { useApp } from '../../state/store.ts';

/** A run of an earlier visit, which goes on if asked. */
export function KeptRun({ run }: { run: KeptRunEntry }) {
  const obstacle = useApp(obstacleToDevice);
  const title = useApp(({ datasets }) => datasets.find(({ name }) => name === run.dataset)?.title);
  const when = new Date(run.at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Notice
      kind="info"
      title={`A run of ${run.model} on ${title ?? run.dataset} is kept here`}
      actions={
        <>
          <Button icon="play" kind="primary" obstacle={obstacle} onPress={() => void resumeRun(run.id)}>
            Resume the run of step {format.count(run.step)}
          </Button>
          <Button icon="stop" onPress={() => void forgetRun(run.id)}>
            Forget it
          </Button>
        </>
      }
    >
      <p>
        Kept on {when}, in epoch {format.count(run.epoch + 1)}. It goes on as if it had never been away. A new
        run takes its place.
      </p>
      {run.passedOver.map(({ message }) => (
        <p key={message}>The last one that was kept is damaged, this is the one before: {message}.</p>
      ))}
    </Notice>
  );
}

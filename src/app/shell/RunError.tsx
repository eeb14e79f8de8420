import { obstacleToDevice } from '../actions/start.ts';
import { Button } from '../widgets/Button.tsx';
import { Notice } from '../widgets/Notice.tsx';
import * as format from '../format.ts';
import { TryRates } from './NotLearning.tsx';
import { rollBack } from '../saved-run.ts';
import { useApp } from '../state/store.ts';

/** Why a run failed, or what went wrong otherwise. */
export function RunError() {
  const runError = useApp((state) => state.runError);
  const failed = useApp(({ runState }) => runState === 'failed');
  if (!runError) return null;
  return (
    <Notice
      kind="error"
      title={failed ? 'The run failed' : 'Something went wrong'}
      actions={
        failed &&
        runError.code === 'diverged' && (
          <>
            <TryRates />
            <RollBack />
          </>
        )
      }
      about={runError}
      onDismiss={failed ? undefined : () => useApp.setState({ runError: undefined })}
    >
      <p>{format.prose(runError.message)}</p>
      <p>{format.prose(runError.advice ?? (failed ? 'Check the settings and try again.' : ''))}</p>
    </Notice>
  );
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
    <Button icon="undo" obstacle={obstacle} onPress={() => void rollBack(slower)}>
      Return to step {format.count(step)} and set the learning rate to {slower}
    </Button>
  );
}

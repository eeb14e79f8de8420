import { obstacleToDevice } from '../../actions/start.ts';
import { Button } from '../../components/Button.tsx';
import * as format from '../../format.ts';
import { goBack } from '../../kept.ts';
import { useApp } from '../../state/store.ts';

/** A tenth: as it was, the run would come to the same end again. */
const SLOWER = 10;

/** Takes a run that diverged back to its last good state. */
export function WayBack() {
  const obstacle = useApp(obstacleToDevice);
  const step = useApp((state) => state.lastGood);
  const lr = useApp((state) => state.runConfig?.optimizer.lr);
  if (step === undefined || lr === undefined) return null;
  const slower = Number((lr / SLOWER).toPrecision(6));
  return (
    <Button icon="retry" kind="primary" obstacle={obstacle} onPress={() => void goBack(slower)}>
      Go back to step {format.count(step)}, with a learning rate of {slower}
    </Button>
  );
}

import { chosenSettings } from '../../actions/start.ts';
import { Button } from '../../components/Button.tsx';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { obstacleToMeasuring } from '../../measured-run.ts';
import { cancelProfile, profileStep, useProfile } from '../profile/profile-store.ts';
import styles from './ModelHead.module.css';
import { datasetFor, useKnown, useModel } from './use-known.ts';

/** Measures a training step of the model, so that every layer can say what it takes. */
export function TimeAStep() {
  const model = useModel();
  const { mistakes } = useKnown();
  const busy = useProfile((state) => state.progress !== undefined);
  const share = useProfile((state) => state.progress?.share ?? 0);
  const error = useProfile((state) => state.error);
  const device = useApp((state) => obstacleToMeasuring(state, chosenSettings(state).config));
  const measure = () => {
    const state = useApp.getState();
    const { config } = chosenSettings(state);
    const dataset = datasetFor(state, model);
    if (config && dataset) void profileStep({ ...config, model, dataset: dataset.name });
  };
  if (busy) {
    return (
      <Button icon="stop" onPress={() => void cancelProfile()}>
        Stop timing, {format.percent(share, 0)}
      </Button>
    );
  }
  return (
    <>
      <Button
        icon="clock"
        title="Measures a training step, layer by layer; a run that trains rests meanwhile"
        obstacle={mistakes.length > 0 ? 'The model has a mistake, or is not finished.' : device}
        onPress={measure}
      >
        Time a step
      </Button>
      {error && (
        <p className={styles.error} role="alert">
          {error.message}
        </p>
      )}
    </>
  );
}

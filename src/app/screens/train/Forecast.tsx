import { allEpochsCompleted } from '../../actions/actions.ts';
import { chosenDataset, obstacleToTraining } from '../../actions/start.ts';
import { stepsPerEpochOf } from '../../charts/curve/epochs.ts';
import * as format from '../../format.ts';
import { epochOf, secondsPerStep } from '../../metrics/forecast.ts';
import { useLive } from '../../metrics/use-live.ts';
import { paceOf } from '../../pace/pace.ts';
import { runHasPaused, runIsOpen } from '../../state/run.ts';
import { useApp, type AppState } from '../../state/store.ts';
import styles from './Train.module.css';

/**
 * What comes next: the time to the end of the epoch, to the end of the run, and to the target accuracy; before a run, what
 * the person has to do.
 */
export function Forecast() {
  const { curve, step, epoch, evaluations } = useLive('tables');
  const epochLength = useApp(stepsPerEpochOf);
  const state = useApp(({ runState }) => runState);
  const epochs = useApp(({ runConfig }) => runConfig?.epochs);
  const completed = useApp(allEpochsCompleted);
  const target = useApp(({ runConfig }) => runConfig?.stopAccuracy);
  const obstacle = useApp(toDoFirst);
  const slowest = useApp((app) => 1 / paceOf(app));
  const text = (() => {
    if (obstacle !== undefined) return obstacle;
    if (state === 'idle') return 'Select Train to start.';
    if (state === 'stopped') return 'Stopped. Train starts a new run; this one can be resumed.';
    if (completed) return 'Paused: all epochs completed.';
    if (runHasPaused(state)) return 'Select Resume to continue.';
    if (curve.count === 0 || state !== 'training') return '';
    // No faster than the chosen pace, also just after it was chosen.
    const pace = Math.max(secondsPerStep(curve.points, curve.count), slowest);
    return forecast({ step, epoch, epochs, target, epochLength, pace, evaluations });
  })();
  return (
    <p className={`soft numbers ${styles.forecast}`} title={text}>
      {format.prose(text)}
    </p>
  );
}

/** What the person has to do before training can start. What takes only a moment by itself is left out. */
function toDoFirst(state: AppState): string | undefined {
  const dataset = chosenDataset(state);
  if (state.device === 'unavailable') return obstacleToTraining(state);
  if (state.device !== 'ready' || !dataset || runIsOpen(state.runState)) return undefined;
  const status = dataset.status.state;
  if (dataset.shipped && (status === 'absent' || status === 'downloading')) return undefined;
  return obstacleToTraining(state);
}

interface Progress {
  step: number;
  /** Completed epochs. */
  epoch: number;
  /** Of the whole run; undefined if it has no end. */
  epochs: number | undefined;
  /** The accuracy at which the run stops early, 0 to 1. */
  target: number | undefined;
  /** Steps per epoch. */
  epochLength: number;
  /** Seconds per step; NaN before it is known. */
  pace: number;
  evaluations: Parameters<typeof epochOf>[1];
}

/** The forecast of a run that trains, as a sentence; empty while the pace is unknown, and after the last step. */
export function forecast({ step, epoch, epochs, target, epochLength, pace, evaluations }: Progress): string {
  const until = (end: number) => {
    const left = Math.max(0, end * epochLength - step) * pace;
    return left < 1 ? 'less than 1 s' : `about ${format.seconds(left)}`;
  };
  // The last test follows the last step.
  if (epochs !== undefined && epoch >= epochs) return '';
  const ofEpoch = epochs !== epoch + 1 && `${until(epoch + 1)} left in this epoch`;
  const ofRun = epochs !== undefined && `${until(epochs)} ${ofEpoch ? '' : 'left '}in the run`;
  const parts = [[ofEpoch, ofRun].filter(Boolean).join(', ')];
  if (target !== undefined && !evaluations.some(({ testAccuracy }) => testAccuracy >= target)) {
    const at = epochOf(target, evaluations);
    const wanted = format.percent(target);
    if (at === undefined) parts.push(`not enough data to estimate when accuracy reaches ${wanted}`);
    else if (at > epoch)
      parts.push(`at this rate, ${wanted} around epoch ${format.count(at)}, in ${until(at)}`);
  }
  const [first = '', ...more] = parts.join('; ');
  return Number.isNaN(pace) || first === '' ? '' : `${first.toUpperCase()}${more.join('')}.`;
}

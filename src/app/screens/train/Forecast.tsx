import { choosingAccuracy } from '../../../run/metrics/rows.ts';
import { chosenDataset, obstacleToTraining } from '../../actions/start.ts';
import { stepsPerEpochOf } from '../../charts/curve/epochs.ts';
import * as format from '../../format.ts';
import { epochOf, secondsPerStep } from '../../metrics/forecast.ts';
import { useLive } from '../../metrics/use-live.ts';
import { paceOf } from '../../pace/pace.ts';
import { runIsOpen, runStanding } from '../../state/run.ts';
import { useApp, type AppState } from '../../state/store.ts';
import { train as texts } from '../../messages/en/train.tsx';
import styles from './Train.module.css';

/**
 * What comes next: the time to the end of the epoch, to the end of the run, and to the target accuracy; before a run, what
 * the person has to do.
 */
export function Forecast() {
  const { curve, step, epoch, evaluations } = useLive('tables');
  const epochLength = useApp(stepsPerEpochOf);
  const state = useApp(runStanding);
  const epochs = useApp(({ runConfig }) => runConfig?.epochs);
  const target = useApp(({ runConfig }) => runConfig?.stopAccuracy);
  const obstacle = useApp(toDoFirst);
  const slowest = useApp((app) => 1 / paceOf(app));
  const text = (() => {
    if (obstacle !== undefined) return obstacle;
    if (state === 'idle') return texts.forecast.start;
    if (state === 'stopped') return texts.forecast.stopped;
    if (state === 'finished') return texts.forecast.finished;
    if (state === 'stoppedEarly') return texts.forecast.stoppedEarly;
    if (state === 'paused') return texts.forecast.paused;
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
  const words = texts.forecast;
  const until = (end: number) => {
    const left = Math.max(0, end * epochLength - step) * pace;
    return left < 1 ? words.moment : words.about(format.seconds(left));
  };
  // The last test follows the last step.
  if (epochs !== undefined && epoch >= epochs) return '';
  const parts = [
    epochs === undefined
      ? words.epoch(until(epoch + 1))
      : epochs === epoch + 1
        ? words.run(until(epochs))
        : words.epochAndRun(until(epoch + 1), until(epochs)),
  ];
  if (target !== undefined && !evaluations.some((one) => choosingAccuracy(one) >= target)) {
    const at = epochOf(target, evaluations);
    const wanted = format.percent(target);
    if (at === undefined) parts.push(words.unknown(wanted));
    else if (at > epoch) parts.push(words.reached(wanted, at, until(at)));
  }
  const [first = '', ...more] = parts.join('; ');
  return Number.isNaN(pace) || first === '' ? '' : `${first.toUpperCase()}${more.join('')}.`;
}

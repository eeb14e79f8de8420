import { stepsAnEpoch } from '../../../charts/curve/epochs.ts';
import * as format from '../../../format.ts';
import { epochOf, secondsPerStep } from '../../../metrics/forecast.ts';
import { useLive } from '../../../metrics/use-live.ts';
import { useApp } from '../../../state/store.ts';
import styles from './CurvesPanel.module.css';

/** What is still to come: the time to the epoch's and the run's end, and to the accuracy that is wanted. */
export function Forecast() {
  const { curve, step, epoch, evaluations } = useLive();
  const an = useApp(stepsAnEpoch);
  const state = useApp(({ runState }) => runState);
  const epochs = useApp(({ runConfig }) => runConfig?.epochs);
  const target = useApp(({ runConfig }) => runConfig?.stops?.accuracy);
  if (state === 'idle')
    return <p className={styles.forecast}>Press Train, or watch a step at a time in slow motion.</p>;
  if (state === 'stopped')
    return <p className={styles.forecast}>Stopped: Train begins a new run, with the settings as they are.</p>;
  if (curve.count === 0 || (state !== 'training' && state !== 'paused'))
    return <p className={styles.forecast} />;
  const pace = secondsPerStep(curve.points, curve.count);
  const until = (end: number) => format.seconds(Math.max(0, end * an - step) * pace);
  const parts: string[] = [];
  if (epochs !== undefined && epoch >= epochs) parts.push(`All ${epochs} epochs are done`);
  else {
    if (epochs !== epoch + 1) parts.push(`Epoch ${epoch + 1} ends in about ${until(epoch + 1)}`);
    if (epochs !== undefined) parts.push(`the run of ${epochs} epochs in about ${until(epochs)}`);
  }
  if (target !== undefined) {
    const at = epochOf(target, evaluations);
    const wanted = format.percent(target);
    if (evaluations.some(({ testAccuracy }) => testAccuracy >= target)) parts.push(`${wanted} are reached`);
    else if (at === undefined) parts.push(`when it gets to ${wanted} cannot be told yet`);
    else if (at > epoch)
      parts.push(
        `${wanted} would come in epoch ${format.count(at)}, in about ${until(at)}, if it goes on so`,
      );
  }
  const words = parts.join('; ');
  const told = Number.isNaN(pace) || words === '' ? '' : `${words[0].toUpperCase()}${words.slice(1)}.`;
  return <p className={styles.forecast}>{told}</p>;
}

import { labelOf, pauseOrResume } from '../actions/actions.ts';
import { Icon } from '../widgets/Icon.tsx';
import * as format from '../format.ts';
import type { Curve } from '../metrics/curve.ts';
import { useLive } from '../metrics/use-live.ts';
import { hrefOf } from '../route.ts';
import { runStanding } from '../state/run.ts';
import { useApp } from '../state/store.ts';
import { train as texts } from '../messages/en/train.tsx';
import styles from './RunChip.module.css';

/** The run on every screen, once there is one: its state, its loss so far, its accuracy, and Pause or Resume. */
export function RunChip() {
  const hasRun = useApp((state) => state.runId > 0);
  return hasRun && <Chip />;
}

function Chip() {
  const standing = useApp(runStanding);
  const { curve, step, lastEvaluation } = useLive();
  const state = texts.states[standing];

  const images = useApp(
    ({ datasets, runConfig }) => datasets.find(({ name }) => name === runConfig?.dataset)?.counts.test,
  );
  const accuracy = lastEvaluation ? format.accuracy(lastEvaluation.testAccuracy, images) : '–';
  const on = lastEvaluation && images ? ` (${format.measuredOn(lastEvaluation.testAccuracy, images)})` : '';
  const title = `${state}, step ${format.count(step)}, last test accuracy ${accuracy}${on}`;
  return (
    <section className={styles.chip} data-state={standing} aria-label="Current run">
      <a className={styles.run} href={hrefOf('train')} title={title}>
        <span className={styles.dot} />
        <span className="unseen">{state}, last test accuracy</span>
        <Sparkline curve={curve} />
        <span className={`numbers ${styles.accuracy}`}>{accuracy}</span>
      </a>
      <PauseOrResume />
    </section>
  );
}

function PauseOrResume() {
  const action = useApp(pauseOrResume);
  const obstacle = useApp((state) => action?.obstacle(state));
  const label = useApp((state) => action && labelOf(action, state));
  if (!action) return null;
  return (
    <button
      type="button"
      className={styles.button}
      title={obstacle ?? action.title}
      aria-disabled={obstacle !== undefined || undefined}
      onClick={() => {
        if (obstacle === undefined) void action.perform();
      }}
    >
      <Icon name={action.icon} />
      <span className="unseen">{label} the run</span>
    </button>
  );
}

const WIDTH = 60;
const HEIGHT = 20;
/** So that round ends are not cut off. */
const MARGIN = 2;

/** The smoothed loss of the whole run. */
function Sparkline({ curve }: { curve: Curve }) {
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <polyline points={pointsOf(curve)} />
    </svg>
  );
}

/** One point per pixel of the width at most, from the largest value at the top to the smallest at the bottom. */
export function pointsOf({ points, count }: Pick<Curve, 'points' | 'count'>): string {
  const shown = Math.min(count, WIDTH - 2 * MARGIN + 1);
  const values = Array.from(
    { length: shown },
    (_, i) => points.smoothLoss[shown === 1 ? 0 : Math.round((i * (count - 1)) / (shown - 1))],
  );
  const finite = values.filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  return values
    .flatMap((value, i) => {
      if (!Number.isFinite(value)) return [];
      const x = MARGIN + (i / Math.max(1, shown - 1)) * (WIDTH - 2 * MARGIN);
      const y = MARGIN + ((high - value) / (high - low || 1)) * (HEIGHT - 2 * MARGIN);
      return [`${Number(x.toFixed(1))},${Number(y.toFixed(1))}`];
    })
    .join(' ');
}

import { chosenDataset } from '../../actions/start.ts';
import { changesOf } from '../../charts/curve/marks.ts';
import { MetricChart } from '../../charts/curve/MetricChart.tsx';
import * as format from '../../format.ts';
import { showOrigin } from '../../journal/origin.ts';
import { useLive } from '../../metrics/use-live.ts';
import { SlowMotion } from '../../pace/SlowMotion.tsx';
import { stepMetrics } from '../../../run/metrics/table.ts';
import { useApp } from '../../state/store.ts';
import { Forecast } from './Forecast.tsx';
import styles from './Train.module.css';
import { ViewBar } from './ViewBar.tsx';

const CHARTS = stepMetrics.filter(({ chart }) => chart);

/** A chart for each metric that has one, in the order of the table of metrics. */
export function CurvesPanel() {
  const classes = useApp((state) => chosenDataset(state)?.classes.length) || 10;
  return (
    <section className={styles.panel} aria-labelledby="curves">
      <h2 id="curves" className="unseen">
        Curves
      </h2>
      <ViewBar />
      <Forecast />
      <SlowMotion />
      {CHARTS.map((metric) => (
        <MetricChart key={metric.key} metric={metric} classes={classes} />
      ))}
      <ChangesList />
    </section>
  );
}

/** The settings that changed during the run, as the marks of the curves show them, and the run that it was forked from. */
function ChangesList() {
  const { adjusted } = useLive();
  const start = useApp((state) => state.runConfig?.start);
  const changes = adjusted ? changesOf(adjusted) : [];
  if (changes.length === 0 && !start) return null;
  return (
    <section className={`soft ${styles.changes}`} aria-label="Changes during this run">
      {start && <p>Forked from {showOrigin(start)}.</p>}
      {changes.length > 0 && (
        <>
          <h3>Changes during this run</h3>
          <ul>
            {changes.map(({ step, what, before, after }) => (
              <li key={`${step} ${what}`}>
                Step {format.count(step)}: {what} {before} → {after}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

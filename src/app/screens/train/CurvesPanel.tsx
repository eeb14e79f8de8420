import { chosenDataset } from '../../actions/start.ts';
import { MetricChart } from '../../charts/curve/MetricChart.tsx';
import { stepMetrics } from '../../../run/metrics/table.ts';
import { PaceSlider } from '../../pace/PaceSlider.tsx';
import { SlowMotion } from '../../pace/SlowMotion.tsx';
import { useApp } from '../../state/store.ts';
import { train as texts } from '../../messages/train.ts';
import styles from './Train.module.css';
import { ViewBar } from './ViewBar.tsx';

const CHARTS = stepMetrics.filter(({ chart }) => chart);

/** A chart for each metric that has one, in the order of the table of metrics: the large ones above the strips. */
export function CurvesPanel() {
  const classes = useApp((state) => chosenDataset(state)?.classes.length) || 10;
  const chartsOf = (size: 'large' | 'small') =>
    CHARTS.filter(({ chart }) => chart?.size === size).map((metric) => (
      <MetricChart key={metric.key} metric={metric} classes={classes} />
    ));
  return (
    <section className={styles.curves} aria-labelledby="curves">
      <h2 id="curves" className="unseen">
        {texts.curves.title}
      </h2>
      <div className={styles.tools}>
        <ViewBar />
        <PaceSlider />
      </div>
      <div className={styles.charts}>{chartsOf('large')}</div>
      <div className={styles.strips}>{chartsOf('small')}</div>
      <div className={styles.phases}>
        <SlowMotion />
      </div>
    </section>
  );
}

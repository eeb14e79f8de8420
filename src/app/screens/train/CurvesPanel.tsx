import { ActionButton } from '../../actions/ActionButton.tsx';
import { testNow } from '../../actions/actions.ts';
import { chosenDataset } from '../../actions/start.ts';
import { MetricChart } from '../../charts/curve/MetricChart.tsx';
import { stepMetrics } from '../../../run/metrics/table.ts';
import { useLiveValue } from '../../metrics/use-live.ts';
import { PaceSlider } from '../../pace/PaceSlider.tsx';
import { useApp } from '../../state/store.ts';
import { train as texts } from '../../messages/en/train.tsx';
import { Button } from '../../widgets/Button.tsx';
import styles from './Train.module.css';
import { ViewBar } from './ViewBar.tsx';

const CHARTS = stepMetrics.filter(({ chart }) => chart);

/** A chart for each metric that has one, in the order of the table of metrics: the large ones above the strips. */
export function CurvesPanel() {
  const classes = useApp((state) => chosenDataset(state)?.classes.length) || 10;
  const more = useApp((state) => state.moreCharts);
  const setMore = useApp((state) => state.setMoreCharts);
  const untested = useLiveValue(({ confusion }) => confusion === undefined);
  const hasRun = useApp((state) => state.runId > 0);
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
        <Button kind="quiet" title={texts.curves.moreTitle} expanded={more} onPress={() => setMore(!more)}>
          {texts.curves.more}
        </Button>
        {hasRun && untested && <ActionButton action={testNow} className="iconic" />}
        <PaceSlider />
      </div>
      <div className={styles.charts}>{chartsOf('large')}</div>
      {more && <div className={styles.strips}>{chartsOf('small')}</div>}
    </section>
  );
}

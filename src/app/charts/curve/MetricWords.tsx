/** What is said of a metric; fetched when somebody asks. */
import { EVERYDAY_METRICS, METRIC_HINTS, type MetricKey } from '../../../run/metrics/everyday.ts';

interface MetricWordsProps {
  name: MetricKey;
  classes: number;
}

/** In everyday words. */
export const EverydayMetric = ({ name, classes }: MetricWordsProps) => EVERYDAY_METRICS[name](classes);

export const MetricHint = ({ name, classes }: MetricWordsProps) => METRIC_HINTS[name]?.(classes);

import { EVERYDAY_METRICS, type MetricKey } from '../../../run/metrics/everyday.ts';

/** A metric in everyday words; fetched when somebody asks. */
export const EverydayMetric = ({ name, classes }: { name: MetricKey; classes: number }) =>
  EVERYDAY_METRICS[name](classes);

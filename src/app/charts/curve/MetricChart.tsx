import { useMemo, useState } from 'react';
import {
  bandKeys,
  smoothKey,
  type CurveKey,
  type LayerColumn,
  type StepMetric,
} from '../../../run/metrics/table.ts';
import type { Evaluation } from '../../../run/metrics/rows.ts';
import type { MetricKey } from '../../../run/metrics/everyday.ts';
import { termHref } from '../../glossary-link.ts';
import { Choice } from '../../widgets/Choice.tsx';
import { later } from '../../components/later.tsx';
import type { CurvePoints } from '../../metrics/curve.ts';
import { showValue } from '../../metrics/show.ts';
import { useLiveValue } from '../../metrics/use-live.ts';
import { Curve, type CurveSeries } from './Curve.tsx';
import { useApp } from '../../state/store.ts';
import { train as texts } from '../../messages/en/train.tsx';

const words = () => import('./MetricWords.tsx');
const Everyday = later('What the metric is', async () => (await words()).EverydayMetric);
const Hint = later('What the metric means', async () => (await words()).MetricHint);
const StepTable = later('The table of steps', async () => (await import('./StepTable.tsx')).StepTable);
const Ghost = later('A recorded run', async () => (await import('./Ghost.tsx')).Ghost);
const EpochTable = later('The table of epochs', async () => (await import('./StepTable.tsx')).EpochTable);

interface MetricChartProps {
  metric: StepMetric;
  /** Of the data set. */
  classes: number;
}

/** The chart of a metric, as the table of metrics describes it. */
export function MetricChart({ metric, classes }: MetricChartProps) {
  const { key, title, unit, chart, perLayer } = metric;
  const layers = useLiveValue(({ curve }) => (perLayer ? curve.layersOf(key).join() : ''));
  const series = useMemo(
    () => (perLayer ? seriesOfLayers(key, layers) : seriesOf(metric)),
    [metric, key, perLayer, layers],
  );
  const validates = useApp(({ runConfig }) => (runConfig?.validation ?? 0) > 0);
  const points = useMemo(() => evaluationsOf(chart?.evaluation, validates), [chart, validates]);
  const band = useMemo(() => (metric.band ? bandOf(key) : undefined), [metric, key]);
  const [scale, setScale] = useState(0);
  if (!chart) return null;
  const { scales, choice, size, subtitle, epochsAt } = chart;
  const { logarithmic = false, range } = scales[scale];
  const { value, tick, cell } = showValue[unit];
  return (
    <Curve
      name={key}
      title={title}
      small={size === 'small'}
      series={series}
      epochsAt={epochsAt}
      logarithmic={logarithmic}
      formatValue={value}
      formatTick={tick}
      subtitle={subtitle?.(classes)}
      explanation={{
        everyday: <Everyday name={key as MetricKey} classes={classes} />,
        more: <Hint name={key as MetricKey} classes={classes} />,
        link: termHref(title),
      }}
      points={points}
      envelope={band}
      range={range && [...range]}
      ghost={(key === 'loss' || key === 'accuracy') && <Ghost of={key} formatTick={tick} />}
      options={
        choice && (
          <Choice
            label={choice}
            value={String(scale)}
            options={Object.fromEntries(scales.map(({ label }, i) => [i, label]))}
            onChange={(to) => setScale(Number(to))}
          />
        )
      }
      tables={
        chart.table && (
          <>
            <StepTable
              caption={texts.curves.firstAndLast(title)}
              columns={[{ title, value: (row) => cell(row[key as CurveKey] ?? NaN) }]}
            />
            {chart.evaluation === 'testAccuracy' && <EpochTable />}
          </>
        )
      }
    />
  );
}

function seriesOf({ key, merge, smoothed, chart }: StepMetric): CurveSeries[] {
  const values = (points: CurvePoints) => points[key as CurveKey];
  if (!smoothed) {
    const width = merge === 'last' ? 2 : 1;
    return [{ label: chart?.line ?? '', colour: '--series-train', width, values }];
  }
  const smooth = smoothKey(key);
  return [
    { label: texts.curves.batch, colour: '--series-train-faint', width: 1, values },
    { label: texts.curves.smoothed, colour: '--series-train', width: 2, values: (points) => points[smooth] },
  ];
}

/** A line per layer, from one colour at the first layer to another at the last. @param columns joined by commas */
function seriesOfLayers(metric: string, columns: string): CurveSeries[] {
  // Before the first step: no value, as in the other charts.
  if (columns === '')
    return [{ label: '', colour: '--series-train', width: 1, values: ({ step }) => unknown(step.length) }];
  const layers = columns.split(',') as LayerColumn[];
  return layers.map((column, i) => ({
    label: (column as string).slice(metric.length + 1),
    colour: '--series-train',
    mix: { colour: '--series-test', share: i / Math.max(1, layers.length - 1) },
    width: 1,
    values: (points) => points[column] ?? unknown(points.step.length),
  }));
}

/** For a layer that the curve does not have, or no longer has. */
const unknown = (length: number) => new Float32Array(length).fill(NaN);

const bandOf = (key: string) => {
  const [low, high] = bandKeys(key);
  return {
    colour: '--series-train-band',
    low: (points: CurvePoints) => points[low],
    high: (points: CurvePoints) => points[high],
  };
};

const VALIDATION = { testLoss: 'validationLoss', testAccuracy: 'validationAccuracy' } as const;

/** @param validates images are held back to follow the run by: the test is for the end */
const evaluationsOf = (key: keyof typeof VALIDATION | undefined, validates: boolean) =>
  key && {
    label: validates ? texts.curves.validation : texts.curves.test,
    colour: '--series-test',
    value: (evaluation: Evaluation) => evaluation[validates ? VALIDATION[key] : key] ?? NaN,
  };

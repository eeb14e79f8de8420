import { useState } from 'react';
import { Curve, type CurveSeries } from '../../charts/curve/Curve.tsx';
import { changesOf } from '../../charts/curve/marks.ts';
import { EpochTable, StepTable } from '../../charts/curve/StepTable.tsx';
import { chosenDataset } from '../../actions/start.ts';
import { Choice } from '../../components/Choice.tsx';
import * as format from '../../format.ts';
import { showOrigin } from '../../journal/origin.ts';
import type { CurvePoints } from '../../metrics/curve.ts';
import { useLive } from '../../metrics/use-live.ts';
import type { Evaluation } from '../../../run/metrics/rows.ts';
import { useApp } from '../../state/store.ts';
import { SlowMotion } from './SlowMotion.tsx';
import { Forecast } from './Forecast.tsx';
import styles from './Train.module.css';
import { ViewBar } from './ViewBar.tsx';

const LOSS_SERIES: readonly CurveSeries[] = [
  { label: 'batch', colour: '--series-train-faint', width: 1, values: (points) => points.loss },
  { label: 'smoothed', colour: '--series-train', width: 2, values: (points) => points.smoothLoss },
];

const TEST_LOSS = {
  label: 'test',
  colour: '--series-test',
  value: (evaluation: Evaluation) => evaluation.testLoss,
};

const ACCURACY_SERIES: readonly CurveSeries[] = [
  { label: 'batch', colour: '--series-train-faint', width: 1, values: (points) => points.accuracy },
  { label: 'smoothed', colour: '--series-train', width: 2, values: (points) => points.smoothAccuracy },
];

const TEST_ACCURACY = {
  label: 'test',
  colour: '--series-test',
  value: (evaluation: Evaluation) => evaluation.testAccuracy,
};

const LOSS_ENVELOPE = {
  colour: '--series-train-band',
  low: (points: CurvePoints) => points.lowLoss,
  high: (points: CurvePoints) => points.highLoss,
};

const RATE_SERIES: readonly CurveSeries[] = [
  { label: 'rate', colour: '--series-train', width: 2, values: (points) => points.learningRate },
];

const NORM_SERIES: readonly CurveSeries[] = [
  { label: 'norm', colour: '--series-train', width: 1, values: (points) => points.gradientNorm },
];

const LOSS_COLUMNS = [{ title: 'Loss', value: (row: { loss: number }) => row.loss.toFixed(6) }];
const ACCURACY_COLUMNS = [
  { title: 'Accuracy', value: (row: { accuracy: number }) => format.percent(row.accuracy, 2) },
];

const wholePercent = (value: number) => format.percent(value, 0);
const finePercent = (value: number) => format.percent(value, 1);

const rate = (value: number) => String(Number(value.toPrecision(3)));

/** Loss, accuracy, learning rate and gradient norm of the run. */
export function CurvesPanel() {
  const [lossScale, setLossScale] = useState<'linear' | 'log'>('linear');
  const [accuracyScale, setAccuracyScale] = useState<'all' | 'top'>('all');
  const classes = useApp((state) => chosenDataset(state)?.classes.length) || 10;
  return (
    <section className={styles.panel} aria-labelledby="curves">
      <h2 id="curves" className="unseen">
        Curves
      </h2>
      <ViewBar />
      <SlowMotion beside={<Forecast />} />
      <Curve
        title="Loss"
        explanation={`Cross-entropy; lower is better. Random guessing over ${classes} classes gives ${format.loss(Math.log(classes))}.`}
        series={LOSS_SERIES}
        envelope={LOSS_ENVELOPE}
        points={TEST_LOSS}
        formatValue={format.loss}
        formatTick={format.loss}
        epochsAt="top"
        logarithmic={lossScale === 'log'}
        options={
          <Choice
            label="Loss scale"
            name="loss-scale"
            value={lossScale}
            options={[
              { value: 'linear', label: 'Linear' },
              { value: 'log', label: 'Log' },
            ]}
            onChange={setLossScale}
          />
        }
        tables={<StepTable caption="Loss at the first and latest steps" columns={LOSS_COLUMNS} />}
      />
      <Curve
        title="Accuracy"
        explanation="Share of images classified correctly. Test images are never trained on. Dashed lines mark epochs."
        series={ACCURACY_SERIES}
        points={TEST_ACCURACY}
        formatValue={finePercent}
        formatTick={wholePercent}
        epochsAt="bottom"
        range={accuracyScale === 'all' ? [0, 1] : [0.9, 1]}
        options={
          <Choice
            label="Accuracy range"
            name="accuracy-range"
            value={accuracyScale}
            options={[
              { value: 'all', label: '0–100 %' },
              { value: 'top', label: '90–100 %' },
            ]}
            onChange={setAccuracyScale}
          />
        }
        tables={
          <>
            <StepTable caption="Accuracy at the first and latest steps" columns={ACCURACY_COLUMNS} />
            <EpochTable />
          </>
        }
      />
      <Curve
        title="Learning rate"
        small
        series={RATE_SERIES}
        formatValue={rate}
        formatTick={rate}
        epochsAt="top"
      />
      <Curve
        title="Gradient norm"
        explanation="L2 norm of the gradient over all weights. It usually shrinks as training converges; sustained growth is a sign of divergence."
        small
        series={NORM_SERIES}
        formatValue={rate}
        formatTick={rate}
        epochsAt="top"
      />
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

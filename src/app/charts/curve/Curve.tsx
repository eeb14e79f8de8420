import { useState, type ReactNode } from 'react';
import { later } from '../../components/later.tsx';
import type { CurvePoints } from '../../metrics/curve.ts';
import type { Evaluation } from '../../../run/metrics/rows.ts';
import { useLive } from '../../metrics/use-live.ts';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import styles from './Curve.module.css';
import { colourOf, type PlotSeries } from './series.ts';

const Plot = later('The curves', async () => (await import('./Plot.tsx')).Plot);

export interface CurveSeries extends PlotSeries {
  values(points: CurvePoints): Float32Array;
}

export interface CurveProps {
  title: string;
  /** One line for learners. */
  explanation?: string;
  /** Its height is that of a chart beneath others. */
  small?: boolean;
  series: readonly CurveSeries[];
  /** The test results that belong on the same axis. */
  points?: { label: string; colour: string; value(evaluation: Evaluation): number };
  /** The least and the most of each point's steps, filled between. */
  envelope?: {
    colour: string;
    low(points: CurvePoints): Float32Array;
    high(points: CurvePoints): Float32Array;
  };
  /** Shown in the readout. */
  formatValue(value: number): string;
  /** Shown at the axis. */
  formatTick(value: number): string;
  /** Where the numbers of the epochs stand. */
  epochsAt: 'top' | 'bottom';
  logarithmic?: boolean;
  range?: [number, number];
  /** What can be chosen about the axis. */
  options?: ReactNode;
  /** The same numbers as tables. */
  tables?: ReactNode;
}

/** A curve by training step that grows while the run trains. */
export function Curve(props: CurveProps) {
  const {
    title,
    explanation,
    small = false,
    envelope,
    series,
    points,
    formatValue,
    formatTick,
    epochsAt,
    logarithmic = false,
    range,
    options,
    tables,
  } = props;
  const [cursor, setCursor] = useState<number>();
  const [open, setOpen] = useState(false);
  const begun = useBegun();
  const plot = small ? styles.smallPlot : styles.plot;
  const blank = <div className={plot} />;
  return (
    <figure className={styles.curve}>
      <figcaption className={styles.head}>
        <h3>{title}</h3>
        <Readout series={series} points={points} cursor={cursor} formatValue={formatValue} />
        {options}
      </figcaption>
      <div className={styles.stage}>
        {begun ? (
          <Plot
            meanwhile={blank}
            className={plot}
            small={small}
            series={series}
            points={points}
            envelope={envelope}
            formatTick={formatTick}
            epochsAt={epochsAt}
            logarithmic={logarithmic}
            range={range}
            onPoint={setCursor}
          />
        ) : (
          blank
        )}
        {!small && <Empty />}
      </div>
      {explanation && <p className="faint">{explanation}</p>}
      {tables && (
        <details className={styles.data} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{title} in numbers</summary>
          {open && tables}
        </details>
      )}
    </figure>
  );
}

/** Whether there has been a point to draw: the code that draws is not fetched before. */
function useBegun(): boolean {
  const { curve } = useLive();
  const [begun, setBegun] = useState(false);
  if (!begun && curve.count > 0) setBegun(true);
  return begun;
}

function Empty() {
  const { curve } = useLive();
  const preparing = useApp((state) => state.runState === 'preparing');
  if (curve.count > 0) return null;
  return (
    <p className={styles.empty}>
      {preparing ? 'Compiling the kernels and loading the images…' : 'The curve starts with the first step.'}
    </p>
  );
}

type ReadoutProps = Pick<CurveProps, 'series' | 'points' | 'formatValue'> & { cursor: number | undefined };

/** What the lines are, and their values at the cursor, or else the newest. */
function Readout({ series, points, cursor, formatValue }: ReadoutProps) {
  const { curve, evaluations } = useLive();
  const at = Math.min(cursor ?? Infinity, curve.count - 1);
  const evaluation = evaluations.findLast(
    ({ step }) => cursor === undefined || step <= curve.points.step[at],
  );
  return (
    <dl className={styles.readout}>
      {inReadout(series, curve.points, at).map((one) => (
        <div key={one.label}>
          <dt>
            <span className={styles.line} style={{ background: colourOf(one, (name) => `var(${name})`) }} />{' '}
            {one.label}
          </dt>
          <dd>{at < 0 ? '–' : formatValue(one.values(curve.points)[at])}</dd>
        </div>
      ))}
      {points && (
        <div>
          <dt>
            <span className={styles.dot} style={{ borderColor: `var(${points.colour})` }} /> {points.label}
          </dt>
          <dd>{evaluation ? formatValue(points.value(evaluation)) : '–'}</dd>
        </div>
      )}
      {cursor !== undefined && at >= 0 && (
        <div>
          <dt>at step</dt>
          <dd>{format.count(curve.points.step[at])}</dd>
        </div>
      )}
    </dl>
  );
}

/** Lines in a readout, at most. */
const MAX_LINES = 8;

/** The lines that are read out: all, or those with the lowest and the highest value where they are many. */
function inReadout(series: readonly CurveSeries[], points: CurvePoints, at: number): readonly CurveSeries[] {
  if (series.length <= MAX_LINES) return series;
  const value = (one: CurveSeries) => one.values(points)[at] ?? NaN;
  const sorted = [...series].sort((a, b) => value(a) - value(b));
  return [sorted[0], sorted[sorted.length - 1]];
}

import { useState, type ReactNode } from 'react';
import { Icon } from '../../widgets/Icon.tsx';
import { later } from '../../components/later.tsx';
import { Explain, type Explanation } from '../../widgets/Popover.tsx';
import type { CurvePoints } from '../../metrics/curve.ts';
import type { Evaluation } from '../../../run/metrics/rows.ts';
import { useLive, useLiveValue } from '../../metrics/use-live.ts';
import { useApp, type AppState } from '../../state/store.ts';
import { train as texts } from '../../messages/en/train.tsx';
import styles from './Curve.module.css';
import { isLikeRecorded } from './recorded.ts';
import { colourOf, type PlotSeries } from './series.ts';

const Plot = later('The curves', async () => (await import('./Plot.tsx')).Plot);

export interface CurveSeries extends PlotSeries {
  values(points: CurvePoints): Float32Array;
}

export interface CurveProps {
  /** By which a tour finds it: a metric's key. */
  name?: string;
  title: string;
  /** A few everyday words beside the title, where there is room. */
  subtitle?: string | undefined;
  explanation?: Explanation;
  /** A strip without axes. */
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
  /** The numbers of the curve as tables. */
  tables?: ReactNode;
  /** Behind the axes until the first step. */
  ghost?: ReactNode;
}

/** A curve by training step that grows while the run trains. */
export function Curve(props: CurveProps) {
  const { name, title, subtitle, explanation, small = false, options, tables, ghost } = props;
  const [cursor, setCursor] = useState<number>();
  const [listed, setListed] = useState(false);
  const begun = useBegun();
  return (
    <figure className={small ? styles.strip : styles.curve} data-tour={name}>
      <figcaption className={styles.head}>
        <h3>{title}</h3>
        {explanation && <Explain of={title}>{explanation}</Explain>}
        <AtStep cursor={cursor} otherwise={subtitle} />
        {options}
        {tables && (
          <button
            type="button"
            className={styles.listing}
            title={texts.curves.numbers(title)}
            aria-label={texts.curves.numbers(title)}
            aria-pressed={listed}
            onClick={() => setListed(!listed)}
          >
            <Icon name="table" />
          </button>
        )}
        <Readout {...props} cursor={cursor} most={small ? 2 : MAX_LINES} />
      </figcaption>
      <div className={styles.stage}>
        {begun ? <Plot {...props} className={styles.plot} onPoint={setCursor} /> : ghost}
        {!small && <Empty at={props.epochsAt} />}
        {listed && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
          <div className={styles.tables} role="region" aria-label={texts.curves.numbers(title)} tabIndex={0}>
            {tables}
          </div>
        )}
      </div>
    </figure>
  );
}

/** Whether there has been a point to draw, since there is a run: the code that draws is not fetched before. */
function useBegun(): boolean {
  const hasPoints = useHasPoints();
  const hasRun = useApp((state) => state.runId > 0);
  const [before, setBegun] = useState(false);
  const begun = hasPoints || (before && hasRun);
  if (begun !== before) setBegun(begun);
  return begun;
}

const useHasPoints = (): boolean => useLiveValue(({ curve }) => curve.count > 0);

/** Words instead of a curve. @param at where the curve will not be */
function Empty({ at }: { at: 'top' | 'bottom' }) {
  const hasPoints = useHasPoints();
  const words = useApp(waitingFor);
  if (hasPoints) return null;
  return (
    <p className={`numbers ${styles.empty}`} data-at={at}>
      {words}
    </p>
  );
}

/** What the first step waits for. */
function waitingFor(state: AppState): string {
  const { runState, compiling } = state;
  if (runState !== 'preparing') return isLikeRecorded(state) ? texts.curves.recorded : texts.curves.awaited;
  if (!compiling || compiling.done === compiling.total) return texts.curves.loading;
  return texts.curves.compiling(compiling.done, compiling.total);
}

/** Where the cursor is; without one, what the chart shows. */
function AtStep({ cursor, otherwise }: { cursor: number | undefined; otherwise: string | undefined }) {
  const step = useLiveValue(({ curve }) => curve.points.step[Math.min(cursor ?? -1, curve.count - 1)]);
  return (
    <span className={styles.at} title={otherwise}>
      {step === undefined ? otherwise : texts.curves.at(step)}
    </span>
  );
}

interface ReadoutProps extends Pick<CurveProps, 'series' | 'points' | 'formatValue'> {
  cursor: number | undefined;
  /** As many lines as there is room for. */
  most: number;
}

/** What the lines are, and their values at the cursor, or else the newest. */
function Readout({ series, points, cursor, formatValue, most }: ReadoutProps) {
  const { curve, evaluations } = useLive();
  const at = Math.min(cursor ?? Infinity, curve.count - 1);
  const evaluation = evaluations.findLast(
    ({ step }) => cursor === undefined || step <= curve.points.step[at],
  );
  return (
    <dl className={styles.readout}>
      {inReadout(series, most, curve.points, at).map((one) => (
        <div key={one.label}>
          <dt title={one.label}>
            <span className={styles.line} style={{ background: colourOf(one, (name) => `var(${name})`) }} />{' '}
            <span>{one.label}</span>
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
    </dl>
  );
}

/** Lines in a readout, at most. */
const MAX_LINES = 8;

/** The lines that are read out: all, or those with the lowest and the highest value where they are many. */
function inReadout(
  series: readonly CurveSeries[],
  most: number,
  points: CurvePoints,
  at: number,
): readonly CurveSeries[] {
  if (series.length <= most) return series;
  const value = (one: CurveSeries) => one.values(points)[at] ?? NaN;
  const sorted = [...series].sort((a, b) => value(a) - value(b));
  return [sorted[0], sorted[sorted.length - 1]];
}

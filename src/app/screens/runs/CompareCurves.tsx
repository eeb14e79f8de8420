import { useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import { AXIS, fromZero, token } from '../../charts/curve/plot.ts';
import { onThemeChange } from '../../components/use-ink.ts';
import * as format from '../../format.ts';
import type { RunRecord } from '../../journal/record.ts';
import { stepsBefore } from '../../journal/origin.ts';
import styles from './Runs.module.css';
import { useRuns } from '../../journal/runs-store.ts';

/** Tokens of Runs.module.css, one per run. */
const COLOURS = ['--run-1', '--run-2', '--run-3', '--run-4', '--run-5', '--run-6'] as const;

interface CompareCurvesProps {
  title: string;
  records: readonly RunRecord[];
  /** Steps and values of a run's line. */
  line(record: RunRecord): { steps: Float64Array; values: Float32Array };
  formatValue(value: number): string;
  range?: [number, number];
}

/** Points are drawn for curves of at most so many values. */
const MAX_POINTS = 40;

/** Keeps the cursors of both plots at the same step. */
const SYNC = 'runs';

/** One line per run over the same steps. A fork starts at the step where it branched off. */
export function CompareCurves({ title, records, line, formatValue, range }: CompareCurvesProps) {
  const host = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<number>();
  const [low, high] = range ?? [];
  const kept = useRuns((state) => state.records);
  const lines = useMemo(
    () =>
      records.map((record) => {
        const { steps, values } = line(record);
        const before = stepsBefore(record, kept ?? []);
        return { steps: steps.map((step) => before + step), values };
      }),
    [records, line, kept],
  );
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: element.clientHeight,
        padding: [12, 12, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, sync: { key: SYNC, scales: ['x', null] } },
        scales: {
          x: { time: false },
          y: { range: low === undefined || high === undefined ? fromZero : [low, high] },
        },
        axes: [
          { ...AXIS, size: 28, gap: 6 },
          { ...AXIS, size: 56, gap: 8, values: (_, ticks) => ticks.map(formatValue) },
        ],
        series: [
          {},
          ...records.map(({ name }, i) => ({
            label: name,
            stroke: () => token(COLOURS[i % COLOURS.length]),
            width: 2,
            // Join points across steps that only other runs have.
            spanGaps: true,
            // A single test is a point, not a line.
            points: { show: lines[i].values.length <= MAX_POINTS, size: 8, fill: () => token('--surface') },
          })),
        ],
        hooks: {
          setCursor: [
            ({ cursor: { idx }, data }) => setCursor(typeof idx === 'number' ? data[0][idx] : undefined),
          ],
        },
      },
      [[], ...records.map(() => [])] as uPlot.AlignedData,
      element,
    );
    if (lines.length > 0) {
      plot.setData(uPlot.join(lines.map(({ steps, values }) => [[...steps], [...values]])));
    }
    const stopTheme = onThemeChange(() => plot.redraw());
    const resized = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    resized.observe(element);
    return () => {
      stopTheme();
      resized.disconnect();
      plot.destroy();
    };
  }, [records, lines, low, high, formatValue]);
  return (
    <figure>
      <figcaption className="spread">
        <h3>{title}</h3>
        {cursor !== undefined && <span className="faint">at step {format.count(cursor)}</span>}
      </figcaption>
      <div ref={host} className={styles.plot} aria-hidden="true" />
      <ul
        className={`row ${styles.legend}`}
        aria-label={`${title}, ${cursor === undefined ? 'last' : 'at the cursor'}`}
      >
        {records.map(({ id, name }, i) => {
          const { steps, values } = lines[i];
          const at = cursor === undefined ? steps.length - 1 : steps.findLastIndex((step) => step <= cursor);
          return (
            <li key={id}>
              <span className={styles.line} style={{ background: `var(${COLOURS[i % COLOURS.length]})` }} />
              {name} <strong className="numbers">{at < 0 ? '–' : formatValue(values[at])}</strong>
            </li>
          );
        })}
      </ul>
    </figure>
  );
}

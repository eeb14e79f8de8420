import type { ReactNode } from 'react';
import type { BarFigure, BarLine, StudyLine, StudyResult } from '../../../worker/api.ts';
import { DataTable, type TableColumn } from '../../widgets/DataTable.tsx';
import { Foreseen } from '../../components/Foreseen.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { variantName } from '../../components/variant-name.ts';
import * as format from '../../format.ts';
import {
  casesOf,
  ratioAxis,
  ratiosOf,
  ratioText,
  shortName,
  type FigureCase,
  type FigureLane,
  type RatioAxis,
} from './figures.ts';
import styles from './Studies.module.css';

interface BarPanelProps {
  figure: BarFigure;
  /** This machine's. */
  lines: readonly StudyLine[];
  other: StudyResult | undefined;
}

/** Characters of a bar's name that take a wider chart. */
const LONG = 22;

const NONE: readonly StudyLine[] = [];

/** Bars of a study: ratios as a chart, then everything as a table. */
export function BarPanel({ figure, lines, other }: BarPanelProps) {
  const cases = casesOf(figure, lines, other?.lines ?? NONE);
  const machine = other && shortName(other);
  if (cases.length === 0) {
    return (
      <Panel title={figure.title} explanation={figure.explanation}>
        <Foreseen of="bars">
          <p>Run the study to fill this figure.</p>
        </Foreseen>
      </Panel>
    );
  }
  const axis = ratioAxis(ratiosOf(cases));
  return (
    <Panel title={figure.title} explanation={figure.explanation}>
      <div className="stack">
        <Legend figure={figure} cases={cases} machine={machine} />
        <div
          className={styles.cases}
          data-long={figure.bars.some(({ name }) => name.length > LONG) || undefined}
          role="img"
          aria-label={`${figure.title}: the chart of the table below`}
        >
          {cases.map((one) => (
            <CaseChart key={one.name} one={one} axis={axis} />
          ))}
        </div>
        <details open={cases.length <= 2}>
          <summary className="soft">Table</summary>
          <BarTable figure={figure} cases={cases} machine={machine} />
        </details>
      </div>
    </Panel>
  );
}

function Legend({
  figure,
  cases,
  machine,
}: {
  figure: BarFigure;
  cases: readonly FigureCase[];
  machine: string | undefined;
}) {
  const has = (what: (lane: FigureLane) => unknown) => cases.some(({ lanes }) => lanes.some(what));
  return (
    <p className={styles.legend} aria-hidden="true">
      {has(({ here }) => here?.ratio) && (
        <span>
          <i className={styles.barMark} /> this machine
        </span>
      )}
      {has(({ published }) => published) && (
        <span>
          <i className={styles.publishedMark} /> published
        </span>
      )}
      {machine !== undefined && has(({ other }) => other?.ratio) && (
        <span>
          <i className={styles.otherMark} /> {machine}
        </span>
      )}
      <span>relative to “{figure.base}”, logarithmic; longer is slower</span>
    </p>
  );
}

function CaseChart({ one: { name, lanes }, axis }: { one: FigureCase; axis: RatioAxis }) {
  return (
    <div className={styles.case}>
      <h3>{format.prose(name)}</h3>
      {!lanes.some(({ published, here, other }) => published ?? here?.ratio ?? other?.ratio) && (
        <p className="fine">Nothing to compare; the table says why.</p>
      )}
      {lanes.map((lane) => (
        <LaneChart key={lane.bar} lane={lane} axis={axis} />
      ))}
      <div className={styles.lane}>
        <span />
        <span className={styles.ticks}>
          {axis.ticks.map((tick) => (
            <span key={tick} style={{ left: `${100 * axis.at(tick)}%` }}>
              {tick >= 1000 ? `${tick / 1000}k` : Number(tick.toPrecision(2))}
            </span>
          ))}
        </span>
      </div>
    </div>
  );
}

function LaneChart({
  lane: { bar, look, published, here, other },
  axis,
}: {
  lane: FigureLane;
  axis: RatioAxis;
}) {
  const one = axis.at(1);
  const ratio = here?.ratio;
  const shown = ratio ?? other?.ratio;
  const place = (value: number) => ({ left: `${100 * axis.at(value)}%` });
  return (
    <div className={styles.lane}>
      <span>{bar}</span>
      <span className={styles.track} data-algorithm={look}>
        <span className={styles.one} style={{ left: `${100 * one}%` }} />
        {ratio && (
          <>
            <span
              className={styles.bar}
              style={{
                left: `${100 * Math.min(one, axis.at(ratio.value))}%`,
                width: `${100 * Math.abs(axis.at(ratio.value) - one)}%`,
              }}
            />
            <span
              className={styles.range}
              style={{
                left: `${100 * axis.at(ratio.low)}%`,
                width: `${100 * (axis.at(ratio.high) - axis.at(ratio.low))}%`,
              }}
            />
          </>
        )}
        {other?.ratio && <span className={styles.other} style={place(other.ratio.value)} />}
        {published && <span className={styles.published} style={place(published.ratio)} />}
      </span>
      <span className={styles.value} data-faint={!ratio || undefined}>
        {shown ? ratioText(shown.value) : published ? ratioText(published.ratio) : '–'}
      </span>
    </div>
  );
}

/** Nothing where both ends are one, as of a single sample. */
const range = (low: string, high: string): string | undefined =>
  low === high ? undefined : `${low} to ${high}`;

/** A value and below it how far it spreads. */
const spreadCell = (value: ReactNode, spread: string | undefined) => (
  <>
    {value}
    {spread !== undefined && <small>{spread}</small>}
  </>
);

/** What was measured here, or in its place why nothing was. */
const HERE: readonly TableColumn<FigureLane>[] = [
  {
    title: 'Ratio here, with spread',
    span: ({ here }) => (here?.missing === undefined ? 1 : 3),
    render({ here }) {
      if (here?.missing !== undefined) return <small>not available: {here.missing}</small>;
      const ratio = here?.ratio;
      return (
        ratio &&
        spreadCell(<b>{ratioText(ratio.value)}</b>, range(ratioText(ratio.low), ratioText(ratio.high)))
      );
    },
  },
  {
    title: 'Time here, 10 to 90 %',
    render: ({ here }) =>
      here?.time &&
      spreadCell(
        format.time(here.time.median),
        range(format.time(here.time.p10), format.time(here.time.p90)),
      ),
  },
  {
    title: 'Samples × calls',
    render: ({ here }) => here?.time && `${here.time.samples} × ${format.count(here.time.calls)}`,
  },
];

/** What was measured: here, else on the machine to compare with. */
const Detail = ({ line }: { line: BarLine | undefined }) =>
  line?.detail !== undefined && <small>{variantName(line.detail)}</small>;

function BarTable({
  figure,
  cases,
  machine,
}: {
  figure: BarFigure;
  cases: readonly FigureCase[];
  machine: string | undefined;
}) {
  const isPublished = cases.some(({ lanes }) => lanes.some(({ published }) => published));
  const isMeasured = cases.some(({ lanes }) => lanes.some(({ here }) => here));
  return (
    <DataTable<FigureLane & { name: string; repeats: boolean }>
      stacked
      caption={`${figure.title}: times relative to ${figure.base}`}
      region={`${figure.title}: table`}
      className={styles.figure}
      rows={cases.flatMap(({ name, lanes }) => lanes.map((lane, i) => ({ ...lane, name, repeats: i > 0 })))}
      keyOf={({ name, bar }) => `${name} ${bar}`}
      columns={[
        {
          title: 'Case',
          render: ({ name, repeats }) =>
            repeats ? <span className="unseen">{format.prose(name)}</span> : format.prose(name),
        },
        {
          title: 'Bar',
          className: styles.names,
          cell: () => ({ 'data-title': undefined }),
          render: ({ bar, here, other }) => (
            <>
              {bar}
              <Detail line={here ?? other} />
              {!here && other?.missing !== undefined && (
                <small>not available: {format.prose(other.missing)}</small>
              )}
            </>
          ),
        },
        isPublished && {
          title: 'Published ratio',
          number: true,
          cell: ({ published }) => ({ title: published?.note }),
          render: ({ published }) => published && spreadCell(ratioText(published.ratio), published.printed),
        },
        ...(isMeasured ? HERE.map((column) => ({ ...column, number: true })) : []),
        machine !== undefined && {
          title: machine,
          number: true,
          render: ({ other }) => (
            <>
              {other?.ratio && ratioText(other.ratio.value)}
              {other?.time && <small>{format.time(other.time.median)}</small>}
            </>
          ),
        },
      ]}
    />
  );
}

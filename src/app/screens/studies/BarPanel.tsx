import type { BarFigure, BarLine, StudyLine, StudyResult } from '../../../worker/api.ts';
import { Heads } from '../../widgets/Heads.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import stacked from '../../widgets/Stacked.module.css';
import table from '../../widgets/Table.module.css';
import { variantName } from '../../components/variant-name.ts';
import * as format from '../../format.ts';
import {
  casesOf,
  ratioAxis,
  ratiosOf,
  ratioText,
  shortName,
  type FigureGroup,
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
        <p className="vacant">Run the study to fill this figure.</p>
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
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
          <div className={table.scroll} role="group" aria-label={`${figure.title}: table`} tabIndex={0}>
            <BarTable figure={figure} cases={cases} machine={machine} />
          </div>
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
  cases: readonly FigureGroup[];
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

function CaseChart({ one: { name, lanes }, axis }: { one: FigureGroup; axis: RatioAxis }) {
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

const HERE = ['Ratio here, with spread', 'Time here, 10 to 90 %', 'Samples × calls'] as const;

/** Nothing where both ends are one, as of a single sample. */
const range = (low: string, high: string): string | undefined =>
  low === high ? undefined : `${low} to ${high}`;

/** A cell for each of HERE, or one that says why there are none. */
function Here({ line }: { line: BarLine | undefined }) {
  const { ratio, time, missing } = line ?? {};
  if (missing !== undefined)
    return (
      <td colSpan={HERE.length}>
        <small>not available: {missing}</small>
      </td>
    );
  const cells = [
    [ratio && ratioText(ratio.value), ratio && range(ratioText(ratio.low), ratioText(ratio.high))],
    [time && format.time(time.median), time && range(format.time(time.p10), format.time(time.p90))],
    [time && `${time.samples} × ${format.count(time.calls)}`],
  ];
  return cells.map(([value, spread], i) => (
    <td key={HERE[i]} data-number data-title={HERE[i]}>
      {i === 0 && value !== undefined ? <b>{value}</b> : value}
      {spread !== undefined && <small>{spread}</small>}
    </td>
  ));
}

/** What was measured: here, else on the machine to compare with. */
const Detail = ({ line }: { line: BarLine | undefined }) =>
  line?.detail !== undefined && <small>{variantName(line.detail)}</small>;

function BarTable({
  figure,
  cases,
  machine,
}: {
  figure: BarFigure;
  cases: readonly FigureGroup[];
  machine: string | undefined;
}) {
  const isPublished = cases.some(({ lanes }) => lanes.some(({ published }) => published));
  const isMeasured = cases.some(({ lanes }) => lanes.some(({ here }) => here));
  const number = { 'data-number': true };
  return (
    <table className={`${table.table} ${stacked.stacked} ${styles.figure}`}>
      <caption className="unseen">
        {figure.title}: times relative to {figure.base}
      </caption>
      <Heads
        of={[
          'Case',
          'Bar',
          isPublished && { name: 'Published ratio', ...number },
          ...(isMeasured ? HERE.map((name) => ({ name, ...number })) : []),
          machine !== undefined && { name: machine, ...number },
        ]}
      />
      <tbody>
        {cases.flatMap(({ name, lanes }) =>
          lanes.map(({ bar, published, here, other }, i) => (
            <tr key={`${name} ${bar}`}>
              <th scope="row">
                {i === 0 ? format.prose(name) : <span className="unseen">{format.prose(name)}</span>}
              </th>
              <td className={styles.names}>
                {bar}
                <Detail line={here ?? other} />
                {!here && other?.missing !== undefined && (
                  <small>not available: {format.prose(other.missing)}</small>
                )}
              </td>
              {isPublished && (
                <td {...number} data-title="Published ratio" title={published?.note}>
                  {published && ratioText(published.ratio)}
                  {published && <small>{published.printed}</small>}
                </td>
              )}
              {isMeasured && <Here line={here} />}
              {machine !== undefined && (
                <td {...number} data-title={machine}>
                  {other?.ratio && ratioText(other.ratio.value)}
                  {other?.time && <small>{format.time(other.time.median)}</small>}
                </td>
              )}
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}

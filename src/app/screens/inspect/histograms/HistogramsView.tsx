import { inLayers } from '../../../messages/layers.ts';
import { useEffect, useState } from 'react';
import {
  countOf,
  HISTOGRAM_KINDS,
  momentsOf,
  type HistogramKind,
  type HistogramRecord,
} from '../../../../run/metrics/histograms.ts';
import { Choice } from '../../../widgets/Choice.tsx';
import { DataTable } from '../../../widgets/DataTable.tsx';
import { digits } from '../../../components/maps/numbers.ts';
import { Panel } from '../../../widgets/Panel.tsx';
import * as format from '../../../format.ts';
import { inspect as texts } from '../../../messages/inspect.ts';
import { NothingRecorded, RecordingBar } from '../Recording.tsx';
import styles from './Histograms.module.css';
import { setRecording, showRecords, useRecording } from './recording.ts';
import { densities, hill, momentsOfLayer, rangeOf, thinnedTo, type Moment } from './ridges.ts';

const TITLES = Object.fromEntries(
  Object.entries(HISTOGRAM_KINDS).map(([kind, { title }]) => [kind, title]),
) as Record<HistogramKind, string>;

/** How weights, gradients and activations are distributed, layer by layer, over the run. */
export function HistogramsView() {
  const [kind, setKind] = useState<HistogramKind>('weights');
  const records = useRecording((state) => state.records);
  const recording = useRecording((state) => state.recording);
  const error = useRecording((state) => state.error);
  useEffect(() => {
    showRecords();
    // Whoever opens this view wants to see something.
    setRecording(true);
  }, []);
  const layers = [
    ...new Set(
      records.flatMap(({ histograms }) =>
        histograms.filter((one) => one.kind === kind).map(({ layer }) => layer),
      ),
    ),
  ];
  return (
    <Panel
      title={texts.views.histograms.title}
      aside={<Choice label={texts.histograms.values} value={kind} options={TITLES} onChange={setKind} />}
      explanation={inLayers(HISTOGRAM_KINDS[kind].everyday, HISTOGRAM_KINDS[kind].explanation, 'histogram')}
    >
      <RecordingBar
        label={texts.histograms.record}
        recording={recording}
        error={error}
        onChange={setRecording}
      >
        <Cost />
      </RecordingBar>
      {records.length === 0 ? (
        <NothingRecorded
          of="ridges"
          untrained={texts.histograms.untrained}
          waiting={texts.histograms.waiting}
        />
      ) : (
        <>
          <ul className={styles.cards}>
            {layers.map((layer) => (
              <li key={layer}>
                <Ridges layer={layer} moments={momentsOfLayer(records, kind, layer)} />
              </li>
            ))}
          </ul>
          <Numbers records={records} kind={kind} />
        </>
      )}
    </Panel>
  );
}

/** What recording costs. */
function Cost() {
  const recording = useRecording((state) => state.recording);
  const milliseconds = useRecording((state) => state.milliseconds);
  const count = useRecording((state) => state.records.length);
  return (
    <span className="faint numbers">
      {!recording && texts.histograms.off}
      {recording && milliseconds === undefined && texts.histograms.atMost}
      {recording && milliseconds !== undefined && texts.histograms.cost(format.time(milliseconds))}
      {count > 0 && texts.histograms.records(count)}
    </span>
  );
}

/** CSS pixels of a card's picture: its inside, the hills' height, and the room for their steps. */
const WIDTH = 300;
const HILL = 64;
const DEPTH = 150;
const BOTTOM = HILL + DEPTH;
const RIDGES = 24;

interface RidgesProps {
  layer: string;
  moments: readonly Moment[];
}

/** The hills of one layer: the oldest at the back, the newest in front. */
function Ridges({ layer, moments }: RidgesProps) {
  const [pointed, setPointed] = useState<number>();
  const shown = thinnedTo(moments, RIDGES);
  const newest = shown[shown.length - 1];
  const at = shown.find(({ step }) => step === pointed) ?? newest;
  const range = rangeOf(shown);
  // A few spikes of early steps may be cut off, so that the others can be seen.
  const peaks = shown.map(({ histogram }) => Math.max(0, ...densities(histogram))).sort((a, b) => a - b);
  const most = peaks[Math.floor(0.9 * (peaks.length - 1))];
  const frame = { range, width: WIDTH, most, height: HILL };
  const groundOf = (i: number) => HILL + (shown.length === 1 ? DEPTH : (i * DEPTH) / (shown.length - 1));
  const zero = ((0 - range[0]) / (range[1] - range[0])) * WIDTH;
  const { mean, deviation } = momentsOf(at.histogram);
  const zeros = at.histogram.zeros / Math.max(1, countOf(at.histogram));
  return (
    <figure className={styles.card}>
      <figcaption className="spread">
        <b>{layer}</b>
        <span className="fine numbers">
          {texts.histograms.at(at.step, digits(mean, 2), digits(deviation, 2))}
          {zeros > 0.005 && texts.histograms.zero(format.percent(zeros, 0))}
          {at.histogram.broken > 0 && texts.histograms.broken(at.histogram.broken)}
        </span>
      </figcaption>
      <svg
        viewBox={`-4 0 ${WIDTH + 52} ${BOTTOM + 20}`}
        role="img"
        aria-label={texts.histograms.about(
          layer,
          shown[0].step,
          newest.step,
          digits(range[0]),
          digits(range[1]),
        )}
        onPointerMove={({ currentTarget, clientY }) => {
          const bounds = currentTarget.getBoundingClientRect();
          const y = ((clientY - bounds.top) / bounds.height) * (BOTTOM + 20);
          // A hill is pointed at a little above its ground.
          const i = Math.round(((y + 8 - HILL) / DEPTH) * (shown.length - 1));
          setPointed(shown[Math.max(0, Math.min(shown.length - 1, i))].step);
        }}
        onPointerLeave={() => setPointed(undefined)}
      >
        <line className={styles.zero} x1={zero} x2={zero} y1={HILL / 2} y2={BOTTOM} />
        {shown.map(({ step, histogram }, i) => (
          <path
            key={step}
            className={styles.ridge}
            data-pointed={step === pointed || undefined}
            d={hill(histogram, groundOf(i), frame)}
            style={{ fillOpacity: 0.25 + (0.6 * (i + 1)) / shown.length }}
          />
        ))}
        <Axis range={range} zero={zero} steps={[shown[0].step, newest.step]} />
      </svg>
    </figure>
  );
}

interface AxisProps {
  range: readonly [number, number];
  /** Where zero is, in CSS pixels. */
  zero: number;
  /** Of the oldest and the newest hill. */
  steps: readonly [oldest: number, newest: number];
}

/** The numbers around the hills. */
const Axis = ({ range, zero, steps: [oldest, newest] }: AxisProps) => (
  <g className={styles.axis}>
    <text x={0} y={BOTTOM + 14}>
      {digits(range[0], 2)}
    </text>
    {zero > 48 && zero < WIDTH - 48 && (
      <text x={zero} y={BOTTOM + 14} textAnchor="middle">
        0
      </text>
    )}
    <text x={WIDTH} y={BOTTOM + 14} textAnchor="end">
      {digits(range[1], 2)}
    </text>
    {oldest !== newest && (
      <text x={WIDTH + 6} y={HILL + 4}>
        {format.count(oldest)}
      </text>
    )}
    <text x={WIDTH + 6} y={BOTTOM + 2}>
      {format.count(newest)}
    </text>
  </g>
);

/** The first and the newest record as numbers. */
function Numbers({ records, kind }: { records: readonly HistogramRecord[]; kind: HistogramKind }) {
  const ends = records.length > 1 ? [records[0], records[records.length - 1]] : records;
  return (
    <details className={styles.numbers}>
      <summary>{texts.histograms.numbers}</summary>
      <DataTable
        stacked
        caption={texts.histograms.caption(HISTOGRAM_KINDS[kind].title)}
        rows={ends.flatMap(({ step, histograms }) =>
          histograms
            .filter((one) => one.kind === kind)
            .map((histogram) => ({ ...histogram, ...momentsOf(histogram), step, count: countOf(histogram) })),
        )}
        keyOf={({ step, layer }) => `${step} ${layer}`}
        columns={[
          { title: texts.histograms.layer, render: ({ layer }) => layer },
          { title: texts.histograms.step, number: true, render: ({ step }) => format.count(step) },
          { title: texts.histograms.mean, number: true, render: ({ mean }) => digits(mean) },
          { title: texts.histograms.deviation, number: true, render: ({ deviation }) => digits(deviation) },
          // Between the last edges of its histogram lie all values.
          { title: texts.histograms.from, number: true, render: ({ low }) => digits(low) },
          { title: texts.histograms.to, number: true, render: ({ high }) => digits(high) },
          {
            title: texts.histograms.zeros,
            number: true,
            render: ({ zeros, count }) => format.percent(zeros / Math.max(1, count), 1),
          },
        ]}
      />
    </details>
  );
}

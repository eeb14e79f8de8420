import { useState } from 'react';
import type { ProfileReport } from '../../../worker/api.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { Facts } from '../../widgets/Facts.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import * as format from '../../format.ts';
import { explainSpan, PASSES, ticksOf, type Selection } from './breakdown.ts';
import type { LaneSpan, TimelineLane } from './lanes.ts';
import styles from './Profile.module.css';
import { useTimeline, type TimelineProps, type TimelineState } from './use-timeline.ts';
import { placeOf, rangeOf, type TimeRange } from './time-range.ts';

/** One isolated step, laid out in time, to zoom, search and measure. The arrow keys move from kernel to kernel. */
export function Timeline(props: TimelineProps) {
  const { profile, selected } = props;
  const [extent, setExtent] = useState<'step' | 'gpu'>('step');
  const timeline = useTimeline(props);
  const { lanes, kernels, measured } = timeline;
  const shown = timeline.hovered ?? (selected === undefined ? undefined : kernels[selected]);
  return (
    <Panel
      title="Step timeline"
      explanation="Assembled from medians: each kernel is as long as it takes alone, so together they may take longer than the step. A GPU shares no clock with the page, so kernels are aligned to the time when completion was reported."
      aside={
        <Choice
          label="Range"
          value={extent}
          options={{ step: 'Whole step', gpu: 'Kernels only' }}
          onChange={(next) => {
            setExtent(next);
            timeline.setView(next === 'gpu' ? rangeOf(kernels) : undefined);
          }}
        />
      }
    >
      <Tools {...props} timeline={timeline} />
      <div className={styles.timeline} {...timeline.gestures}>
        <Axis {...timeline} />
        {lanes.map(
          (lane) =>
            (extent === 'step' || lane.of !== 'calls') && (
              <Lane key={lane.title} {...props} lane={lane} timeline={timeline} />
            ),
        )}
      </div>
      <div className={`card ${styles.details}`} role="status" aria-label="Details">
        {measured && (
          <Measured range={measured} kernels={kernels} onClear={() => timeline.measure(undefined)} />
        )}
        {shown ? (
          <Details span={shown} profile={profile} />
        ) : (
          !measured && (
            <p className="faint">
              Point at a span or step through the kernels with the arrow keys. The wheel or two fingers zoom;
              drag, or Shift with the arrow keys, measures.
            </p>
          )
        )}
      </div>
      <ul className={`soft ${styles.legend}`}>
        {(['data', 'forward', 'loss', 'backward', 'update'] as const).map((pass) => (
          <li key={pass} className="beside">
            <i className={styles.swatch} data-kind={pass} aria-hidden="true" />
            {PASSES[pass]}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface PartProps extends Selection {
  timeline: TimelineState;
}

/** The search, and buttons for what the wheel and keys do too. */
function Tools({ timeline, selected, select }: PartProps) {
  const { found, kernels, zoom, pan, view, whole } = timeline;
  const next = found?.find((i) => i > (selected ?? -1)) ?? found?.[0];
  const buttons: readonly [
    sign: string,
    name: string,
    keys: string,
    press: () => void,
    obstacle?: string | false,
  ][] = [
    ['+', 'Zoom in', ' (+, or the wheel)', () => zoom(0.5)],
    ['−', 'Zoom out', ' (-)', () => zoom(2)],
    ['←', 'Earlier', '', () => pan(-0.5), view.from <= whole.from && 'This is the start.'],
    ['→', 'Later', '', () => pan(0.5), view.to >= whole.to && 'This is the end.'],
  ];
  return (
    <div className={styles.tools}>
      <input
        type="search"
        aria-label="Find a kernel"
        placeholder="Find a kernel…"
        onChange={({ target: { value } }) => timeline.search(value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && next !== undefined) select(next);
        }}
      />
      <span className="faint numbers" role="status" aria-label="Found">
        {found && `${found.length} of ${kernels.length}`}
      </span>
      <div className="row" role="group" aria-label="Zoom">
        {buttons.map(([sign, name, keys, press, obstacle]) => (
          <Button key={name} title={name + keys} obstacle={obstacle || undefined} onPress={press}>
            {sign}
            <span className="unseen"> {name}</span>
          </Button>
        ))}
      </div>
    </div>
  );
}

const Axis = ({ view, scale, measured }: TimelineState) => (
  <div className={styles.row} aria-hidden="true">
    <span />
    <div ref={scale} className={styles.axis}>
      {ticksOf(view.from, view.to).map((ms) => (
        <span key={ms} style={{ left: placeOf(view, { start: ms, ms: 0 }).left }}>
          {Math.abs(ms) < 1e-9 ? '0' : format.time(ms)}
        </span>
      ))}
      <Band view={view} measured={measured} />
    </div>
  </div>
);

/** What is measured, over an axis or a lane. */
const Band = ({ view, measured }: Pick<TimelineState, 'view' | 'measured'>) =>
  measured && (
    <span
      className={styles.measured}
      style={placeOf(view, { start: measured.from, ms: measured.to - measured.from })}
      aria-hidden="true"
    />
  );

/** A span shows its name from this share of the width on. */
const NAMED = 0.035;

/** The spans of a lane. Kernels are buttons, one of which is a stop for the keyboard. */
function Lane({
  lane: { title, of, spans },
  timeline,
  selected,
  select,
}: PartProps & { lane: TimelineLane }) {
  const { view, measured, found, hover } = timeline;
  const isKernels = of === 'kernels';
  const attributesOf = (span: LaneSpan) => ({
    className: styles.span,
    'data-kind': span.kind,
    style: placeOf(view, span),
    children: span.label !== undefined && span.ms / (view.to - view.from) > NAMED && (
      <span className={styles.spanName}>{span.label}</span>
    ),
    // Where nothing but the page moves, by scrolling, nobody points.
    ...((isKernels || of === 'calls') && {
      onPointerMove: () => hover(span),
      onPointerLeave: () => hover(undefined),
    }),
  });
  return (
    <div className={styles.row}>
      <span className={styles.rowName}>
        {title} <small>{format.time(spans.reduce((sum, { ms }) => sum + ms, 0))}</small>
      </span>
      <div
        className={styles.lane}
        {...(isKernels && { role: 'group', 'aria-label': 'Kernels in execution order' })}
      >
        {spans.map((span, i) =>
          isKernels ? (
            <button
              key={i}
              {...attributesOf(span)}
              type="button"
              data-dim={found?.includes(i) === false || undefined}
              tabIndex={i === (selected ?? 0) ? 0 : -1}
              aria-pressed={i === selected}
              aria-label={`${span.name}, ${format.time(span.ms)}`}
              onClick={() => select(i === selected ? undefined : i)}
              onKeyDown={timeline.press}
            />
          ) : (
            <span key={i} {...attributesOf(span)} title={`${span.name}: ${format.time(span.ms)}`} />
          ),
        )}
        <Band view={view} measured={measured} />
      </div>
    </div>
  );
}

interface MeasuredProps {
  range: TimeRange;
  kernels: readonly LaneSpan[];
  onClear(): void;
}

/** The length of what was dragged over, and what the kernels in it take. */
function Measured({ range: { from, to }, kernels, onClear }: MeasuredProps) {
  const inside = kernels
    .map((span) => Math.min(span.start + span.ms, to) - Math.max(span.start, from))
    .filter((ms) => ms > 0);
  const sum = inside.reduce((total, ms) => total + ms, 0);
  return (
    <div className="row">
      <p>
        <b>{format.time(to - from)}</b> measured; {inside.length}{' '}
        {inside.length === 1 ? 'kernel takes' : 'kernels take'} {format.time(sum)} of it.
      </p>
      <Button kind="quiet" icon="close" onPress={onClear}>
        Clear
      </Button>
    </div>
  );
}

function Details({ span, profile }: { span: LaneSpan; profile: ProfileReport }) {
  const kernel = span.kernel === undefined ? undefined : profile.kernels[span.kernel];
  if (!kernel) {
    return (
      <p>
        <b>{span.name}</b> {format.time(span.ms)}. {explainSpan(span)}
      </p>
    );
  }
  const { flop, bytes, time, workgroups, shader, layer, pass } = kernel;
  const seconds = time.median / 1e3;
  return (
    <>
      <p>
        <b>{kernel.kernel}</b> {layer === undefined ? PASSES[pass] : `${layer}, ${pass}`}
      </p>
      <Facts
        of={[
          [
            'Time',
            `${format.time(time.median)} (${format.time(time.p10)} to ${format.time(time.p90)}), from ${format.time(span.start)} on`,
          ],
          ...(flop > 0
            ? [['Compute', `${format.flops(flop)}, ${format.flopRate(flop / seconds)}`] as [string, string]]
            : []),
          ['Memory', `${format.memory(bytes)}, ${format.byteRate(bytes / seconds)}`],
          ['Workgroups', format.shape(workgroups)],
          ['Shader', `shaders/${shader.split(':')[0]}.wgsl`],
        ]}
      />
    </>
  );
}

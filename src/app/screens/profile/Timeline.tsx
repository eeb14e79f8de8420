import { useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import type { ProfileReport, TimelineSpan } from '../../../worker/api.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { Facts } from '../../widgets/Facts.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import * as format from '../../format.ts';
import {
  explainSpan,
  layerSpans,
  nextKernel,
  PASSES,
  sumOfKernels,
  ticksOf,
  type Selection,
} from './breakdown.ts';
import styles from './Profile.module.css';
import { useGestures } from './use-gestures.ts';
import { panned, revealed, zoomed, type TimeRange } from './view.ts';

/** Rows before and after the kernels. */
const ROWS = { encode: 'Encoding', queue: 'Submit, queue', read: 'Read-back' } as const;

/** A span shows its name from this share of the width on. */
const NAMED = 0.035;

interface TimelineProps extends Selection {
  profile: ProfileReport;
  /** An earlier profile, drawn below on the same scale. */
  other?: ProfileReport | undefined;
}

const isKernel = ({ kernel }: TimelineSpan): boolean => kernel !== undefined;
const endOf = ({ start, ms }: TimelineSpan): number => start + ms;

/** One isolated step, laid out in time, to zoom, search and measure. The arrow keys move from kernel to kernel. */
export function Timeline({ profile, selected, select, other }: TimelineProps) {
  const { kernels, spans } = profile;
  const onGpu = spans.filter(isKernel);
  const others = alignedTo(onGpu[0].start, other?.spans.filter(isKernel) ?? []);
  const whole: TimeRange = { from: spans[0].start, to: Math.max(...[...spans, ...others].map(endOf)) };
  const [extent, setExtent] = useState<'step' | 'gpu'>('step');
  const [chosen, setView] = useState<TimeRange>();
  const view = chosen ?? whole;
  const [hovered, setHovered] = useState<TimelineSpan>();
  const [measured, setMeasured] = useState<TimeRange>();
  const [query, setQuery] = useState('');
  const lane = useRef<HTMLDivElement>(null);
  const scale = useRef<HTMLDivElement>(null);
  const gestures = useGestures(scale, { whole, view, setView, setMeasured });

  // A kernel that is selected elsewhere comes into view.
  const [revealedKernel, setRevealed] = useState(selected);
  if (revealedKernel !== selected) {
    setRevealed(selected);
    if (selected !== undefined) setView(revealed(view, whole, onGpu[selected]));
  }

  const place = ({ start, ms }: { start: number; ms: number }): CSSProperties => ({
    left: `${(100 * (start - view.from)) / (view.to - view.from)}%`,
    width: `${(100 * ms) / (view.to - view.from)}%`,
  });
  const isSeen = (span: { start: number; ms: number }): boolean =>
    span.start < view.to && span.start + span.ms > view.from;
  const isNamed = ({ ms }: { ms: number }): boolean => ms / (view.to - view.from) > NAMED;
  // Where nothing but the page moves, by scrolling, nobody points.
  const hover = (span: TimelineSpan) => ({
    onPointerMove: () => setHovered(span),
    onPointerLeave: () => setHovered(undefined),
  });
  const zoom = (factor: number) => setView(zoomed(view, whole, factor, (view.from + view.to) / 2));
  const words = query.trim().toLowerCase();
  const found = onGpu.flatMap(({ name }, i) =>
    words !== '' && `${name} ${kernels[i].shader}`.toLowerCase().includes(words) ? [i] : [],
  );

  const press = (event: KeyboardEvent) => {
    const done = ((): boolean => {
      if (event.key === '+' || event.key === '=') zoom(0.5);
      else if (event.key === '-') zoom(2);
      else if (event.key === '0') setView(undefined);
      else if (event.key === 'Escape' && measured) setMeasured(undefined);
      else {
        const next = nextKernel(event.key, selected, kernels.length);
        if (next === undefined) return false;
        // With Shift, from the kernel where it began to the next one.
        if (event.shiftKey && selected !== undefined) {
          const both = [onGpu[selected], onGpu[next]];
          const from = Math.min(measured?.from ?? Infinity, ...both.map(({ start }) => start));
          const to = Math.max(measured?.to ?? -Infinity, ...both.map(endOf));
          setMeasured({ from, to });
        }
        select(next);
        setHovered(undefined);
        lane.current?.querySelectorAll('button')[next]?.focus();
      }
      return true;
    })();
    if (done) event.preventDefault();
  };

  const band = measured && (
    <span
      className={styles.measured}
      style={place({ start: measured.from, ms: measured.to - measured.from })}
      aria-hidden="true"
    />
  );
  const outside = (row: keyof typeof ROWS) => {
    const own = spans.filter((span) => span.row === row);
    return (
      <div className={styles.row}>
        <RowName title={ROWS[row]} ms={own.reduce((sum, { ms }) => sum + ms, 0)} />
        <div className={styles.lane}>
          {own.filter(isSeen).map((span) => (
            <span
              key={span.name}
              className={styles.span}
              data-kind={row === 'queue' && span.name !== 'submit' ? 'waiting' : 'cpu'}
              style={place(span)}
              title={`${span.name}: ${format.time(span.ms)}`}
              {...hover(span)}
            />
          ))}
          {band}
        </div>
      </div>
    );
  };
  const shown = hovered ?? (selected === undefined ? undefined : onGpu[selected]);
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
            const last = onGpu[onGpu.length - 1];
            setView(next === 'gpu' ? { from: onGpu[0].start, to: endOf(last) } : undefined);
          }}
        />
      }
    >
      <div className={styles.tools}>
        <input
          type="search"
          aria-label="Find a kernel"
          placeholder="Find a kernel…"
          value={query}
          onChange={({ target: { value } }) => setQuery(value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || found.length === 0) return;
            select(found.find((i) => i > (selected ?? -1)) ?? found[0]);
          }}
        />
        <span className="faint numbers" role="status" aria-label="Found">
          {words === '' ? '' : `${found.length} of ${kernels.length}`}
        </span>
        <div className="row" role="group" aria-label="Zoom">
          <Button title="Zoom in (+, or the wheel)" onPress={() => zoom(0.5)}>
            +<span className="unseen"> Zoom in</span>
          </Button>
          <Button title="Zoom out (-)" onPress={() => zoom(2)}>
            −<span className="unseen"> Zoom out</span>
          </Button>
          <Button
            title="Earlier"
            obstacle={view.from <= whole.from ? 'This is the start.' : undefined}
            onPress={() => setView(panned(view, whole, -0.5))}
          >
            ←<span className="unseen"> Earlier</span>
          </Button>
          <Button
            title="Later"
            obstacle={view.to >= whole.to ? 'This is the end.' : undefined}
            onPress={() => setView(panned(view, whole, 0.5))}
          >
            →<span className="unseen"> Later</span>
          </Button>
        </div>
      </div>
      <div className={styles.timeline} {...gestures}>
        <div className={styles.row} aria-hidden="true">
          <span />
          <div ref={scale} className={styles.axis}>
            {ticksOf(view.from, view.to).map((ms) => (
              <span key={ms} style={{ left: `${(100 * (ms - view.from)) / (view.to - view.from)}%` }}>
                {Math.abs(ms) < 1e-9 ? '0' : format.time(ms)}
              </span>
            ))}
            {band}
          </div>
        </div>
        {extent === 'step' && outside('encode')}
        {extent === 'step' && outside('queue')}
        <div className={styles.row}>
          <RowName title="Layers" ms={sumOfKernels(kernels)} />
          <div className={styles.lane}>
            {layerSpans(profile)
              .filter(isSeen)
              .map((span) => (
                <span
                  key={span.kernel}
                  className={styles.span}
                  data-kind={span.pass}
                  style={place(span)}
                  title={`${span.name}: ${format.time(span.ms)}`}
                >
                  {isNamed(span) && (
                    <span className={styles.spanName}>{kernels[span.kernel].layer ?? span.name}</span>
                  )}
                </span>
              ))}
            {band}
          </div>
        </div>
        <div className={styles.row}>
          <RowName title="Kernels" ms={sumOfKernels(kernels)} />
          <div ref={lane} className={styles.lane} role="group" aria-label="Kernels in execution order">
            {onGpu.map((span, i) => (
              <button
                key={i}
                type="button"
                className={styles.span}
                data-kind={kernels[i].pass}
                data-dim={(words !== '' && !found.includes(i)) || undefined}
                style={place(span)}
                tabIndex={i === (selected ?? 0) ? 0 : -1}
                aria-pressed={i === selected}
                aria-label={`${span.name}, ${format.time(span.ms)}`}
                onClick={() => select(i === selected ? undefined : i)}
                onKeyDown={press}
                {...hover(span)}
              >
                {isNamed(span) && <span className={styles.spanName}>{span.name}</span>}
              </button>
            ))}
            {band}
          </div>
        </div>
        {others.length > 0 && other && (
          <div className={styles.row}>
            <RowName title="Kernels, earlier profile" ms={sumOfKernels(other.kernels)} />
            <div className={styles.lane}>
              {others.filter(isSeen).map((span) => (
                <span
                  key={span.kernel}
                  className={styles.span}
                  data-kind={other.kernels[span.kernel ?? 0].pass}
                  style={place(span)}
                  title={`${span.name}: ${format.time(span.ms)}`}
                >
                  {isNamed(span) && <span className={styles.spanName}>{span.name}</span>}
                </span>
              ))}
              {band}
            </div>
          </div>
        )}
        {extent === 'step' && outside('read')}
      </div>
      <div className={`card ${styles.details}`} role="status" aria-label="Details">
        {measured && <Measured range={measured} onGpu={onGpu} onClear={() => setMeasured(undefined)} />}
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

/** Spans moved so that the first one starts at a time. */
const alignedTo = (start: number, spans: readonly TimelineSpan[]): TimelineSpan[] =>
  spans.map((span) => ({ ...span, start: span.start - spans[0].start + start }));

function RowName({ title, ms }: { title: string; ms: number }) {
  return (
    <span className={styles.rowName}>
      {title} <small>{format.time(ms)}</small>
    </span>
  );
}

interface MeasuredProps {
  range: TimeRange;
  onGpu: readonly TimelineSpan[];
  onClear(): void;
}

/** The length of what was dragged over, and what the kernels in it take. */
function Measured({ range: { from, to }, onGpu, onClear }: MeasuredProps) {
  const inside = onGpu
    .map((span) => Math.min(endOf(span), to) - Math.max(span.start, from))
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

function Details({ span, profile }: { span: TimelineSpan; profile: ProfileReport }) {
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

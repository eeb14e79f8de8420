import { useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import type { StepProfile, TimelineSpan } from '../../../worker/api.ts';
import { Choice } from '../../components/Choice.tsx';
import { Panel } from '../../components/Panel.tsx';
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

/** Rows before and after the kernels. */
const ROWS = { encode: 'Encoding', queue: 'Submit, queue', read: 'Read-back' } as const;

/** One isolated step, laid out in time. The arrow keys move from kernel to kernel. */
export function Timeline({ profile, selected, select }: Selection & { profile: StepProfile }) {
  const { kernels, spans } = profile;
  const [extent, setExtent] = useState<'step' | 'gpu'>('step');
  const [hovered, setHovered] = useState<TimelineSpan>();
  const lane = useRef<HTMLDivElement>(null);
  const onGpu = spans.filter(({ kernel }) => kernel !== undefined);
  const [first, last] =
    extent === 'gpu' ? [onGpu[0], onGpu[onGpu.length - 1]] : [spans[0], spans[spans.length - 1]];
  const [from, to] = [first.start, last.start + last.ms];
  const place = ({ start, ms }: { start: number; ms: number }): CSSProperties => ({
    left: `${(100 * (start - from)) / (to - from)}%`,
    width: `${(100 * ms) / (to - from)}%`,
  });
  const kernelsMs = sumOfKernels(kernels);
  const shown = hovered ?? (selected === undefined ? undefined : onGpu[selected]);
  const move = (event: KeyboardEvent) => {
    const next = nextKernel(event.key, selected, kernels.length);
    if (next === undefined) return;
    event.preventDefault();
    select(next);
    lane.current?.querySelectorAll('button')[next]?.focus();
  };
  const outside = (row: keyof typeof ROWS) => {
    const own = spans.filter((span) => span.row === row);
    return (
      <div className={styles.row}>
        <RowName title={ROWS[row]} ms={own.reduce((sum, { ms }) => sum + ms, 0)} />
        <div className={styles.lane}>
          {own.map((span) => (
            <span
              key={span.name}
              className={styles.span}
              data-kind={row === 'queue' && span.name !== 'submit' ? 'waiting' : 'cpu'}
              style={place(span)}
              title={`${span.name}: ${format.time(span.ms)}`}
              onPointerEnter={() => setHovered(span)}
              onPointerLeave={() => setHovered(undefined)}
            />
          ))}
        </div>
      </div>
    );
  };
  return (
    <Panel
      title="Step timeline"
      explanation="Assembled from averages. A GPU shares no clock with the page, so kernels are aligned to the time when completion was reported."
      aside={
        <Choice
          label="Range"
          value={extent}
          options={{ step: 'Whole step', gpu: 'Kernels only' }}
          onChange={setExtent}
        />
      }
    >
      <div className={styles.timeline}>
        <Axis from={from} to={to} />
        {extent === 'step' && outside('encode')}
        {extent === 'step' && outside('queue')}
        <div className={styles.row}>
          <RowName title="Layers" ms={kernelsMs} />
          <div className={styles.lane}>
            {layerSpans(profile).map((span) => (
              <span
                key={span.kernel}
                className={`${styles.span} ${styles.named}`}
                data-kind={span.pass}
                style={place(span)}
                title={`${span.name}: ${format.time(span.ms)}`}
              >
                <span className={styles.spanName}>{kernels[span.kernel].layer ?? span.name}</span>
              </span>
            ))}
          </div>
        </div>
        <div className={styles.row}>
          <RowName title="Kernels" ms={kernelsMs} />
          <div ref={lane} className={styles.lane} role="group" aria-label="Kernels in execution order">
            {onGpu.map((span, i) => (
              <button
                key={i}
                type="button"
                className={styles.span}
                data-kind={kernels[i].pass}
                style={place(span)}
                tabIndex={i === (selected ?? 0) ? 0 : -1}
                aria-pressed={i === selected}
                aria-label={`${span.name}, ${format.time(span.ms)}`}
                onClick={() => select(i === selected ? undefined : i)}
                onKeyDown={move}
                onPointerEnter={() => setHovered(span)}
                onPointerLeave={() => setHovered(undefined)}
              />
            ))}
          </div>
        </div>
        {extent === 'step' && outside('read')}
      </div>
      <p className={styles.details} aria-live="polite">
        {shown ? (
          <Details span={shown} profile={profile} />
        ) : (
          'Hover over a span, or step through kernels with the arrow keys.'
        )}
      </p>
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

function RowName({ title, ms }: { title: string; ms: number }) {
  return (
    <span className={styles.rowName}>
      {title} <small>{format.time(ms)}</small>
    </span>
  );
}

function Details({ span, profile }: { span: TimelineSpan; profile: StepProfile }) {
  const kernel = span.kernel === undefined ? undefined : profile.kernels[span.kernel];
  if (!kernel) {
    return (
      <>
        <b>{span.name}</b> {format.time(span.ms)}. {explainSpan(span)}
      </>
    );
  }
  const { flop, bytes, time, workgroups, shader } = kernel;
  const seconds = time.median / 1e3;
  return (
    <>
      <b>{kernel.kernel}</b> {format.time(time.median)} ({format.time(time.p10)} to {format.time(time.p90)}) ·{' '}
      {flop > 0 && `${format.flops(flop)}, ${format.flopRate(flop / seconds)} · `}
      {format.memory(bytes)}, {format.byteRate(bytes / seconds)} · {format.shape(workgroups)} workgroups ·
      shaders/{shader.split(':')[0]}.wgsl
    </>
  );
}

function Axis({ from, to }: { from: number; to: number }) {
  return (
    <div className={styles.row} aria-hidden="true">
      <span />
      <div className={styles.axis}>
        {ticksOf(to - from).map((ms) => (
          <span key={ms} style={{ left: `${(100 * ms) / (to - from)}%` }}>
            {ms === 0 ? '0' : format.time(ms)}
          </span>
        ))}
      </div>
    </div>
  );
}

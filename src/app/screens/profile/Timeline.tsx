import { useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import type { StepProfile, TimelineSpan } from '../../../worker/api.ts';
import { Choice } from '../../components/Choice.tsx';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { ticksOf } from './axis.ts';
import { PASSES, stretchesOf, sumOfKernels } from './breakdown.ts';
import shared from './Profile.module.css';
import { useSelection } from './selection.tsx';
import styles from './Timeline.module.css';

/** What the processor has to do with it, before and behind the kernels. */
const ROWS = { encode: 'Encoding', queue: 'Submit, queue', read: 'Read-back' } as const;

const WORDS: Readonly<Record<string, string>> = {
  encode: 'The processor writes the step’s data and records all commands.',
  submit: 'The processor hands the commands over.',
  'on its way': 'Until the GPU begins, and until it is heard that it is done.',
  'read back': 'The loss is copied, and comes back to the processor.',
};

type Extent = 'step' | 'gpu';

/** A step on its own, laid out in time. Arrows move from kernel to kernel. */
export function Timeline({ profile }: { profile: StepProfile }) {
  const { kernels, spans } = profile;
  const { selected, select } = useSelection();
  const [extent, setExtent] = useState<Extent>('step');
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
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(kernels.length - 1, (selected ?? (by > 0 ? -1 : kernels.length)) + by));
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
              data-kind={span.name === 'on its way' ? 'waiting' : 'processor'}
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
      title="Timeline of a step on its own"
      explanation="Put together from means: processor and GPU have no common clock in WebGPU, so the kernels lie where they end when the GPU was heard to be done."
      aside={
        <Choice<Extent>
          label="What is shown"
          name="timeline-extent"
          value={extent}
          options={[
            { value: 'step', label: 'Whole step' },
            { value: 'gpu', label: 'GPU only' },
          ]}
          onChange={setExtent}
        />
      }
    >
      <div className={styles.timeline}>
        <Axis from={from} to={to} />
        {extent === 'step' && outside('encode')}
        {extent === 'step' && outside('queue')}
        <div className={styles.row}>
          <RowName title="GPU: layers" ms={kernelsMs} />
          <div className={styles.lane}>
            {stretchesOf(profile).map((stretch) => (
              <span
                key={stretch.kernel}
                className={`${styles.span} ${styles.named}`}
                data-kind={stretch.pass}
                style={place(stretch)}
                title={`${stretch.name}: ${format.time(stretch.ms)}`}
              >
                <span className={styles.spanName}>{kernels[stretch.kernel].layer ?? stretch.name}</span>
              </span>
            ))}
          </div>
        </div>
        <div className={styles.row}>
          <RowName title="GPU: kernels" ms={kernelsMs} />
          <div
            ref={lane}
            className={styles.lane}
            role="group"
            aria-label="Kernels in the order in which they run"
          >
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
          'Point at something, or go through the kernels with the arrow keys.'
        )}
      </p>
      <ul className={shared.legend}>
        {(['data', 'forward', 'loss', 'backward', 'update'] as const).map((pass) => (
          <li key={pass}>
            <i className={shared.swatch} data-kind={pass} aria-hidden="true" />
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
        <b>{span.name}</b> {format.time(span.ms)}. {WORDS[span.name]}
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
      shaders/{shader}.wgsl
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

import { chromeTrace } from '../../base/chrome-trace.ts';
import type { StepProfile } from './step.ts';
import { partOf, timelineOf, type TimelineRow } from './timeline.ts';

const ROWS: Readonly<Record<TimelineRow, string>> = {
  encode: 'CPU: encoding',
  queue: 'CPU to device: submit, queue',
  gpu: 'Device: kernels',
  read: 'Device to CPU: read-back',
};
const PARTS = 'Device: layers';

/** The step as a trace in Chrome's format: the timeline's rows, and a row of layers and directions. */
export function stepTrace(title: string, profile: StepProfile): string {
  const { kernels } = profile;
  const spans = timelineOf(profile).map(({ row, name, start, ms, kernel }) => {
    const details = kernel === undefined ? undefined : detailsOf(kernels[kernel]);
    return { row: ROWS[row], name, start, ms, ...(details ? { details } : {}) };
  });
  const onGpu = timelineOf(profile).filter(({ row }) => row === 'gpu');
  const parts: { row: string; name: string; start: number; ms: number }[] = [];
  for (const { start, ms, kernel = 0 } of onGpu) {
    const name = partOf(kernels[kernel]);
    const last = parts.at(-1);
    if (last?.name === name) last.ms = start + ms - last.start;
    else parts.push({ row: PARTS, name, start, ms });
  }
  const rows = [ROWS.encode, ROWS.queue, PARTS, ROWS.gpu, ROWS.read];
  return chromeTrace(title, rows, [...spans, ...parts]);
}

const detailsOf = ({
  shader,
  pass,
  layer,
  workgroups,
  flop,
  bytes,
  time,
}: StepProfile['kernels'][number]) => ({
  shader,
  pass,
  ...(layer === undefined ? {} : { layer }),
  workgroups: workgroups.join(' x '),
  flop,
  bytes,
  p10_ms: time.p10,
  p90_ms: time.p90,
  samples: time.samples,
  repetitions: time.repetitions,
});

/** The lanes of a step's timeline. */
import type { ProfileReport, StepPass, TimelineSpan } from '../../../worker/api.ts';
import { partOf } from './breakdown.ts';

type Spans = Pick<ProfileReport, 'kernels' | 'spans'>;

export interface LaneSpan extends TimelineSpan {
  /** Its colour. */
  kind: StepPass | 'cpu' | 'waiting';
  /** What stands in it, where there is room. */
  label?: string | undefined;
}

export interface TimelineLane {
  title: string;
  /** What its spans are. Where only kernels are shown, calls are left out. */
  of: 'calls' | 'layers' | 'kernels' | 'earlier kernels';
  spans: readonly LaneSpan[];
}

/** From top to bottom. @param other an earlier profile, whose kernels begin where those of this one do */
export function lanesOf(profile: Spans, other?: Spans): TimelineLane[] {
  const kernels = kernelSpans(profile);
  const earlier = other ? kernelSpans(other) : [];
  const aligned = earlier.map((span) => ({
    ...span,
    start: span.start - earlier[0].start + kernels[0].start,
  }));
  const calls = (title: string, row: TimelineSpan['row']): TimelineLane => {
    const kindOf = ({ name }: TimelineSpan) => (row === 'queue' && name !== 'submit' ? 'waiting' : 'cpu');
    const own = profile.spans.filter((span) => span.row === row);
    return { title, of: 'calls', spans: own.map((span) => ({ ...span, kind: kindOf(span) })) };
  };
  const lanes: TimelineLane[] = [
    calls('Encoding', 'encode'),
    calls('Submit, queue', 'queue'),
    { title: 'Layers', of: 'layers', spans: layerSpans(profile) },
    { title: 'Kernels', of: 'kernels', spans: kernels },
    { title: 'Kernels, earlier profile', of: 'earlier kernels', spans: aligned },
    calls('Read-back', 'read'),
  ];
  return lanes.filter(({ spans }) => spans.length > 0);
}

const kernelSpans = ({ kernels, spans }: Spans): LaneSpan[] =>
  spans.flatMap((span) =>
    span.kernel === undefined ? [] : { ...span, kind: kernels[span.kernel].pass, label: span.name },
  );

/** Merges consecutive kernels of the same layer and pass into one span. */
export function layerSpans(profile: Spans): LaneSpan[] {
  const merged: LaneSpan[] = [];
  for (const span of kernelSpans(profile)) {
    const kernel = profile.kernels[span.kernel ?? 0];
    const name = partOf(kernel);
    const last = merged.at(-1);
    if (last?.name === name) last.ms += span.ms;
    else merged.push({ ...span, name, label: kernel.layer ?? name });
  }
  return merged;
}

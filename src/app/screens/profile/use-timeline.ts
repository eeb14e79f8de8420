import { useRef, useState, type KeyboardEvent } from 'react';
import type { ProfileReport } from '../../../worker/api.ts';
import { nextKernel, type Selection } from './breakdown.ts';
import { lanesOf, type LaneSpan } from './lanes.ts';
import { useGestures } from './use-gestures.ts';
import { panned, rangeOf, revealed, zoomed, type TimeRange } from './time-range.ts';

export interface TimelineProps extends Selection {
  profile: ProfileReport;
  /** An earlier profile, drawn below on the same scale. */
  other?: ProfileReport | undefined;
}

export type TimelineState = ReturnType<typeof useTimeline>;

/** The lanes of a timeline, the part of them that is in view, what is found and measured in it, and what keys and gestures do. */
export function useTimeline({ profile, selected, select, other }: TimelineProps) {
  const lanes = lanesOf(profile, other);
  const kernels = lanes.find(({ of }) => of === 'kernels')?.spans ?? [];
  const whole = rangeOf(lanes.flatMap(({ spans }) => spans));
  const [chosen, setView] = useState<TimeRange>();
  const view = chosen ?? whole;
  const [hovered, hover] = useState<LaneSpan>();
  const [measured, measure] = useState<TimeRange>();
  const [query, search] = useState('');
  const scale = useRef<HTMLDivElement>(null);
  const gestures = useGestures(scale, { whole, view, setView, measure });

  // A kernel that is selected elsewhere comes into view.
  const [revealedKernel, setRevealed] = useState(selected);
  if (revealedKernel !== selected) {
    setRevealed(selected);
    if (selected !== undefined) setView(revealed(view, whole, kernels[selected]));
  }

  const words = query.trim().toLowerCase();
  const found =
    words === ''
      ? undefined
      : profile.kernels.flatMap(({ kernel, shader }, i) =>
          `${kernel} ${shader}`.toLowerCase().includes(words) ? [i] : [],
        );
  const zoom = (factor: number) => setView(zoomed(view, whole, factor, (view.from + view.to) / 2));
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const { key, shiftKey, currentTarget } = event;
    const next = nextKernel(key, selected, kernels.length);
    if (key === '+' || key === '=') zoom(0.5);
    else if (key === '-') zoom(2);
    else if (key === '0') setView(undefined);
    else if (key === 'Escape' && measured) measure(undefined);
    else if (next === undefined) return;
    else {
      // With Shift, from the kernel where it began to the next one.
      if (shiftKey && selected !== undefined) measure(rangeOf([kernels[selected], kernels[next]], measured));
      select(next);
      hover(undefined);
      currentTarget.parentElement?.querySelectorAll('button')[next].focus();
    }
    event.preventDefault();
  };
  const pan = (share: number) => setView(panned(view, whole, share));
  const state = { lanes, kernels, whole, view, hovered, measured, found };
  return { ...state, setView, zoom, pan, hover, measure, search, press, scale, gestures };
}

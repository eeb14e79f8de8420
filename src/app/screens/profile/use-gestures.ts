import { useEffect, useEffectEvent, useRef, type PointerEvent, type RefObject } from 'react';
import { panned, zoomed, type TimeRange } from './time-range.ts';

/** How fast the wheel zooms, per pixel. */
const WHEEL = 0.0016;
/** Pixels that a pointer moves before it drags. */
const DRAG = 4;

interface Gestures {
  whole: TimeRange;
  view: TimeRange;
  setView(view: TimeRange): void;
  /** What the pointer drags over. */
  measure(range: TimeRange): void;
}

/**
 * The wheel and two fingers zoom, a sideways wheel and one finger pan, and a mouse drags to measure. While the whole is
 * shown, scrolling out scrolls the page.
 * @param scale an element as wide as the view
 */
export function useGestures(
  scale: RefObject<HTMLElement | null>,
  { whole, view, setView, measure }: Gestures,
) {
  const pointers = useRef(new Map<number, number>());
  const start = useRef<{ x: number; time: number }>(undefined);
  const dragged = useRef(false);
  /** A number of pixels as a share of the view. */
  const shareOf = (pixels: number): number => pixels / (scale.current?.clientWidth || 1);
  const timeAt = (x: number): number => {
    const left = scale.current?.getBoundingClientRect().left ?? 0;
    return view.from + Math.min(1, Math.max(0, shareOf(x - left))) * (view.to - view.from);
  };
  const area = useWheel((event) => {
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const next = isSideways
      ? panned(view, whole, shareOf(event.deltaX || event.deltaY))
      : zoomed(view, whole, Math.exp(WHEEL * event.deltaY), timeAt(event.clientX));
    if (next.from === view.from && next.to === view.to) return;
    event.preventDefault();
    setView(next);
  });
  const move = ({ pointerId, pointerType, clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const before = pointers.current.get(pointerId);
    if (before === undefined || !start.current) return;
    const [first, second] = pointers.current.values();
    pointers.current.set(pointerId, clientX);
    if (pointers.current.size === 2) {
      const [a, b] = pointers.current.values();
      const factor = Math.max(1, Math.abs(first - second)) / Math.max(1, Math.abs(a - b));
      setView(zoomed(view, whole, factor, timeAt((a + b) / 2)));
      return;
    }
    if (!dragged.current && Math.abs(clientX - start.current.x) < DRAG) return;
    if (!dragged.current) currentTarget.setPointerCapture(pointerId);
    dragged.current = true;
    const ends = [start.current.time, timeAt(clientX)];
    if (pointerType === 'touch') setView(panned(view, whole, shareOf(before - clientX)));
    else measure({ from: Math.min(...ends), to: Math.max(...ends) });
  };
  const end = ({ pointerId }: PointerEvent) => void pointers.current.delete(pointerId);
  return {
    ref: area,
    onPointerDown({ button, pointerId, clientX }: PointerEvent) {
      if (button !== 0) return;
      pointers.current.set(pointerId, clientX);
      start.current = { x: clientX, time: timeAt(clientX) };
      dragged.current = false;
    },
    onPointerMove: move,
    onPointerUp: end,
    onPointerCancel: end,
    /** A drag that ends on a kernel does not select it. */
    onClickCapture(event: { stopPropagation(): void }) {
      if (dragged.current) event.stopPropagation();
      dragged.current = false;
    },
  };
}

/** Listens to the wheel over an element, the way to prevent scrolling: React's own wheel listeners are passive. */
function useWheel(onWheel: (event: WheelEvent) => void): RefObject<HTMLDivElement | null> {
  const turned = useEffectEvent(onWheel);
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = area.current;
    const listener = (event: WheelEvent) => turned(event);
    element?.addEventListener('wheel', listener, { passive: false });
    return () => element?.removeEventListener('wheel', listener);
  }, []);
  return area;
}

import { useEffect, useEffectEvent, useRef, type PointerEvent, type RefObject } from 'react';
import { panned, zoomed, type TimeRange } from './view.ts';

/** How fast the wheel zooms, per pixel. */
const WHEEL = 0.0016;
/** Pixels that a pointer moves before it drags. */
const DRAG = 4;

interface Gestures {
  whole: TimeRange;
  view: TimeRange;
  setView(view: TimeRange): void;
  /** What the pointer drags over. */
  setMeasured(range: TimeRange | undefined): void;
}

/**
 * The wheel and two fingers zoom, a sideways wheel and one finger pan, and a mouse drags to measure. While the whole is
 * shown, scrolling out scrolls the page.
 * @param scale an element as wide as the view
 */
export function useGestures(
  scale: RefObject<HTMLElement | null>,
  { whole, view, setView, setMeasured }: Gestures,
) {
  const pointers = useRef(new Map<number, number>());
  const start = useRef<{ x: number; time: number }>(undefined);
  const dragged = useRef(false);
  const timeAt = (x: number): number => {
    const { left = 0, width = 1 } = scale.current?.getBoundingClientRect() ?? {};
    const share = Math.min(1, Math.max(0, (x - left) / width));
    return view.from + share * (view.to - view.from);
  };
  const turned = useEffectEvent((event: WheelEvent) => {
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const { width = 1 } = scale.current?.getBoundingClientRect() ?? {};
    const next = isSideways
      ? panned(view, whole, (event.deltaX || event.deltaY) / width)
      : zoomed(view, whole, Math.exp(WHEEL * event.deltaY), timeAt(event.clientX));
    if (next.from === view.from && next.to === view.to) return;
    event.preventDefault();
    setView(next);
  });
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = area.current;
    const listener = (event: WheelEvent) => turned(event);
    // React's own wheel listeners are passive.
    element?.addEventListener('wheel', listener, { passive: false });
    return () => element?.removeEventListener('wheel', listener);
  }, []);

  const move = (event: PointerEvent<HTMLElement>) => {
    const before = pointers.current.get(event.pointerId);
    if (before === undefined || !start.current) return;
    const [first, second] = [...pointers.current.values()];
    pointers.current.set(event.pointerId, event.clientX);
    if (pointers.current.size === 2) {
      const [a, b] = [...pointers.current.values()];
      const factor = Math.max(1, Math.abs(first - second)) / Math.max(1, Math.abs(a - b));
      setView(zoomed(view, whole, factor, timeAt((a + b) / 2)));
      return;
    }
    if (!dragged.current && Math.abs(event.clientX - start.current.x) < DRAG) return;
    if (!dragged.current) event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = true;
    if (event.pointerType === 'touch') {
      const { width = 1 } = scale.current?.getBoundingClientRect() ?? {};
      setView(panned(view, whole, (before - event.clientX) / width));
    } else {
      const [from, to] = [start.current.time, timeAt(event.clientX)].toSorted((a, b) => a - b);
      setMeasured({ from, to });
    }
  };
  const end = (event: PointerEvent<HTMLElement>) => {
    pointers.current.delete(event.pointerId);
  };
  return {
    ref: area,
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      pointers.current.set(event.pointerId, event.clientX);
      start.current = { x: event.clientX, time: timeAt(event.clientX) };
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

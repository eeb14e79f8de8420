import { useLayoutEffect, useRef, useState, type PointerEvent } from 'react';
import styles from './Network.module.css';

/** Shares of the network's width. */
interface Span {
  from: number;
  width: number;
}

interface Shown {
  view: Span;
  columns: (Span & { unit: string })[];
}

/**
 * A wide network as a strip, with the part in view: a press or a drag shows another part. The layers are its next sibling, and
 * scroll with the keyboard by themselves.
 *
 * @param chosen the unit whose layer is selected
 */
export function Minimap({ chosen }: { chosen: string | undefined }) {
  const strip = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown>();
  useLayoutEffect(() => {
    const scroller = strip.current?.nextElementSibling;
    const track = scroller?.firstElementChild;
    if (!scroller || !track) return undefined;
    const measure = () => setShown(measured(scroller));
    measure();
    const observer = new ResizeObserver(measure);
    for (const one of [scroller, track]) observer.observe(one);
    scroller.addEventListener('scroll', measure);
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', measure);
    };
  }, []);
  const go = ({ clientX, currentTarget }: PointerEvent<HTMLDivElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const scroller = currentTarget.nextElementSibling;
    if (!scroller) return;
    scroller.scrollLeft = ((clientX - left) / width) * scroller.scrollWidth - scroller.clientWidth / 2;
  };
  return (
    <div
      ref={strip}
      className={styles.minimap}
      hidden={!shown}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons > 0) go(event);
      }}
    >
      {shown?.columns.map(({ unit, ...span }) => (
        <i key={unit} data-chosen={unit === chosen || undefined} style={placed(span)} />
      ))}
      {shown && <span style={placed(shown.view)} />}
    </div>
  );
}

const placed = ({ from, width }: Span) => ({ left: `${100 * from}%`, width: `${100 * width}%` });

/** Undefined if all of it is in view. */
function measured(scroller: Element): Shown | undefined {
  const { scrollWidth, clientWidth, scrollLeft } = scroller;
  if (scrollWidth <= clientWidth + 1) return undefined;
  const start = scroller.getBoundingClientRect().left - scrollLeft;
  return {
    view: { from: scrollLeft / scrollWidth, width: clientWidth / scrollWidth },
    columns: [...scroller.querySelectorAll<HTMLElement>('[data-unit]')].map((column) => {
      const { left, width } = column.getBoundingClientRect();
      return {
        unit: column.dataset['unit'] ?? '',
        from: (left - start) / scrollWidth,
        width: width / scrollWidth,
      };
    }),
  };
}

import { useLayoutEffect, useRef, useState } from 'react';
import styles from './Network.module.css';
import type { UnitStage } from '../../../network/units.ts';

interface JumpsProps {
  jumps: readonly { from: string; to: string }[];
  /** The stages, and whether each shows all its columns. */
  of: readonly { stage: UnitStage; open: boolean }[];
}

/** Pixels above the columns that arcs have. */
const HEIGHT = 22;

/** Arcs from column to column where a layer reads another one than that before it. */
export function Jumps({ jumps, of }: JumpsProps) {
  const element = useRef<SVGSVGElement>(null);
  const [arcs, setArcs] = useState<{ from: number; to: number }[]>([]);
  const [width, setWidth] = useState(0);
  // A folded stage is its last column; an arc inside it is not seen.
  const seenAs = new Map(
    of.flatMap(({ stage: { units }, open }) =>
      units.map(({ name }) => [name, open ? name : units[units.length - 1].name] as const),
    ),
  );
  const seen = jumps.flatMap(({ from, to }) => {
    const [start, end] = [seenAs.get(from), seenAs.get(to)];
    return start !== undefined && end !== undefined && start !== end ? `${start}\n${end}` : [];
  });
  const key = [...new Set(seen)].join('\n\n');
  useLayoutEffect(() => {
    const track = element.current?.parentElement;
    if (!track) return undefined;
    const measure = () => {
      const left = track.getBoundingClientRect().left;
      const middles = new Map(
        [...track.querySelectorAll<HTMLElement>('[data-unit]')].map((column) => {
          const bounds = column.getBoundingClientRect();
          return [column.dataset['unit'] ?? '', bounds.left - left + bounds.width / 2] as const;
        }),
      );
      setWidth(track.scrollWidth);
      setArcs(
        (key === '' ? [] : key.split('\n\n')).flatMap((pair) => {
          const [from, to] = pair.split('\n').map((name) => middles.get(name));
          return from === undefined || to === undefined ? [] : { from, to };
        }),
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(track);
    return () => observer.disconnect();
  }, [key]);
  return (
    <svg
      ref={element}
      className={styles.jumps}
      width={width}
      height={arcs.length > 0 ? HEIGHT : 0}
      aria-hidden="true"
    >
      {arcs.map(({ from, to }) => (
        <path
          key={`${from} ${to}`}
          d={`M${from} ${HEIGHT}C${from} 2 ${from} 2 ${from + 14} 2H${to - 14}C${to} 2 ${to} 2 ${to} ${HEIGHT}`}
        />
      ))}
    </svg>
  );
}

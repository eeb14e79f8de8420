import { useLayoutEffect, useRef, useState } from 'react';
import type { ValueBox } from '../../../../ops/reads.ts';
import styles from './Network.module.css';

interface ReadingProps {
  /** What a value reads, by layer: the frames that the columns show. */
  field: ReadonlyMap<string, ValueBox>;
}

/** More frames than these in a column would be a thicket. */
const MAX_LINES = 16;

/** Lines from the frames of each column to that of the next: how the pointed value comes about. */
export function Reading({ field }: ReadingProps) {
  const element = useRef<SVGSVGElement>(null);
  const [lines, setLines] = useState<readonly string[]>([]);
  useLayoutEffect(() => {
    const track = element.current?.parentElement;
    if (track) setLines(field.size > 0 ? linesIn(track) : []);
  }, [field]);
  return (
    <svg ref={element} className={styles.reading} aria-hidden="true">
      {lines.map((line) => (
        <path key={line} d={line} />
      ))}
    </svg>
  );
}

function linesIn(track: HTMLElement): string[] {
  const { left, top } = track.getBoundingClientRect();
  const columns = [...track.querySelectorAll('[data-unit]')].map((column) =>
    [...column.querySelectorAll(`.${styles.marks} rect`)].slice(0, MAX_LINES).map((rect) => {
      const bounds = rect.getBoundingClientRect();
      const y = bounds.top + bounds.height / 2 - top;
      return { from: bounds.right - left, to: bounds.left - left, y };
    }),
  );
  return columns.slice(1).flatMap((frames, i) => {
    const [to] = frames;
    if (!to) return [];
    return columns[i].map(({ from, y }) => {
      const bend = (to.to - from) / 2;
      return `M${from} ${y}C${from + bend} ${y} ${to.to - bend} ${to.y} ${to.to} ${to.y}`;
    });
  });
}

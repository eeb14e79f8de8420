import { memo, useId, useRef, useState, type KeyboardEvent } from 'react';
import { network as texts } from '../../../messages/en/network.tsx';
import * as format from '../../../format.ts';
import type { NetworkPicture, PictureColumn, Rect } from '../../../network/picture.ts';
import type { ValuePosition } from '../../../network/receptive.ts';
import styles from './LiveNetwork.module.css';

interface DoorsProps {
  picture: NetworkPicture;
  classes: readonly string[];
  /** The classes of the answer's lines, by number, joined by commas; empty for all in their order. */
  ranked: string;
  onPoint(place: ValuePosition | undefined): void;
  onOpen(layer: string, channel: number): void;
}

/** A button over each map, with the names of the columns. One of them takes the focus; arrow keys lead to the others. */
export const Doors = memo(function Doors({ picture, classes, ranked, onPoint, onOpen }: DoorsProps) {
  const { columns } = picture;
  const [at, setAt] = useState<readonly [column: number, tile: number]>([0, 0]);
  const box = useRef<HTMLDivElement>(null);
  const keys = useId();
  // The picture may have become another one.
  const column = Math.min(at[0], columns.length - 1);
  const tile = Math.min(at[1], columns[column].tiles.length - 1);
  const order = ranked === '' ? undefined : ranked.split(',').map(Number);
  const moved = (event: KeyboardEvent) => {
    const to = neighbour(columns, [column, tile], event.key);
    if (!to) return;
    event.preventDefault();
    setAt(to);
    box.current?.querySelector<HTMLElement>(`[data-door="${to.join()}"]`)?.focus();
  };
  return (
    <div
      ref={box}
      role="toolbar"
      tabIndex={-1}
      aria-label={texts.title}
      aria-describedby={keys}
      onKeyDown={moved}
    >
      <p id={keys} className="unseen">
        {texts.keys}
      </p>
      {columns.map((one, i) => (
        <div key={`${one.layer.name} ${i}`} role="group" aria-label={labelOf(one)}>
          <Names column={one} before={columns[i - 1]} />
          {one.tiles.map((rect, k) => {
            const channel = one.kind === 'answer' ? (order?.[k] ?? k) : k;
            const name = doorName(one, channel, classes);
            return (
              <button
                key={k}
                type="button"
                className={styles.door}
                data-door={`${i},${k}`}
                data-round={one.kind === 'values' || undefined}
                style={placed(rect)}
                tabIndex={i === column && k === tile ? 0 : -1}
                aria-label={name}
                title={name}
                onFocus={(event) => {
                  setAt([i, k]);
                  if (event.currentTarget.matches(':focus-visible')) onPoint(middleOf(one, channel));
                }}
                onBlur={() => onPoint(undefined)}
                onClick={() => onOpen(one.layer.name, one.kind === 'image' ? 0 : channel)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
});

/** What a column is, how many layers are left out before it, and how many of its maps there are. */
function Names({ column, before }: { column: PictureColumn; before: PictureColumn | undefined }) {
  const { kind, name, layer, tiles, skipped } = column;
  return (
    <>
      <span className={styles.name} style={nameAt(column)} aria-hidden="true">
        {kind === 'image' ? texts.image : kind === 'answer' ? texts.answer : name}
      </span>
      {before && skipped > 0 && (
        <span className={styles.more} style={between(before, column)}>
          {texts.more(skipped)}
        </span>
      )}
      {tiles.length < layer.shape[0] && kind !== 'image' && (
        <span className={styles.some} style={someAt(column)} aria-hidden="true">
          {texts.some(tiles.length, layer.shape[0])}
        </span>
      )}
    </>
  );
}

function labelOf({ kind, name, layer, tiles }: PictureColumn): string {
  const [all, height = 1, width = 1] = layer.shape;
  if (kind === 'image') return texts.image;
  if (kind === 'answer') return texts.answer;
  const size = kind === 'maps' ? format.shape([height, width]) : undefined;
  return texts.column(name, tiles.length, all, size);
}

function doorName({ kind, name }: PictureColumn, k: number, classes: readonly string[]): string {
  if (kind === 'image') return texts.openImage;
  if (kind === 'answer') return texts.openScore(classes[k] ?? String(k));
  return texts.open(name, k, kind === 'maps');
}

const middleOf = ({ layer }: PictureColumn, k: number): ValuePosition => {
  const [, height = 1, width = 1] = layer.shape;
  return { layer: layer.name, k, p: Math.floor(height / 2), q: Math.floor(width / 2) };
};

const placed = ({ x, y, width, height }: Rect) => ({ left: x, top: y, width, height });

/** CSS pixels that a name may stick out of its column, over the lines to the next. */
const OVER = 26;

const nameAt = ({ x, width }: Rect) => ({ left: x, maxWidth: width + OVER });
const someAt = ({ x, y, width, height }: Rect) => ({ left: x, top: y + height + 1, maxWidth: width + OVER });

/** In the middle of the lines between two columns. */
const between = (before: Rect, after: Rect) => ({
  left: (before.x + before.width + after.x) / 2,
  top: after.y + after.height / 2,
});

/** Where an arrow key leads: up and down to the next of a column, left and right to the one nearest in height. */
function neighbour(
  columns: readonly PictureColumn[],
  [column, tile]: readonly [number, number],
  key: string,
): readonly [number, number] | undefined {
  const within = (to: number): readonly [number, number] => [
    column,
    Math.max(0, Math.min(columns[column].tiles.length - 1, to)),
  ];
  const beside = (to: number): readonly [number, number] => {
    const next = columns[Math.max(0, Math.min(columns.length - 1, to))];
    const { y, height } = columns[column].tiles[tile];
    const away = next.tiles.map((rect) => Math.abs(rect.y + rect.height / 2 - y - height / 2));
    return [columns.indexOf(next), away.indexOf(Math.min(...away))];
  };
  switch (key) {
    case 'ArrowUp':
      return within(tile - 1);
    case 'ArrowDown':
      return within(tile + 1);
    case 'ArrowLeft':
      return beside(column - 1);
    case 'ArrowRight':
      return beside(column + 1);
    case 'Home':
      return [0, 0];
    case 'End':
      return beside(columns.length - 1);
    default:
      return undefined;
  }
}

import type { PointerEvent } from 'react';
import { elements } from '../../../../base/shape.ts';
import type { LookLayer } from '../../../../worker/api.ts';
import { MapCanvas } from '../../../components/maps/MapCanvas.tsx';
import { digits, rangeOf, reachOf } from '../../../components/maps/numbers.ts';
import { cornerOf, layOut, paintMap, tileAt, type TileLayout } from '../../../components/maps/tiles.ts';
import * as format from '../../../format.ts';
import { inspect as texts } from '../../../messages/inspect.ts';
import styles from './Network.module.css';
import type { ValueBox } from '../../../../ops/reads.ts';
import type { ValuePosition } from '../../../network/receptive.ts';

/** CSS pixels: of a map, about; of a large map at most; of a value of a vector; of a column's height. */
const SIDE = 44;
const MOST_SIDE = 56;
const CELL = 10;
const HEIGHT = 416;
/** Values of a vector that a column shows. */
const CELLS = 128;

/** How a layer's first channels lie in its column. @param across for rows instead of a column: the pixels of a row */
export function layoutOf(
  layer: LookLayer,
  across: number | undefined,
): { layout: TileLayout; count: number } {
  const [, height = 1, width = 1] = layer.shape;
  const size = [width, height] as const;
  const longer = Math.max(width, height);
  const vector = longer === 1;
  const count = Math.min(layer.overviewChannels, vector ? CELLS : layer.overviewChannels);
  const side = vector ? CELL : longer * Math.max(1, Math.round(SIDE / longer));
  const one = layOut(1, size, side, Infinity);
  const shrunk = shrinkOf(one.width);
  const step = { x: one.stepX * shrunk, y: one.stepY * shrunk };
  const rows = Math.max(1, Math.floor(HEIGHT / step.y));
  const columns = across === undefined ? Math.ceil(count / rows) : Math.max(1, Math.floor(across / step.x));
  return { layout: layOut(count, size, side, columns * one.stepX), count };
}

/** Maps of many pixels are drawn smaller than one CSS pixel each. */
const shrinkOf = (width: number): number => Math.min(1, MOST_SIDE / width);

interface MapsProps {
  layer: LookLayer;
  /** Undefined until they arrive. */
  values: Float32Array | undefined;
  /** The values to mark. */
  box: ValueBox | undefined;
  across: number | undefined;
  onHover(place: ValuePosition | undefined): void;
  onPick(place: ValuePosition): void;
}

/** The first maps of a layer, or the first values of a vector. */
export function Maps({ layer, values, box, across, onHover, onPick }: MapsProps) {
  const [channels, height = 1, width = 1] = layer.shape;
  const size = [width, height] as const;
  const { layout, count } = layoutOf(layer, across);
  const shrunk = shrinkOf(width * layout.zoom);
  const placeAt = (x: number, y: number): ValuePosition | undefined => {
    const tile = tileAt(layout, count, x, y);
    if (tile === undefined) return undefined;
    const [left, top] = cornerOf(layout, tile);
    const within = (pixels: number, most: number) => Math.min(most - 1, Math.floor(pixels / layout.zoom));
    return { layer: layer.name, k: tile, p: within(y - top, height), q: within(x - left, width) };
  };
  const moved = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const bounds = currentTarget.getBoundingClientRect();
    const x = ((clientX - bounds.left) / bounds.width) * layout.width;
    const y = ((clientY - bounds.top) / bounds.height) * layout.height;
    onHover(placeAt(x, y));
  };
  const range = values ? rangeOf(values) : { least: 0, most: 0 };
  return (
    <div
      className={styles.maps}
      style={{ width: layout.width * shrunk, height: layout.height * shrunk }}
      onPointerMove={moved}
      onPointerLeave={() => onHover(undefined)}
    >
      <MapCanvas
        width={layout.width}
        height={layout.height}
        label={texts.network.pictures({
          layer: layer.name,
          shown: count,
          all: channels,
          size: height * width > 1 ? [height, width] : undefined,
          least: digits(range.least),
          most: digits(range.most),
        })}
        paint={(context, colours) => {
          if (!values) return;
          const reach = reachOf(range);
          for (let k = 0; k < count; k++) {
            const [x, y] = cornerOf(layout, k);
            paintMap(context, values, k * elements(size), size, [x, y, layout.zoom], reach, colours);
          }
        }}
        onPick={(x, y) => {
          const place = placeAt(x, y);
          if (place) onPick(place);
        }}
      />
      <Marks layout={layout} count={count} box={box} />
      {count < channels && <span className={styles.more}>{texts.network.part(count, channels)}</span>}
    </div>
  );
}

/** Frames around a box of values, in every map that it reaches. */
function Marks({ layout, count, box }: { layout: TileLayout; count: number; box: ValueBox | undefined }) {
  if (!box) return null;
  const { zoom, width, height } = layout;
  const [from, end] = box.channels;
  const shown = Math.max(0, Math.min(end, count) - from);
  const [across, down] = [box.columns, box.rows].map(([first, last]) => (last - first) * zoom);
  return (
    <svg className={styles.marks} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {Array.from({ length: shown }, (_, i) => {
        const [x, y] = cornerOf(layout, from + i);
        return (
          <rect
            key={i}
            x={x + box.columns[0] * zoom}
            y={y + box.rows[0] * zoom}
            width={across}
            height={down}
          />
        );
      })}
    </svg>
  );
}

interface ScoresProps {
  layer: LookLayer;
  classes: readonly string[];
  probabilities: Float32Array;
  onPick(place: ValuePosition): void;
}

/** The classes with their probabilities: what the last layer is for. */
export function Scores({ layer, classes, probabilities, onPick }: ScoresProps) {
  const best = probabilities.indexOf(Math.max(...probabilities));
  return (
    <ul className={styles.scores} aria-label={texts.network.probabilities}>
      {classes.map((name, k) => (
        <li key={name} data-best={k === best || undefined}>
          <button
            type="button"
            className="bare"
            title={texts.network.score(name)}
            onClick={() => onPick({ layer: layer.name, k, p: 0, q: 0 })}
          >
            <span className={styles.class}>{name}</span>
            <span className={styles.bar} aria-hidden="true">
              <span style={{ width: `${100 * probabilities[k]}%` }} />
            </span>
            <span className="numbers">{format.percent(probabilities[k], 0)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

import { useEffect, useId, useRef, type MouseEvent } from 'react';
import type { LookLayer } from '../../../../worker/api.ts';
import { useMapColours } from '../../../components/maps/MapCanvas.tsx';
import { digits, type Range } from '../../../components/maps/numbers.ts';
import { paintMap } from '../../../components/maps/tiles.ts';
import styles from './Image.module.css';
import { useInspect } from '../inspect-store.ts';

/** Pixels of the screen for the longer side. */
const SIDE = 252;

interface OneMapProps {
  values: Float32Array;
  channel: number;
  count: number;
  height: number;
  width: number;
  layer: LookLayer;
  /** Which number is picked out. */
  place: { p: number; q: number };
  range: Range;
  reach: number;
  /** False while another layer was chosen, whose numbers are on their way: nothing here is chosen then. */
  current: boolean;
}

/** One channel, large: press a number in it, or name its row and column. */
export function OneMap({
  values,
  channel,
  count,
  height,
  width,
  layer,
  place,
  range,
  reach,
  current,
}: OneMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useMapColours();
  const choose = useInspect((state) => state.setLookChoice);
  const p = Math.min(place.p, height - 1);
  const q = Math.min(place.q, width - 1);
  const zoom = Math.max(1, Math.floor(SIDE / Math.max(height, width)));
  const from = channel * height * width;
  const isMap = height * width > 1;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    paintMap(context, values, from, [width, height], [0, 0, zoom], reach, colours);
    context.strokeStyle = colours.line;
    context.lineWidth = 2;
    if (isMap) context.strokeRect(q * zoom, p * zoom, zoom, zoom);
  });
  const pressed = (event: MouseEvent<HTMLCanvasElement>) => {
    if (!current) return;
    const bounds = event.currentTarget.getBoundingClientRect();
    const at = (part: number, whole: number, numbers: number) =>
      Math.max(0, Math.min(numbers - 1, Math.floor((part / whole) * numbers)));
    const row = at(event.clientY - bounds.top, bounds.height, height);
    choose({ pixel: { p: row, q: at(event.clientX - bounds.left, bounds.width, width) } });
  };
  return (
    <div className={styles.one}>
      {isMap && (
        <canvas
          ref={canvas}
          width={width * zoom}
          height={height * zoom}
          role="img"
          aria-label={`Channel ${channel} of ${layer.name}, enlarged`}
          title="Select a value"
          onClick={pressed}
        />
      )}
      <div className={styles.place}>
        <Whole
          label={layer.shape.length === 1 ? 'Number' : 'Channel'}
          value={channel}
          most={count - 1}
          current={current}
          onChange={(k) => choose({ channel: k })}
        />
        {isMap && (
          <>
            <Whole
              label="Row"
              value={p}
              most={height - 1}
              current={current}
              onChange={(row) => choose({ pixel: { p: row, q } })}
            />
            <Whole
              label="Column"
              value={q}
              most={width - 1}
              current={current}
              onChange={(column) => choose({ pixel: { p, q: column } })}
            />
          </>
        )}
      </div>
      <p className={styles.number}>
        <span>{isMap ? `${layer.name}[${channel}, ${p}, ${q}]` : `${layer.name}[${channel}]`} =</span>{' '}
        <output aria-label="Selected value" aria-live="off" className="numbers">
          {digits(values[from + p * width + q], 6)}
        </output>
      </p>
      {isMap && (
        <p className={styles.small}>
          Channel range: {digits(range.least)} to {digits(range.most)}.
        </p>
      )}
    </div>
  );
}

interface WholeProps {
  label: string;
  value: number;
  most: number;
  current: boolean;
  onChange(value: number): void;
}

/** A field for a whole number from 0 on. */
function Whole({ label, value, most, current, onChange }: WholeProps) {
  const id = useId();
  return (
    <div className={styles.whole}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="number"
        min={0}
        max={most}
        step={1}
        readOnly={!current}
        value={value}
        onChange={(event) => {
          const wanted = event.target.valueAsNumber;
          if (Number.isInteger(wanted)) onChange(Math.max(0, Math.min(most, wanted)));
        }}
      />
    </div>
  );
}

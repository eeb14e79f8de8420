import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import type { Attribution, AttributionMethod, Look } from '../../../../worker/api.ts';
import { ask } from '../../../client.ts';
import { Choice } from '../../../widgets/Choice.tsx';
import { Select } from '../../../widgets/Select.tsx';
import { drawTile } from '../../../components/Tile.tsx';
import { useInk, type Rgb } from '../../../components/use-ink.ts';
import { useLiveAnswer } from '../../../components/use-answer.ts';
import { useMapColours } from '../../../components/maps/MapCanvas.tsx';
import * as format from '../../../format.ts';
import { padDataset } from '../../../pad/pad-dataset.ts';
import { usePad } from '../../../pad/pad-store.ts';
import { useApp } from '../../../state/store.ts';
import { inspect as texts } from '../../../messages/inspect.ts';
import { keyOf } from '../../../pad/image-key.ts';
import styles from './Network.module.css';
import type { ValueBox } from '../../../../ops/reads.ts';
import type { ValuePosition } from '../../../network/receptive.ts';

/** Asked at most this often while it trains. */
const ASK_EVERY_MS = { 'grad-cam': 500, occlusion: 2000 } as const;

type Shown = AttributionMethod | 'image';

/** Pixels of the canvas; CSS shows it at half the size, so that it is sharp on any screen. */
const SIDE = 336;

interface InputColumnProps {
  look: Look;
  box: ValueBox | undefined;
  onHover(place: ValuePosition | undefined): void;
  onPick(place: ValuePosition): void;
}

/** The image, and on it what speaks for a class. */
export function InputColumn({ look, box, onHover, onPick }: InputColumnProps) {
  const [shown, setShown] = useState<Shown>('image');
  const [ofClass, setOfClass] = useState<number>();
  const [layer, setLayer] = useState<string>();
  const image = usePad((state) => state.image);
  const runId = useApp((state) => state.runId);
  const classes = useApp((state) => padDataset(state)?.classes) ?? [];
  // What comes with the page runs without a device, layer by layer.
  const method = shown === 'image' || runId === 0 ? undefined : shown;
  const maps = look.layers.filter(
    ({ op, shape }) => op !== 'input' && shape.length === 3 && shape[1] * shape[2] > 1,
  );
  const { 'grad-cam': _, ...withoutMaps } = texts.network.shown;
  const canCam = look.layers.some(({ op }) => op === 'conv');
  const camLayer = maps.some(({ name }) => name === layer) ? layer : undefined;
  const key =
    method && image
      ? JSON.stringify([runId, look.step, keyOf(image), method, ofClass, method === 'grad-cam' && camLayer])
      : undefined;
  const [element, answer] = useLiveAnswer<Attribution, HTMLDivElement>(
    key,
    ASK_EVERY_MS[method ?? 'grad-cam'],
    () =>
      ask((api) =>
        api.inspect.attribution({
          image: image ?? new Uint8Array(),
          method: method ?? 'grad-cam',
          ofClass,
          layer: camLayer,
        }),
      ),
  );
  const found = answer?.ok && answer.value.method === method ? answer.value : undefined;
  return (
    <div className={styles.input} ref={element}>
      <Picture look={look} found={found} box={box} onHover={onHover} onPick={onPick} />
      <Choice
        label={texts.network.onImage}
        value={method ?? 'image'}
        options={(canCam ? texts.network.shown : withoutMaps) as Record<Shown, string>}
        obstacle={runId === 0 ? texts.network.trainFirst : undefined}
        onChange={setShown}
      />
      {method && (
        <>
          <Select
            look="beside"
            label={texts.network.ofClass}
            value={String(ofClass ?? '')}
            options={[
              { value: '', title: texts.network.predictedClass },
              ...classes.map((title, i) => ({ value: String(i), title })),
            ]}
            onChange={(value) => setOfClass(value === '' ? undefined : Number(value))}
          />
          {method === 'grad-cam' && (
            <Select
              look="beside"
              label={texts.network.at}
              value={camLayer ?? ''}
              options={[
                { value: '', title: texts.network.lastConvolution },
                ...maps.map(({ name }) => ({ value: name, title: name })),
              ]}
              onChange={(value) => setLayer(value === '' ? undefined : value)}
            />
          )}
          <p className="fine">
            {answer && !answer.ok
              ? `${answer.error.message} ${answer.error.advice ?? ''}`
              : found
                ? textOf(found, classes)
                : texts.network.computing}
          </p>
        </>
      )}
    </div>
  );
}

/** What the colours say, and where they are strongest. */
function textOf(
  { method, ofClass, probability, values, rows, columns, layer, square }: Attribution,
  classes: readonly string[],
) {
  const name = `${classes[ofClass] ?? ofClass} (${format.percent(probability, 0)})`;
  let at = 0;
  values.forEach((value, i) => {
    if (value > values[at]) at = i;
  });
  const [, height, width] = usePad.getState().shape;
  const row = Math.floor(((Math.floor(at / columns) + 0.5) / rows) * height);
  const column = Math.floor((((at % columns) + 0.5) / columns) * width);
  if (!(values[at] > 0)) return texts.network.noEvidence(name);
  const where = texts.network.strongest(row, column);
  return method === 'grad-cam'
    ? texts.network.evidence(name, layer, where)
    : texts.network.falls(name, square?.join(' × '), where, format.percent(values[at], 0));
}

interface PictureProps {
  look: Look;
  found: Attribution | undefined;
  box: ValueBox | undefined;
  onHover(place: ValuePosition | undefined): void;
  onPick(place: ValuePosition): void;
}

function Picture({ look, found, box, onHover, onPick }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const image = usePad((state) => state.image);
  const shape = usePad((state) => state.shape);
  const ink = useInk();
  const { negative } = useMapColours();
  const [, height, width] = shape;
  const [imageLayer] = look.layers;
  usePicture(canvas, (context) => {
    if (image) paintImage(context, image, shape, ink);
    if (found) paintHeat(context, found, HOT, negative);
  });
  const placeOf = ({
    currentTarget,
    clientX,
    clientY,
  }: Pick<PointerEvent<HTMLCanvasElement>, 'currentTarget' | 'clientX' | 'clientY'>): ValuePosition => {
    const bounds = currentTarget.getBoundingClientRect();
    const within = (share: number, most: number) => Math.max(0, Math.min(most - 1, Math.floor(share * most)));
    return {
      layer: imageLayer.name,
      k: 0,
      p: within((clientY - bounds.top) / bounds.height, height),
      q: within((clientX - bounds.left) / bounds.width, width),
    };
  };
  return (
    <div className={styles.picture} style={{ aspectRatio: `${width} / ${height}` }}>
      <canvas
        ref={canvas}
        width={SIDE}
        height={Math.round((SIDE * height) / width)}
        role="img"
        aria-label={texts.network.image}
        onPointerMove={(event) => onHover(placeOf(event))}
        onPointerLeave={() => onHover(undefined)}
        onClick={(event) => onPick(placeOf(event))}
      />
      {box && (
        <svg className={styles.marks} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          <rect
            x={box.columns[0]}
            y={box.rows[0]}
            width={box.columns[1] - box.columns[0]}
            height={box.rows[1] - box.rows[0]}
          />
        </svg>
      )}
    </div>
  );
}

function usePicture(
  canvas: RefObject<HTMLCanvasElement | null>,
  paint: (context: CanvasRenderingContext2D) => void,
) {
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    paint(context);
  });
}

function paintImage(
  context: CanvasRenderingContext2D,
  image: Uint8Array,
  shape: readonly number[],
  ink: Rgb,
) {
  const [, height, width] = shape;
  const small = new OffscreenCanvas(width, height);
  const pixels = small.getContext('2d');
  if (!pixels) return;
  drawTile(pixels, image, [...shape], 0, 0, ink);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, context.canvas.width, context.canvas.height);
}

/** Orange, readable on ink and paper of both themes. */
const HOT: Rgb = [238, 108, 20];

/** Colours over the image, as strong as the values; smoothed between them. */
function paintHeat(context: CanvasRenderingContext2D, found: Attribution, hot: Rgb, cold: Rgb) {
  const { values, rows, columns } = found;
  const most = values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  if (!(most > 0)) return;
  const small = new OffscreenCanvas(columns, rows);
  const pixels = small.getContext('2d');
  if (!pixels) return;
  const data = pixels.createImageData(columns, rows);
  values.forEach((value, i) => {
    data.data.set([...(value < 0 ? cold : hot), Math.round((220 * Math.abs(value)) / most)], 4 * i);
  });
  pixels.putImageData(data, 0, 0);
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = 'high';
  context.drawImage(small, 0, 0, context.canvas.width, context.canvas.height);
}

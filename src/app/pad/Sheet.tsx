import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { useInk } from '../components/use-ink.ts';
import { drawTile } from '../components/Tile.tsx';
import { drawStrokes } from './drawing.ts';
import { train as texts } from '../messages/en/train.tsx';
import styles from './PadPanel.module.css';
import { showDrawing, type Drawing } from './pad-image.ts';
import { isColour } from './target.ts';
import { usePad } from './pad-store.ts';

interface SheetProps extends Drawing {
  /** Of new strokes, where images have colours. */
  colour: string;
}

/** The sheet to draw on, with a finger, a pen or a mouse. */
export function Sheet({ brush, target, colour, paper }: SheetProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointer = useRef<number>(undefined);
  const [side, setSide] = useState(0);
  const ink = useInk();
  const image = usePad((state) => state.image);
  const shape = usePad((state) => state.shape);
  const source = usePad((state) => state.source);
  const strokes = usePad((state) => state.strokes);

  // The bitmap has the screen's own pixels, whatever the layout and the zoom.
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setSide(Math.round(element.clientWidth * devicePixelRatio)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context && side > 0)
      paint(context, side, { image, shape, source, strokes }, { brush, target, paper }, ink);
  });
  const drawing = { brush, target, paper };
  // A change of brush, background or data set applies to the drawing at once.
  useEffect(() => {
    const { strokes: drawn, isExample } = usePad.getState();
    if (drawn.length === 0) return;
    showDrawing(drawn, { brush, target, paper });
    usePad.setState({ isExample });
  }, [brush, paper, target]);

  const place = (event: { clientX: number; clientY: number }): [number, number] => {
    const bounds = canvas.current?.getBoundingClientRect();
    if (!bounds) return [0, 0];
    return [(event.clientX - bounds.left) / bounds.width, (event.clientY - bounds.top) / bounds.height];
  };
  const began = (event: PointerEvent<HTMLCanvasElement>) => {
    if (pointer.current !== undefined || event.button !== 0) return;
    pointer.current = event.pointerId;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { strokes: before, isExample } = usePad.getState();
    showDrawing([...(isExample ? [] : before), { points: place(event), colour }], drawing);
  };
  const moved = (event: PointerEvent<HTMLCanvasElement>) => {
    if (pointer.current !== event.pointerId) return;
    // The browser gathers fast movements into one event; the points between make the line smooth. Safari before 18.2, and
    // pages loaded over HTTP, have the one alone. https://caniuse.com/mdn-api_pointerevent_getcoalescedevents
    const native: Partial<Pick<globalThis.PointerEvent, 'getCoalescedEvents'>> = event.nativeEvent;
    const between = native.getCoalescedEvents?.() ?? [];
    const points = (between.length > 0 ? between : [event.nativeEvent]).flatMap(place);
    const { strokes: before } = usePad.getState();
    const last = before.at(-1);
    // Cleared while it was drawn.
    if (!last) return;
    showDrawing([...before.slice(0, -1), { ...last, points: [...last.points, ...points] }], drawing);
  };
  const ended = (event: PointerEvent<HTMLCanvasElement>) => {
    if (pointer.current === event.pointerId) pointer.current = undefined;
  };
  return (
    <canvas
      ref={canvas}
      className={styles.sheet}
      width={side}
      height={side}
      role="img"
      aria-label={image ? texts.pad.drawn : texts.pad.empty}
      onPointerDown={began}
      onPointerMove={moved}
      onPointerUp={ended}
      onPointerCancel={ended}
    />
  );
}

type PadImage = Pick<ReturnType<typeof usePad.getState>, 'image' | 'shape' | 'source' | 'strokes'>;

/** The drawing, or the image that lies on the sheet. @param side in pixels @param ink of images and drawings without colours */
function paint(
  context: CanvasRenderingContext2D,
  side: number,
  { image, shape, source, strokes }: PadImage,
  { brush, target, paper }: Drawing,
  ink: ReturnType<typeof useInk>,
): void {
  context.clearRect(0, 0, side, side);
  if (source !== 'drawing' && image) {
    const [, height, width] = shape;
    const small = new OffscreenCanvas(width, height);
    const smallContext = small.getContext('2d');
    if (smallContext) drawTile(smallContext, image, shape, 0, 0, ink);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, side, side);
    return;
  }
  if (isColour(target) && strokes.length > 0) {
    context.fillStyle = paper;
    context.fillRect(0, 0, side, side);
  }
  drawStrokes(context, strokes, side, brush, isColour(target) ? undefined : `rgb(${ink.join(' ')})`);
}

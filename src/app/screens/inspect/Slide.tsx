import { useEffect, useEffectEvent, useState } from 'react';
import type { Look, LookLayer, LookPixel } from '../../../worker/api.ts';
import { MapCanvas } from '../../components/maps/MapCanvas.tsx';
import { rangeOf, reachOf } from '../../components/maps/numbers.ts';
import { paintMap } from '../../components/maps/tiles.ts';
import { inspect as texts } from '../../messages/inspect.ts';
import { Button } from '../../widgets/Button.tsx';
import styles from './Inspect.module.css';

/** CSS pixels of a map's longer side. */
const SIDE = 112;
/** Milliseconds that a place is looked at, and all of them together at most. */
const PLACE_MS = 110;
const MOST_MS = 16_000;

interface SlideProps {
  pixel: LookPixel;
  /** Of those that the filter reads. */
  channel: number;
  output: Look['output'];
  reads: Extract<LookLayer['reads'], { kind: 'window' }>;
}

/** Where the filter lies on its input, and the map that it makes. Played, it slides over the input once, value by value. */
export function Slide({ pixel, channel, output, reads }: SlideProps) {
  const { k, input, inputShape, firstChannel, window, dilation, inputName } = pixel;
  const [, H, W] = inputShape;
  const [, P = 1, Q = 1] = output.shape;
  const slide = useSlide(P * Q);
  const at = slide.at ?? pixel.p * Q + pixel.q;
  const [p, q] = [Math.floor(at / Q), at % Q];
  const top = p * reads.stride[0] + reads.start[0];
  const left = q * reads.stride[1] + reads.start[1];
  const [down, across] = [0, 1].map((axis) => (window[axis] - 1) * dilation[axis] + 1);
  const zoomOf = (height: number, width: number) => Math.max(1, Math.floor(SIDE / Math.max(height, width)));
  const zoom = zoomOf(H, W);
  const outZoom = zoomOf(P, Q);
  return (
    <div className={styles.slide}>
      <figure className={styles.where}>
        <MapCanvas
          width={W * zoom}
          height={H * zoom}
          label={texts.pixel.where(firstChannel + channel, inputName, top, left)}
          paint={(context, colours) => {
            const from = (firstChannel + channel) * H * W;
            const reach = reachOf(rangeOf(input, from, from + H * W));
            paintMap(context, input, from, [W, H], [0, 0, zoom], reach, colours);
            context.strokeStyle = colours.line;
            context.lineWidth = 2;
            context.strokeRect(left * zoom, top * zoom, across * zoom, down * zoom);
          }}
        />
        <figcaption className="fine">{texts.pixel.at(signed(top), signed(left))}</figcaption>
      </figure>
      <figure className={styles.where}>
        <MapCanvas
          width={Q * outZoom}
          height={P * outZoom}
          label={texts.pixel.makes(output.layer, k)}
          paint={(context, colours) => {
            const from = k * P * Q;
            const reach = reachOf(rangeOf(output.values, from, from + P * Q));
            const made = output.values.slice(from, from + P * Q);
            // Values that are still to come.
            if (slide.at !== undefined) made.fill(0, at + 1);
            paintMap(context, made, 0, [Q, P], [0, 0, outZoom], reach, colours);
            context.strokeStyle = colours.line;
            context.lineWidth = 2;
            context.strokeRect(q * outZoom, p * outZoom, outZoom, outZoom);
          }}
        />
        <figcaption className="fine">{texts.pixel.map(output.layer, k)}</figcaption>
      </figure>
      <Button
        icon={slide.playing ? 'stop' : slide.steps ? 'step' : 'play'}
        title={texts.pixel.playTitle}
        onPress={slide.press}
      >
        {slide.playing ? texts.pixel.stop : slide.steps ? texts.pixel.next : texts.pixel.play}
      </Button>
    </div>
  );
}

const signed = (index: number): string => String(index).replace('-', '−');

/** The place of the filter while it slides over so many; undefined before. Where motion is unwelcome, a press is a step. */
function useSlide(count: number) {
  const [at, setAt] = useState<number>();
  const [playing, setPlaying] = useState(false);
  const steps = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const move = useEffectEvent((share: number) => {
    if (share < 1) setAt(Math.floor(share * count));
    else {
      setAt(undefined);
      setPlaying(false);
    }
  });
  useEffect(() => {
    if (!playing) return undefined;
    const length = Math.min(MOST_MS, count * PLACE_MS);
    const start = performance.now();
    let frame = 0;
    const draw = () => {
      move((performance.now() - start) / length);
      frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [playing, count]);
  const press = () => {
    if (steps) setAt(at === undefined ? 0 : at + 1 < count ? at + 1 : undefined);
    else {
      setAt(undefined);
      setPlaying(!playing);
    }
  };
  return { at, playing, steps, press };
}

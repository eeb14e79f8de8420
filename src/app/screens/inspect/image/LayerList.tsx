import { useEffect, useRef } from 'react';
import { elements } from '../../../../base/shape.ts';
import type { Look, LookLayer } from '../../../../worker/api.ts';
import { useMapColours } from '../../../components/maps/MapCanvas.tsx';
import { rangeOf, reachOf } from '../../../components/maps/numbers.ts';
import { layOut, cornerOf, paintMap } from '../../../components/maps/tiles.ts';
import styles from './Image.module.css';
import { useInspect } from '../inspect-store.ts';

/** Every layer with a glance at what it puts out; one of them is chosen. */
export function LayerList({ look }: { look: Look }) {
  const chosen = useInspect((state) => state.lookChoice.layer);
  const choose = useInspect((state) => state.setLookChoice);
  return (
    <fieldset className={styles.layers}>
      <legend>Layers</legend>
      {look.layers.map((layer, i) => (
        <label key={layer.name} className={styles.layer}>
          <input
            type="radio"
            name="look-layer"
            checked={layer.name === chosen}
            onChange={() => choose({ layer: layer.name, channel: 0, pixel: undefined })}
          />
          <span className={styles.layerText}>
            <b>{layer.title}</b>
            <span>
              {layer.name} · {layer.shape.join('×')}
            </span>
            {takesOthers(look.layers, i) && <span>takes {layer.takes.join(' and ')}</span>}
          </span>
          <Glance layer={layer} values={look.glances[i]} />
        </label>
      ))}
    </fieldset>
  );
}

/** Whether a layer takes something else than the one before it. */
const takesOthers = (layers: readonly LookLayer[], i: number): boolean =>
  i > 0 && (layers[i].takes.length > 1 || layers[i].takes[0] !== layers[i - 1].name);

/** Room for the first maps, in pixels of the screen. */
const ACROSS = 68;
const SIDE = 24;

function Glance({ layer, values }: { layer: LookLayer; values: Float32Array }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useMapColours();
  const [, height = 1, width = 1] = layer.shape;
  const size = elements([height, width]);
  const isVector = layer.shape.length === 1;
  const all = layOut(layer.glanced, [width, height], isVector ? 3 : SIDE, ACROSS);
  // Vectors fold into a few rows; maps stay in one.
  const count = Math.min(layer.glanced, all.columns * (isVector ? 4 : 1));
  const layout = layOut(count, [width, height], isVector ? 3 : SIDE, ACROSS);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, layout.width, layout.height);
    const reach = reachOf(rangeOf(values));
    for (let i = 0; i < count; i++) {
      const [x, y] = cornerOf(layout, i);
      paintMap(context, values, i * size, [width, height], [x, y, layout.zoom], reach, colours);
    }
  });
  return (
    <canvas
      ref={canvas}
      className={styles.glance}
      width={layout.width}
      height={layout.height}
      style={{ maxWidth: ACROSS, maxHeight: 2 * SIDE }}
      aria-hidden="true"
    />
  );
}

import { useEffect, useRef, type MouseEvent } from 'react';
import type { LookFilters } from '../../../../worker/api.ts';
import { Panel } from '../../../components/Panel.tsx';
import * as format from '../../../format.ts';
import { useApp } from '../../../state/store.ts';
import { useMapColours } from '../colours.ts';
import { digits, rangeOf, reachOf } from '../numbers.ts';
import { cornerOf, layOut, paintMap, tileAt } from '../tiles.ts';
import { useWidth } from '../use-width.ts';
import styles from './Image.module.css';
import { Legend } from './Legend.tsx';

/** Slices of all filters that are shown side by side, at most; else those of one filter. */
const MOST_SLICES = 512;

/** The filters of a convolution: a picture for each channel that a filter sees. */
export function FiltersPanel({ filters, layer }: { filters: LookFilters; layer: string }) {
  const { shape, weights, bias } = filters;
  const [K, C, R, S] = shape;
  const chosen = useApp((state) => Math.min(state.lookChoice.channel, K - 1));
  const choose = useApp((state) => state.setLookChoice);
  const range = rangeOf(weights);
  const all = K * C <= MOST_SLICES;
  const size = C * R * S;
  const shown = all ? weights : weights.subarray(chosen * size, (chosen + 1) * size);
  return (
    <Panel
      title={all ? 'Filters' : `Filter ${chosen}`}
      explanation={
        C === 1
          ? 'What each filter looks for: it answers most where the input has the same pattern.'
          : 'What each filter looks for in each channel of its input; a row of pictures is one filter.'
      }
    >
      <div className={styles.facts}>
        <span>
          <code>{layer}.weight</code> has {format.count(K)} filters of {format.shape([C, R, S])}
        </span>
        <Legend range={range} />
      </div>
      <Slices
        weights={shown}
        {...{ count: all ? K : 1, perFilter: C, size: [S, R], reach: reachOf(range) }}
        chosen={all ? chosen : undefined}
        onChoose={(k) => choose({ channel: k })}
      />
      <p className={styles.small}>
        Filter {chosen} has weights from {digits(rangeOf(weights, chosen * size, (chosen + 1) * size).least)}{' '}
        to {digits(rangeOf(weights, chosen * size, (chosen + 1) * size).most)}
        {bias ? ` and the bias ${digits(bias[chosen])}.` : ' and no bias.'}
      </p>
    </Panel>
  );
}

interface SlicesProps {
  weights: Float32Array;
  /** Filters, and slices of each. */
  count: number;
  perFilter: number;
  size: readonly [width: number, height: number];
  reach: number;
  chosen: number | undefined;
  onChoose(filter: number): void;
}

function Slices({ weights, count, perFilter, size, reach, chosen, onChoose }: SlicesProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useMapColours();
  const [box, across] = useWidth<HTMLDivElement>();
  const [width, height] = size;
  const slices = count * perFilter;
  const side = slices <= 32 ? 48 : slices <= 128 ? 30 : 20;
  const fit = layOut(slices, size, side, Math.max(across, 60));
  // Rows hold whole filters, where one fits.
  const columns = fit.columns >= perFilter ? Math.floor(fit.columns / perFilter) * perFilter : fit.columns;
  const layout = layOut(slices, size, side, columns * fit.stepX);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, layout.width, layout.height);
    for (let slice = 0; slice < slices; slice++) {
      const [x, y] = cornerOf(layout, slice);
      paintMap(context, weights, slice * width * height, size, [x, y, layout.zoom], reach, colours);
      if (chosen === undefined || Math.floor(slice / perFilter) !== chosen) continue;
      context.strokeStyle = colours.line;
      context.lineWidth = 2;
      context.strokeRect(x + 1, y + 1, width * layout.zoom - 2, height * layout.zoom - 2);
    }
  });
  const pressed = (event: MouseEvent<HTMLCanvasElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const slice = tileAt(
      layout,
      slices,
      ((event.clientX - bounds.left) / bounds.width) * layout.width,
      ((event.clientY - bounds.top) / bounds.height) * layout.height,
    );
    if (slice !== undefined && count > 1) onChoose(Math.floor(slice / perFilter));
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div ref={box} className={styles.atlas} tabIndex={0} role="region" aria-label="Filters">
      <canvas
        ref={canvas}
        width={layout.width}
        height={layout.height}
        role="img"
        aria-label={`${count} filters, ${perFilter} pictures of ${height} × ${width} each`}
        onClick={pressed}
      />
    </div>
  );
}

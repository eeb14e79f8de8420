import { useEffect } from 'react';
import { elements } from '../../../base/shape.ts';
import type { Look, LookFilters, LookLayer } from '../../../worker/api.ts';
import { train } from '../../actions/actions.ts';
import { ActionButton } from '../../actions/ActionButton.tsx';
import { Button } from '../../components/Button.tsx';
import { FailureNotice } from '../../components/Notice.tsx';
import { Panel } from '../../components/Panel.tsx';
import { MapCanvas } from '../../components/maps/MapCanvas.tsx';
import { digits, rangeOf, reachOf } from '../../components/maps/numbers.ts';
import { Legend, Slices } from '../../components/maps/Slices.tsx';
import { cornerOf, layOut, paintMap } from '../../components/maps/tiles.ts';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { imageAt } from '../../components/Tile.tsx';
import { padDataset } from '../../pad/pad-dataset.ts';
import { PadPanel } from '../../pad/PadPanel.tsx';
import { usePad } from '../../pad/pad-store.ts';
import { showOnPad } from '../../pad/showing.ts';
import styles from './Inspect.module.css';
import { useInspect } from '../../inspect-store.ts';
import { keepLooking, useLook } from './looking.ts';
import { MapsPanel } from './MapsPanel.tsx';
import { PixelPanel } from './PixelPanel.tsx';

/** The pad, and the activations for its image. */
export function ImageView() {
  useEffect(keepLooking, []);
  return (
    <div className={styles.view}>
      <div className="column">
        <PadPanel />
      </div>
      <Inside />
    </div>
  );
}

function Inside() {
  const look = useLook((state) => state.look);
  const error = useLook((state) => state.error);
  const hasRun = useApp((state) => state.runId > 0);
  const image = usePad((state) => state.image);
  if (!hasRun || !image || !look) {
    return (
      <Panel title="Activations">
        <div className={styles.empty}>
          {error && <p>{`${error.message} ${error.advice ?? ''}`}</p>}
          {!error && <Missing hasRun={hasRun} image={image !== undefined} />}
        </div>
      </Panel>
    );
  }
  return (
    <div className="column">
      {error && <FailureNotice kind="warning" title="Could not inspect the network" error={error} />}
      <div className={styles.inside}>
        <LayerList look={look} />
        <div className="column">
          <MapsPanel look={look} />
          {look.pixel && (
            <PixelPanel
              pixel={look.pixel}
              layer={look.output.layer}
              hasBias={look.filters?.bias !== undefined}
              step={look.step}
            />
          )}
          {look.filters && <FiltersPanel filters={look.filters} layer={look.output.layer} />}
        </div>
      </div>
    </div>
  );
}

/** What is missing: a model, or an image. */
function Missing({ hasRun, image }: { hasRun: boolean; image: boolean }) {
  const dataset = useApp(padDataset);
  const samples = useApp((state) => (dataset ? state.samples[dataset.name] : undefined));
  if (!hasRun) {
    return (
      <>
        <p>No trained network yet. Train at least one step.</p>
        <ActionButton action={train} kind="primary" />
      </>
    );
  }
  if (image) return <p>Computing activations…</p>;
  return (
    <>
      <p>Draw something, upload a picture or select a mistake to see its activations.</p>
      <Button
        icon="image"
        kind="primary"
        obstacle={samples ? undefined : 'No data set loaded yet.'}
        onPress={() => {
          if (!samples) return;
          const label = dataset?.classes[samples.labels[0]] ?? '';
          showOnPad(imageAt(samples, 0), samples.shape, `Training image ${format.count(0)}: ${label}`);
        }}
      >
        Use a training image
      </Button>
    </>
  );
}

/** All layers with their first feature maps, to select one. */
function LayerList({ look }: { look: Look }) {
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
          <span>
            <b>{layer.title}</b>
            <span>
              {layer.name} · {layer.shape.join('×')}
            </span>
            {hasOtherInputs(look.layers, i) && <span>inputs: {layer.takes.join(', ')}</span>}
          </span>
          <Glance layer={layer} values={look.overviews[i]} />
        </label>
      ))}
    </fieldset>
  );
}

/** Whether a layer's input is not just the layer before it. */
const hasOtherInputs = (layers: readonly LookLayer[], i: number): boolean =>
  i > 0 && (layers[i].takes.length > 1 || layers[i].takes[0] !== layers[i - 1].name);

/** Space for the first maps, in CSS pixels. */
const ACROSS = 68;
const SIDE = 24;

/** The first feature maps of a layer. */
function Glance({ layer, values }: { layer: LookLayer; values: Float32Array }) {
  const [, height = 1, width = 1] = layer.shape;
  const isVector = layer.shape.length === 1;
  const layoutFor = (count: number) => layOut(count, [width, height], isVector ? 3 : SIDE, ACROSS);
  // Vectors wrap to a few rows; maps stay in one.
  const count = Math.min(
    layer.overviewChannels,
    layoutFor(layer.overviewChannels).columns * (isVector ? 4 : 1),
  );
  const layout = layoutFor(count);
  return (
    <MapCanvas
      className={styles.glance}
      width={layout.width}
      height={layout.height}
      style={{ maxWidth: ACROSS, maxHeight: 2 * SIDE }}
      paint={(context, colours) => {
        const reach = reachOf(rangeOf(values));
        for (let i = 0; i < count; i++) {
          const [x, y] = cornerOf(layout, i);
          const from = i * elements([height, width]);
          paintMap(context, values, from, [width, height], [x, y, layout.zoom], reach, colours);
        }
      }}
    />
  );
}

/** Most slices to show of all filters together; with more, only one filter's. */
const MAX_SLICES = 512;

/** The filters of a convolution: one picture per filter and input channel. */
function FiltersPanel({ filters, layer }: { filters: LookFilters; layer: string }) {
  const { shape, weights, bias } = filters;
  const [K, C, R, S] = shape;
  const chosen = useInspect((state) => Math.min(state.lookChoice.channel, K - 1));
  const choose = useInspect((state) => state.setLookChoice);
  const range = rangeOf(weights);
  const all = K * C <= MAX_SLICES;
  const size = C * R * S;
  const own = rangeOf(weights, chosen * size, (chosen + 1) * size);
  const shown = all ? weights : weights.subarray(chosen * size, (chosen + 1) * size);
  return (
    <Panel
      title={all ? 'Filters' : `Filter ${chosen}`}
      explanation={
        C === 1
          ? 'Filter weights. A filter responds most where the input matches its pattern.'
          : 'Filter weights per input channel. Each row is one filter.'
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
        count={all ? K : 1}
        perFilter={C}
        size={[S, R]}
        reach={reachOf(range)}
        chosen={all ? chosen : undefined}
        onChoose={(k) => choose({ channel: k })}
      />
      <p className="faint">
        Filter {chosen} has weights from {digits(own.least)} to {digits(own.most)}
        {bias ? ` and the bias ${digits(bias[chosen])}.` : ', no bias.'}
      </p>
    </Panel>
  );
}

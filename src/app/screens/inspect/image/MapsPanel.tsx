import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { elements } from '../../../../base/shape.ts';
import type { Look, LookLayer } from '../../../../worker/api.ts';
import { Button } from '../../../components/Button.tsx';
import { Choice } from '../../../components/Choice.tsx';
import { Panel } from '../../../components/Panel.tsx';
import * as format from '../../../format.ts';
import { useApp } from '../../../state/store.ts';
import { explainLayer } from '../../../components/explain-layer.ts';
import { padDataset } from '../../../pad/pad-dataset.ts';
import { useMapColours, useWidth } from '../../../components/maps/MapCanvas.tsx';
import shared from '../Inspect.module.css';
import {
  channelsOf,
  digits,
  rangeOf,
  reachOf,
  strongest,
  type Channel,
} from '../../../components/maps/numbers.ts';
import { cornerOf, layOut, paintMap, tileAt } from '../../../components/maps/tiles.ts';
import styles from './Image.module.css';
import { Legend } from '../../../components/maps/Slices.tsx';
import { askFiring, useLook } from './looking.ts';
import { OneMap } from './OneMap.tsx';
import { useInspect } from '../inspect-store.ts';

/** Maps of this many pixels on the screen: fewer channels have more room. */
const sideFor = (count: number): number => (count <= 16 ? 84 : count <= 64 ? 56 : 40);

/** All that a layer put out: maps side by side, and one of them large. */
export function MapsPanel({ look }: { look: Look }) {
  const { layer: name, shape, values } = look.output;
  const [scale, setScale] = useState<'same' | 'own'>('same');
  const layer = look.layers.find((one) => one.name === name);
  const choice = useInspect((state) => state.lookChoice);
  const setChoice = useInspect((state) => state.setLookChoice);
  const current = choice.layer === name;
  const [count, height = 1, width = 1] = shape;
  const channels = channelsOf(values, count);
  const range = rangeOf(values);
  const channel = Math.min(choice.channel, count - 1);
  const size = height * width;
  const at = strongest(values, channel * size, (channel + 1) * size);
  const place = choice.pixel ?? { p: Math.floor(at / width), q: at % width };

  // A convolution shows at once how one of its numbers comes about: the strongest of the map.
  const wantsPixel = look.filters !== undefined && current && choice.pixel === undefined;
  useEffect(() => {
    if (wantsPixel) setChoice({ pixel: place });
  });
  if (!layer) return null;
  return (
    <Panel
      title={layer.title}
      aside={
        size > 1 && (
          <Choice
            label="Colours"
            name="scale"
            value={scale}
            options={[
              { value: 'same', label: 'Shared scale' },
              { value: 'own', label: 'Scale per map' },
            ]}
            onChange={setScale}
          />
        )
      }
      explanation={explainLayer(layer.title) ?? introOf(layer)}
    >
      <div className={styles.facts}>
        <span>
          <code>{name}</code> outputs {format.shape(shape)}
        </span>
        <Legend range={range} />
      </div>
      <div className={styles.maps}>
        <Atlas
          {...{ values, channels, chosen: channel, size: [width, height], reach: reachOf(range) }}
          own={scale === 'own'}
          onChoose={(k) => current && setChoice({ channel: k })}
        />
        <OneMap
          {...{ values, channel, count, height, width, layer, place, current }}
          range={channels[channel]}
          reach={scale === 'own' ? reachOf(channels[channel]) : reachOf(range)}
        />
      </div>
      <Silence layer={layer} channels={channels} />
      <ClassNumbers look={look} />
    </Panel>
  );
}

const introOf = ({ op }: LookLayer): string =>
  op === 'input' ? 'The normalised input image.' : 'Output of this layer.';

interface AtlasProps {
  values: Float32Array;
  channels: readonly Channel[];
  chosen: number;
  /** Numbers across and down a map. */
  size: readonly [width: number, height: number];
  reach: number;
  own: boolean;
  onChoose(channel: number): void;
}

/** All maps. The chosen one is framed; silent ones are crossed out. Keys choose by the field beside the large map. */
function Atlas({ values, channels, chosen, size, reach, own, onChoose }: AtlasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useMapColours();
  const [box, across] = useWidth<HTMLDivElement>();
  const [width, height] = size;
  const isVector = width * height === 1;
  const layout = layOut(
    channels.length,
    size,
    isVector ? (channels.length > 32 ? 16 : 32) : sideFor(channels.length),
    Math.max(across, 60),
  );
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, layout.width, layout.height);
    channels.forEach((channel, k) => {
      const [x, y] = cornerOf(layout, k);
      const most = own ? reachOf(channel) : reach;
      paintMap(context, values, k * elements(size), size, [x, y, layout.zoom], most, colours);
      const [w, h] = [width * layout.zoom, height * layout.zoom];
      context.strokeStyle = colours.line;
      if (channel.silent) {
        context.globalAlpha = 0.4;
        context.lineWidth = 1;
        context.beginPath();
        context.moveTo(x, y + h);
        context.lineTo(x + w, y);
        context.stroke();
        context.globalAlpha = 1;
      }
      if (k === chosen) {
        context.lineWidth = 2;
        context.strokeRect(x + 1, y + 1, w - 2, h - 2);
      }
    });
  });
  const pressed = (event: MouseEvent<HTMLCanvasElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const k = tileAt(
      layout,
      channels.length,
      ((event.clientX - bounds.left) / bounds.width) * layout.width,
      ((event.clientY - bounds.top) / bounds.height) * layout.height,
    );
    if (k !== undefined) onChoose(k);
  };
  const silent = channels.filter((channel) => channel.silent).length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div ref={box} className={styles.atlas} tabIndex={0} role="region" aria-label="Feature maps">
      <canvas
        ref={canvas}
        width={layout.width}
        height={layout.height}
        role="img"
        aria-label={`${channels.length} maps of ${height} × ${width}, ${silent} inactive`}
        title="Select a map to enlarge it"
        onClick={pressed}
      />
    </div>
  );
}

/** Channels that put out nothing but zeros, for this image and, when asked, for many. */
function Silence({ layer, channels }: { layer: LookLayer; channels: readonly Channel[] }) {
  const firing = useLook((state) => state.firing);
  const asked = useLook((state) => state.firingAsked);
  const silent = channels.flatMap(({ silent: is }, k) => (is ? [k] : []));
  if (silent.length === 0) {
    return layer.op === 'relu' ? (
      <p className={shared.note}>All channels are active for this image.</p>
    ) : null;
  }
  const known = firing?.layer === layer.name && firing.counts.length === channels.length ? firing : undefined;
  const dead = known ? [...known.counts].flatMap((count, k) => (count === 0 ? [k] : [])) : [];
  return (
    <div className={shared.more}>
      <span>
        {silent.length} of {channels.length} channels are all zero for this image
        {silent.length <= 12 && `: ${silent.join(', ')}`}.{' '}
        {known &&
          (dead.length === 0
            ? `None is dead at step ${format.count(known.step)}: each is active for some of ${known.images} test images.`
            : `Dead at step ${format.count(known.step)} (zero for all ${known.images} test images): ${list(dead)}.`)}
      </span>
      <Button
        icon="lens"
        obstacle={asked === undefined ? undefined : 'Checking…'}
        onPress={() => void askFiring(layer.name)}
      >
        {asked === layer.name ? 'Checking 64 images…' : 'Check for dead channels'}
      </Button>
    </div>
  );
}

const list = (channels: readonly number[]): string =>
  channels.length <= 24
    ? channels.join(', ')
    : `${channels.slice(0, 24).join(', ')} and ${channels.length - 24} more`;

/** The last layer's numbers are the classes'. */
function ClassNumbers({ look }: { look: Look }) {
  const classes = useApp((state) => padDataset(state)?.classes);
  const { layer, values } = look.output;
  const isLast = look.layers[look.layers.length - 1].name === layer;
  if (!isLast || classes?.length !== values.length || values.length > 32) return null;
  return (
    <ul className={styles.scores} aria-label="Class scores (logits)">
      {classes.map((name, i) => (
        <li key={name}>
          <b>{name}</b> <span className="numbers">{digits(values[i])}</span>
          <span className={shared.note}>{format.percent(look.probabilities[i])}</span>
        </li>
      ))}
    </ul>
  );
}

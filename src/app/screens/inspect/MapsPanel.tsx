import { useEffect, useState } from 'react';
import { elements } from '../../../base/shape.ts';
import { explainLayer } from '../../../ops/abouts.ts';
import { inLayers } from '../../messages/layers.ts';
import type { Explanation } from '../../widgets/Popover.tsx';
import type { Look, LookLayer } from '../../../worker/api.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { inRange } from '../../widgets/number-rule.ts';
import { NumberField } from '../../widgets/NumberField.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { padDataset } from '../../pad/pad-dataset.ts';
import { Atlas, MapCanvas } from '../../components/maps/MapCanvas.tsx';
import styles from './Inspect.module.css';
import {
  channelsOf,
  digits,
  rangeOf,
  reachOf,
  strongest,
  type Channel,
  type NumberRange,
} from '../../components/maps/numbers.ts';
import { cornerOf, frameTile, layOut, paintMap } from '../../components/maps/tiles.ts';
import { Legend } from '../../components/maps/Slices.tsx';
import { askFiring, useLook } from './activations.ts';
import { useInspect } from '../../state/inspect-store.ts';
import { inspect as texts } from '../../messages/inspect.ts';

/** CSS pixels of a map's longer side: the fewer channels, the larger. */
const sideFor = (count: number): number => (count <= 16 ? 84 : count <= 64 ? 56 : 40);

/** The output of a layer: all maps, and one of them enlarged. */
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

  // The strongest value of the map is explained at once.
  const wantsPixel = layer?.op !== 'input' && current && choice.pixel === undefined;
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
            label={texts.maps.colours}
            value={scale}
            options={{ same: texts.maps.shared, own: texts.maps.own }}
            onChange={setScale}
          />
        )
      }
      explanation={explanationOf(layer)}
    >
      <div className={styles.facts}>
        <span>
          {texts.maps.outputs(name, format.shape(shape))}
          {[...layer.settings, ...parametersOf(layer)].map((one) => `, ${one}`)}
        </span>
        <Legend range={range} />
      </div>
      <div className={styles.maps}>
        <Maps
          values={values}
          channels={channels}
          chosen={channel}
          size={[width, height]}
          reach={reachOf(range)}
          own={scale === 'own'}
          onChoose={(k) => current && setChoice({ channel: k })}
        />
        <OneMap
          values={values}
          channel={channel}
          count={count}
          height={height}
          width={width}
          layer={layer}
          place={place}
          current={current}
          range={channels[channel]}
          reach={scale === 'own' ? reachOf(channels[channel]) : reachOf(range)}
        />
      </div>
      <DeadChannels layer={layer} channels={channels} />
      <ClassScores look={look} />
    </Panel>
  );
}

const parametersOf = ({ parameters }: LookLayer): string[] =>
  parameters > 0 ? [texts.maps.parameters(parameters)] : [];

function explanationOf({ op, title }: LookLayer): Explanation {
  const about = explainLayer(op, title);
  if (about) return inLayers(about.everyday, about.more, 'layer');
  return op === 'input' ? texts.maps.input : texts.maps.output;
}

interface MapsProps {
  values: Float32Array;
  channels: readonly Channel[];
  chosen: number;
  /** Values across and down a map. */
  size: readonly [width: number, height: number];
  reach: number;
  /** Whether each map has its own colour scale. */
  own: boolean;
  onChoose(channel: number): void;
}

/** All maps: the selected one framed, silent ones crossed out. The keyboard selects with the field beside the large map. */
function Maps({ values, channels, chosen, size, reach, own, onChoose }: MapsProps) {
  const [width, height] = size;
  const count = channels.length;
  const side = width * height > 1 ? sideFor(count) : count > 32 ? 16 : 32;
  const silent = channels.filter((channel) => channel.silent).length;
  return (
    <Atlas
      name={texts.maps.title}
      label={texts.maps.about(count, height, width, silent)}
      title={texts.maps.enlarge}
      count={count}
      layoutFor={(across) => layOut(count, size, side, across)}
      paint={(context, colours, layout) => {
        channels.forEach((channel, k) => {
          const [x, y] = cornerOf(layout, k);
          const most = own ? reachOf(channel) : reach;
          paintMap(context, values, k * elements(size), size, [x, y, layout.zoom], most, colours);
          if (channel.silent) {
            context.strokeStyle = colours.line;
            context.globalAlpha = 0.4;
            context.lineWidth = 1;
            context.beginPath();
            context.moveTo(x, y + height * layout.zoom);
            context.lineTo(x + width * layout.zoom, y);
            context.stroke();
            context.globalAlpha = 1;
          }
          if (k === chosen) frameTile(context, layout, k, size, colours);
        });
      }}
      onPick={onChoose}
    />
  );
}

/** Channels that are all zero, for this image and, on request, for many. */
function DeadChannels({ layer, channels }: { layer: LookLayer; channels: readonly Channel[] }) {
  const firing = useLook((state) => state.firing);
  const asked = useLook((state) => state.firingAsked);
  const silent = channels.flatMap(({ silent: is }, k) => (is ? [k] : []));
  if (silent.length === 0) {
    return layer.op === 'relu' ? <p className="faint">{texts.maps.active}</p> : null;
  }
  const known = firing?.layer === layer.name && firing.counts.length === channels.length ? firing : undefined;
  const dead = known ? [...known.counts].flatMap((count, k) => (count === 0 ? [k] : [])) : [];
  return (
    <div className={styles.more}>
      <span>
        {texts.maps.silent(
          silent.length,
          channels.length,
          silent.length <= 12 ? silent.join(', ') : undefined,
        )}{' '}
        {known &&
          (dead.length === 0
            ? texts.maps.noneDead(known.step, known.images)
            : texts.maps.dead(known.step, known.images, list(dead)))}
      </span>
      <Button
        icon="lens"
        obstacle={asked === undefined ? undefined : texts.maps.checking}
        onPress={() => void askFiring(layer.name)}
      >
        {asked === layer.name ? texts.maps.checkingImages : texts.maps.check}
      </Button>
    </div>
  );
}

const list = (channels: readonly number[]): string =>
  channels.length <= 24
    ? channels.join(', ')
    : texts.maps.more(channels.slice(0, 24).join(', '), channels.length - 24);

/** The class scores, if this is the last layer. */
function ClassScores({ look }: { look: Look }) {
  const classes = useApp((state) => padDataset(state)?.classes);
  const { layer, values } = look.output;
  const isLast = look.layers[look.layers.length - 1].name === layer;
  if (!isLast || classes?.length !== values.length || values.length > 32) return null;
  return (
    <ul className={styles.scores} aria-label={texts.maps.scores}>
      {classes.map((name, i) => (
        <li key={name}>
          <b>{name}</b> <span className="numbers">{digits(values[i])}</span>
          <span className="faint">{format.percent(look.probabilities[i])}</span>
        </li>
      ))}
    </ul>
  );
}

/** CSS pixels of the enlarged map's longer side. */
const SIDE = 252;

interface OneMapProps {
  values: Float32Array;
  channel: number;
  count: number;
  height: number;
  width: number;
  layer: LookLayer;
  /** The selected value. */
  place: { p: number; q: number };
  range: NumberRange;
  reach: number;
  /** False while the values of a newly selected layer are loading; nothing can be selected then. */
  current: boolean;
}

/** One channel, enlarged. A value is selected by mouse, or by its row and column. */
function OneMap({ values, channel, count, height, width, layer, place, range, reach, current }: OneMapProps) {
  const choose = useInspect((state) => state.setLookChoice);
  const p = Math.min(place.p, height - 1);
  const q = Math.min(place.q, width - 1);
  const zoom = Math.max(1, Math.floor(SIDE / Math.max(height, width)));
  const from = channel * height * width;
  const isMap = height * width > 1;
  return (
    <div className={styles.one}>
      {isMap && (
        <MapCanvas
          width={width * zoom}
          height={height * zoom}
          label={texts.maps.enlarged(channel, layer.name)}
          title={texts.maps.select}
          paint={(context, colours) => {
            paintMap(context, values, from, [width, height], [0, 0, zoom], reach, colours);
            context.strokeStyle = colours.line;
            context.lineWidth = 2;
            context.strokeRect(q * zoom, p * zoom, zoom, zoom);
          }}
          onPick={(x, y) => {
            const index = (pixels: number, most: number) =>
              Math.max(0, Math.min(most - 1, Math.floor(pixels / zoom)));
            if (current) choose({ pixel: { p: index(y, height), q: index(x, width) } });
          }}
        />
      )}
      <div className={styles.place}>
        <IndexField
          label={layer.shape.length === 1 ? texts.maps.index : texts.maps.channel}
          value={channel}
          most={count - 1}
          current={current}
          onChange={(k) => choose({ channel: k })}
        />
        {isMap && (
          <>
            <IndexField
              label={texts.maps.row}
              value={p}
              most={height - 1}
              current={current}
              onChange={(row) => choose({ pixel: { p: row, q } })}
            />
            <IndexField
              label={texts.maps.column}
              value={q}
              most={width - 1}
              current={current}
              onChange={(column) => choose({ pixel: { p, q: column } })}
            />
          </>
        )}
      </div>
      <p className={styles.value}>
        <span>{isMap ? `${layer.name}[${channel}, ${p}, ${q}]` : `${layer.name}[${channel}]`} =</span>{' '}
        <output aria-label={texts.maps.value} aria-live="off" className="numbers">
          {digits(values[from + p * width + q], 6)}
        </output>
      </p>
      {isMap && <p className="faint">{texts.maps.range(digits(range.least), digits(range.most))}</p>}
    </div>
  );
}

interface IndexProps {
  label: string;
  value: number;
  most: number;
  current: boolean;
  onChange(value: number): void;
}

/** A field for an index. */
const IndexField = ({ label, value, most, current, onChange }: IndexProps) => (
  <div className={styles.index}>
    <NumberField
      look="above"
      label={label}
      readOnly={!current}
      value={String(value)}
      rule={inRange({ whole: true, least: 0, most })}
      onChange={(text) => onChange(Number(text))}
    />
  </div>
);

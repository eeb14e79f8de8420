import { useEffect, useRef, useState } from 'react';
import type { LookPixel } from '../../../../worker/api.ts';
import { Icon } from '../../../components/Icon.tsx';
import { Panel } from '../../../components/Panel.tsx';
import * as format from '../../../format.ts';
import { useMapColours } from '../../../components/maps/MapCanvas.tsx';
import { digits, rangeOf, reachOf } from '../../../components/maps/numbers.ts';
import { paintMap } from '../../../components/maps/tiles.ts';
import styles from './Image.module.css';
import { NumberGrid } from './NumberGrid.tsx';

/** How far the worked sum may be from the network's number, relative to what is added. */
const TOLERANCE = 1e-5;
/** Channels that are offered by name; the others by number. */
const MOST_OFFERED = 24;

interface PixelPanelProps {
  pixel: LookPixel;
  layer: string;
  hasBias: boolean;
  step: number;
}

/** One number of a convolution worked out: patch times filter, summed, and compared with what the network has. */
export function PixelPanel({ pixel, layer, hasBias, step }: PixelPanelProps) {
  const { k, p, q, channels, firstChannel, window, channelSums, bias, sum, network, error } = pixel;
  const [wanted, setWanted] = useState(0);
  const c = Math.min(wanted, channels - 1);
  const size = window[0] * window[1];
  const part = (all: Float32Array) => all.subarray(c * size, (c + 1) * size);
  const patch = part(pixel.patch);
  const weights = part(pixel.weights);
  const products = Float64Array.from(patch, (value, i) => value * weights[i]);
  const count = channels * size;
  const equal = error <= TOLERANCE;
  return (
    <Panel
      title="How this value is computed"
      explanation={
        <>
          <code>
            {layer}[{k}, {p}, {q}]
          </code>{' '}
          is the dot product of the filter and one patch of <code>{pixel.inputName}</code>:{' '}
          {format.count(count)} products, summed
          {hasBias ? ', plus the bias' : ''}.
        </>
      }
    >
      {channels > 1 && (
        <Channels
          {...{ channelSums, firstChannel, chosen: c }}
          inputName={pixel.inputName}
          onChoose={setWanted}
        />
      )}
      <div className={styles.working}>
        <NumberGrid
          caption={`Patch of ${pixel.inputName}, channel ${firstChannel + c}`}
          values={patch}
          window={window}
          outside={outsideOf(pixel)}
        />
        <Sign sign="×" word="times" />
        <NumberGrid caption={`Filter ${k}, channel ${c}`} values={weights} window={window} />
        <Sign sign="=" word="is" />
        <NumberGrid caption="Products" values={products} window={window} />
      </div>
      <div className={styles.result}>
        <Where pixel={pixel} channel={c} />
        <div>
          <p className={styles.equation}>
            {channels > 1 ? (
              <>
                {size === 1 ? 'This channel sums' : `These ${format.count(size)} add up`} to{' '}
                {digits(channelSums[c], 5)}; all {format.count(channels)} channels to {digits(sum - bias, 6)}.
              </>
            ) : (
              <>
                {size === 1 ? 'The product is' : `These ${format.count(size)} products sum to`}{' '}
                {digits(sum - bias, 6)}.
              </>
            )}{' '}
            {hasBias ? `Adding the bias ${digits(bias, 5)} gives` : 'There is no bias, so the result is'}{' '}
            <output aria-label="Worked sum" aria-live="off" className="numbers">
              {digits(sum, 6)}
            </output>
            .
          </p>
          <p className={styles.verdict} data-equal={equal}>
            <Icon name={equal ? 'check' : 'warning'} />
            <span>
              {equal ? 'Matches the network’s value: ' : 'Differs from the network’s value: '}
              <output aria-label="Number of the network" aria-live="off" className="numbers">
                {digits(network, 6)}
              </output>
              {`. Relative difference: ${error === 0 ? '0' : format.relativeError(error)} (up to 1e-5 is rounding). `}
              After {format.steps(step)}.
            </span>
          </p>
        </div>
      </div>
    </Panel>
  );
}

function Sign({ sign, word }: { sign: string; word: string }) {
  return (
    <span className={styles.sign}>
      <span aria-hidden="true">{sign}</span>
      <span className="unseen">{word}</span>
    </span>
  );
}

/** Which places of the patch lie in the padding. */
function outsideOf({ window: [R, S], top, left, dilation, inputShape: [, H, W] }: LookPixel): boolean[] {
  return Array.from({ length: R * S }, (_, i) => {
    const h = top + Math.floor(i / S) * dilation[0];
    const w = left + (i % S) * dilation[1];
    return h < 0 || h >= H || w < 0 || w >= W;
  });
}

interface ChannelsProps {
  channelSums: Float64Array;
  firstChannel: number;
  chosen: number;
  inputName: string;
  onChoose(channel: number): void;
}

/** What each channel of the input adds: those that add most, by name. */
function Channels({ channelSums, firstChannel, chosen, inputName, onChoose }: ChannelsProps) {
  const order = Array.from(channelSums, (value, c) => ({ c, value }));
  const most = order.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, MOST_OFFERED);
  const offered = order.length <= MOST_OFFERED ? order : most.toSorted((a, b) => a.c - b.c);
  const left = order.length - offered.length;
  return (
    <div className={styles.channels} role="group" aria-label={`Contribution of each channel of ${inputName}`}>
      {offered.map(({ c, value }) => (
        <button key={c} type="button" aria-pressed={c === chosen} onClick={() => onChoose(c)}>
          <span className="unseen">Channel </span>
          {firstChannel + c}: <span className="numbers">{digits(value)}</span>
        </button>
      ))}
      {left > 0 && (
        <span className={styles.small}>and {format.count(left)} channels with smaller contributions</span>
      )}
    </div>
  );
}

const SIDE = 112;

/** Where on its input the filter lies. */
function Where({ pixel, channel }: { pixel: LookPixel; channel: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useMapColours();
  const { input, inputShape, firstChannel, window, dilation, top, left, inputName } = pixel;
  const [, H, W] = inputShape;
  const zoom = Math.max(1, Math.floor(SIDE / Math.max(H, W)));
  const across = (window[1] - 1) * dilation[1] + 1;
  const down = (window[0] - 1) * dilation[0] + 1;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const from = (firstChannel + channel) * H * W;
    const reach = reachOf(rangeOf(input, from, from + H * W));
    paintMap(context, input, from, [W, H], [0, 0, zoom], reach, colours);
    context.strokeStyle = colours.line;
    context.lineWidth = 2;
    context.strokeRect(left * zoom, top * zoom, across * zoom, down * zoom);
  });
  return (
    <figure className={styles.where}>
      <canvas
        ref={canvas}
        width={W * zoom}
        height={H * zoom}
        role="img"
        aria-label={`Channel ${firstChannel + channel} of ${inputName}, with the patch at row ${top}, column ${left}`}
      />
      <figcaption>
        Patch at row {top}, column {left}.
      </figcaption>
    </figure>
  );
}

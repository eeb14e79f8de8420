import { useState } from 'react';
import type { Look, LookLayer, LookPixel } from '../../../worker/api.ts';
import { Panel } from '../../widgets/Panel.tsx';
import { digits, fixed, rangeOf, reachOf } from '../../components/maps/numbers.ts';
import { DataTable } from '../../widgets/DataTable.tsx';
import { inspect as texts } from '../../messages/inspect.ts';
import styles from './Inspect.module.css';
import { Slide } from './Slide.tsx';
import { Verdict } from './Verdict.tsx';

/** Most channels to offer; with more, those that contribute most. */
const MAX_OFFERED = 24;

interface PixelPanelProps {
  pixel: LookPixel;
  /** Of the convolution, and how it reads. */
  output: Look['output'];
  reads: LookLayer['reads'] | undefined;
  hasBias: boolean;
  step: number;
}

/** How one value of a convolution is computed: patch times filter, summed, and compared with the network's value. */
export function PixelPanel({ pixel, output, reads, hasBias, step }: PixelPanelProps) {
  const { k, p, q, channels, firstChannel, window, channelSums, bias, sum, network, error } = pixel;
  const [wanted, setWanted] = useState(0);
  const c = Math.min(wanted, channels - 1);
  const size = window[0] * window[1];
  const part = (all: Float32Array) => all.subarray(c * size, (c + 1) * size);
  const patch = part(pixel.patch);
  const weights = part(pixel.weights);
  const products = Float64Array.from(patch, (value, i) => value * weights[i]);
  const count = channels * size;
  return (
    <Panel
      title={texts.value.title}
      explanation={texts.pixel.explanation(
        `${output.layer}[${k}, ${p}, ${q}]`,
        pixel.inputName,
        count,
        hasBias,
      )}
    >
      {channels > 1 && (
        <Channels
          channelSums={channelSums}
          firstChannel={firstChannel}
          chosen={c}
          inputName={pixel.inputName}
          onChoose={setWanted}
        />
      )}
      <div className={styles.working}>
        <NumberGrid
          caption={texts.pixel.patch(pixel.inputName, firstChannel + c)}
          values={patch}
          window={window}
          padding={paddingOf(pixel)}
        />
        <Sign sign="×" word={texts.pixel.times} />
        <NumberGrid caption={texts.pixel.filter(k, c)} values={weights} window={window} />
        <Sign sign="=" word={texts.pixel.is} />
        <NumberGrid caption={texts.pixel.products} values={products} window={window} />
      </div>
      <div className={styles.result}>
        {reads?.kind === 'window' && <Slide pixel={pixel} channel={c} output={output} reads={reads} />}
        <div>
          <p className={styles.equation}>
            {channels > 1
              ? texts.pixel.channelSums(size, digits(channelSums[c], 5), channels, digits(sum - bias, 6))
              : texts.pixel.sums(size, digits(sum - bias, 6))}{' '}
            {hasBias ? texts.pixel.withBias(digits(bias, 5)) : texts.pixel.noBias}{' '}
            <output aria-label={texts.pixel.computed} aria-live="off" className="numbers">
              {digits(sum, 6)}
            </output>
            .
          </p>
          <Verdict network={network} error={error} step={step} />
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

/** Which elements of the patch lie in the padding. */
function paddingOf({ window: [R, S], top, left, dilation, inputShape: [, H, W] }: LookPixel): boolean[] {
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

/** The contribution of each input channel, to select one. */
function Channels({ channelSums, firstChannel, chosen, inputName, onChoose }: ChannelsProps) {
  const order = Array.from(channelSums, (value, c) => ({ c, value }));
  const most = order.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, MAX_OFFERED);
  const offered = order.length <= MAX_OFFERED ? order : most.toSorted((a, b) => a.c - b.c);
  const left = order.length - offered.length;
  return (
    <div className={styles.channels} role="group" aria-label={texts.pixel.contributions(inputName)}>
      {offered.map(({ c, value }) => (
        <button key={c} type="button" aria-pressed={c === chosen} onClick={() => onChoose(c)}>
          <span className="unseen">{texts.pixel.channel}</span>
          {firstChannel + c}: <span className="numbers">{digits(value)}</span>
        </button>
      ))}
      {left > 0 && <span className="faint">{texts.pixel.smaller(left)}</span>}
    </div>
  );
}

interface NumberGridProps {
  caption: string;
  /** Row by row. */
  values: ArrayLike<number>;
  window: readonly [rows: number, columns: number];
  /** Which of them lie in the padding. */
  padding?: readonly boolean[];
}

/** A small table of values, each on its colour. */
function NumberGrid({ caption, values, window: [rows, columns], padding }: NumberGridProps) {
  const reach = reachOf(rangeOf(values)) || 1;
  return (
    <DataTable<number>
      caption={caption}
      captioned
      fits
      className={styles.grid}
      rows={Array.from({ length: rows }, (_, row) => row)}
      keyOf={(row) => row}
      columns={Array.from({ length: columns }, (_, column) => {
        const at = (row: number) => row * columns + column;
        return {
          key: String(column),
          title: '',
          cell(row) {
            const value = values[at(row)];
            const share = Math.min(1, Math.abs(value) / reach);
            const colour = value < 0 ? '--map-negative' : '--map-positive';
            return {
              'data-padding': padding?.[at(row)] || undefined,
              title: padding?.[at(row)] ? texts.pixel.padding : String(value),
              style: {
                backgroundColor: `color-mix(in srgb, var(${colour}) ${(40 * share).toFixed(1)}%, var(--sunken))`,
              },
            };
          },
          render: (row) => (padding?.[at(row)] ? '0' : fixed(values[at(row)], reach)),
        };
      })}
    />
  );
}

/** A row or column, which may be in the padding: "−2". */

import { useState } from 'react';
import type { ConvSizes, FindRequest } from '../../../worker/api.ts';
import { TimeTicks } from '../../charts/bars/TimeBar.tsx';
import { timeAxis, type TimeAxis } from '../../charts/bars/time-axis.ts';
import { ask } from '../../client.ts';
import { Code } from '../../components/code/Code.tsx';
import { DifferenceView } from '../../components/code/DifferenceView.tsx';
import { FailureNotice } from '../../widgets/Notice.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import { variantName } from '../../components/variant-name.ts';
import * as format from '../../format.ts';
import styles from './Ladder.module.css';
import { rungRows, type LadderRung, type RungRow } from './rungs.ts';
import { describe } from './sizes.ts';

/** The ladder on one layer. */
export interface LayerRungs {
  name: string;
  sizes: ConvSizes;
  request: FindRequest;
  flops: number;
  rungs: readonly LadderRung[];
}

/** Every step once, with a dot for each layer and what it changes in the source. */
export function Rungs({ layers }: { layers: readonly LayerRungs[] }) {
  const rows = rungRows(layers.map(({ rungs }) => rungs));
  const times = layers.flatMap(({ rungs }) => rungs.flatMap(({ time }) => time ?? []));
  const axis = timeAxis('log', times);
  return (
    <>
      <ul className={`soft ${styles.legend}`} aria-label="Layers">
        {layers.map(({ name, sizes }, i) => (
          <li key={name} className="row">
            <i className={styles.dot} data-layer={i} aria-hidden="true" />
            <b>{name}</b>
            <span>{describe(sizes)}</span>
          </li>
        ))}
      </ul>
      <div className={`wide-only ${styles.axis}`}>
        <TimeTicks axis={axis} />
      </div>
      <ol className={styles.rungs}>
        {rows.map(({ title, sentence, rungs }, i) => (
          <li key={title}>
            <div>
              <h3>
                <span className={styles.count} aria-hidden="true">
                  {i}
                </span>
                {title}
              </h3>
              <p className="soft">{format.prose(sentence)}</p>
            </div>
            <div>
              {axis && <Dots axis={axis} rungs={rungs} />}
              {rungs.map(
                (rung, layer) =>
                  rung && <Figures key={layers[layer].name} rung={rung} layer={layer} of={layers[layer]} />,
              )}
            </div>
            <Source layers={layers} rungs={rungs} before={rows.slice(0, i)} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** A dot per layer at its median. */
function Dots({ axis, rungs }: { axis: TimeAxis; rungs: readonly (LadderRung | undefined)[] }) {
  return (
    <div className={styles.track} aria-hidden="true">
      {rungs.map(
        (rung, layer) =>
          rung?.time && (
            <i
              // oxlint-disable-next-line react/no-array-index-key -- a layer is its place
              key={layer}
              className={styles.dot}
              data-layer={layer}
              style={{ left: `${100 * axis.at(rung.time.median)}%` }}
            />
          ),
      )}
    </div>
  );
}

function Figures({ rung, layer, of }: { rung: LadderRung; layer: number; of: LayerRungs }) {
  const { time, launch, missing } = rung;
  const [loops] = of.rungs;
  return (
    <p className={styles.figures}>
      <i className={styles.dot} data-layer={layer} aria-hidden="true" />
      <span className="unseen">{of.name}: </span>
      {time ? (
        <>
          <b>{format.time(time.median)}</b>
          {of.flops > 0 && <span>{format.flopRate((1000 * of.flops) / time.median)}</span>}
          {rung !== loops && loops.time && (
            <span>{format.times(loops.time.median / time.median)} as fast as the loops</span>
          )}
          {launch !== '' && <span className="faint">fastest: {variantName(launch)}</span>}
        </>
      ) : (
        <span className="faint">{missing}</span>
      )}
    </p>
  );
}

interface SourceProps {
  layers: readonly LayerRungs[];
  rungs: readonly (LadderRung | undefined)[];
  /** The steps before; a layer may lack some of them. */
  before: readonly RungRow[];
}

/** The source of a step as a difference to the step before; the first one's whole, as it is compiled. */
function Source({ layers, rungs, before }: SourceProps) {
  const [open, setOpen] = useState(false);
  const layer = rungs.findIndex((rung) => rung?.source !== undefined);
  const choice = rungs[layer]?.source;
  const base = before.findLast((row) => row.rungs[layer]?.source)?.rungs[layer]?.source;
  if (!choice) return null;
  return (
    <details className={styles.source} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="fine">{base ? 'What it changes in the source' : 'The source'}</summary>
      {open && <SourceText request={layers[layer].request} choice={choice} base={base} />}
    </details>
  );
}

type Choice = NonNullable<LadderRung['source']>;

function SourceText({
  request,
  choice,
  base,
}: {
  request: FindRequest;
  choice: Choice;
  base?: Choice | undefined;
}) {
  const now = useKernel(request, choice);
  const then = useKernel(request, base);
  const error = [now, then].find((answer) => answer?.ok === false);
  if (error?.ok === false) return <FailureNotice title="Could not load this kernel" error={error.error} />;
  if (!now?.ok || (base && !then?.ok)) return <p className="fine">Loading…</p>;
  const [kernel] = now.value;
  if (!then?.ok) {
    return <Code text={kernel.linked} language="WGSL" label={`Source of ${choice.launch}`} numbered />;
  }
  const [old] = then.value;
  // Steps of one file differ in their constants, which the linked text has.
  const isSameFile = old.files[0].name === kernel.files[0].name;
  const textOf = ({ linked, files }: typeof kernel) =>
    isSameFile ? linked : files.map(({ name, text }) => `// ${name}.wgsl\n${text}`).join('\n');
  return (
    <DifferenceView
      before={textOf(old)}
      after={textOf(kernel)}
      language="WGSL"
      label={`From ${base?.launch} to ${choice.launch}`}
    />
  );
}

/** The WGSL of a variant; asks nothing without one. */
const useKernel = (request: FindRequest, choice: Choice | undefined) =>
  useAnswer(choice && JSON.stringify([request, choice]), () =>
    ask((api) => api.kernelTexts(request, choice as Choice, {})),
  );

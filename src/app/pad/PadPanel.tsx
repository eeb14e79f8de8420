import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { lazily } from '../../base/lazily.ts';
import { attempt, type FailureValue } from '../../base/result.ts';
import { sameShape } from '../../base/shape.ts';
import type { DatasetEntry } from '../../worker/api.ts';
import { Bars } from '../charts/bars/Bars.tsx';
import { train } from '../actions/actions.ts';
import { Choice } from '../widgets/Choice.tsx';
import { dropTarget } from '../widgets/drop-target.ts';
import { about } from './about.tsx';
import { later } from '../components/later.tsx';
import { Panel } from '../widgets/Panel.tsx';
import * as format from '../format.ts';
import { useApp } from '../state/store.ts';
import { drawTile } from '../components/Tile.tsx';
import { showNetwork } from './live-prediction.ts';
import { padDataset } from './pad-dataset.ts';
import { train as texts } from '../messages/en/train.tsx';
import styles from './PadPanel.module.css';
import { PadTools, type Pen } from './PadTools.tsx';
import { Sheet } from './Sheet.tsx';
import { useStartOfNext } from './next-run.ts';
import { drawExample, isExampleWanted, showExample, showOnPad } from './pad-image.ts';
import { showTestImage } from './test-image.ts';
import { DIGITS, knowsTrained, targetOf, type PadTarget } from './target.ts';
import { usePad } from './pad-store.ts';

const Camera = later('The camera', async () => (await import('./Camera.tsx')).Camera);
const Comment = later('The comment', async () => (await import('./Comment.tsx')).Comment);

const imageFiles = lazily(() => import('./image-files.ts'));

const TEN_DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));

/** What is drawn with, until something else is chosen. The colour is the example's. */
const PEN: Pen = { brush: 0.09, colour: '#000000', paper: '#f0ece4' };

interface PadPanelProps {
  /** Where room is scarce: the explanation is behind a button. */
  dense?: boolean;
  /** Nothing can train beside it, and there are no data sets: the network that comes with the page answers. */
  alone?: boolean;
}

/** A pad to draw on and to put images on, with the prediction of the current model, also while it trains. */
export function PadPanel({ dense = false, alone = false }: PadPanelProps) {
  const [pen, setPen] = useState(PEN);
  const [camera, setCamera] = useState(false);
  const image = usePad((state) => state.image);
  const dataset = useApp(padDataset);
  const target = useMemo(() => targetOf(dataset), [dataset]);
  const { error, take } = useImages(target);
  // The camera closes with the screen.
  useEffect(() => () => setCamera(false), []);
  const classes = dataset?.classes ?? TEN_DIGITS;
  const { shape } = target;
  // An image of another shape does not fit this data set.
  useEffect(() => {
    if (!sameShape(usePad.getState().shape, shape)) showOnPad(undefined, shape);
  }, [shape]);
  const isKnown = alone || (dataset !== undefined && knowsTrained(target));
  useExample(dataset, isKnown);
  const takeFile = (file: File) => void take(file, file.name);
  return (
    <Panel
      title={target.digits ? texts.pad.drawDigit : texts.pad.testImage}
      explanation={about(target.digits ? 'digit' : 'image', 'prediction')}
      dense={dense}
      aside={isKnown && !alone && <NetworkChoice />}
    >
      <div className={styles.pad}>
        <div className={styles.paper} data-tour="pad" {...dropTarget(([file]) => takeFile(file))}>
          <Sheet {...pen} target={target} />
          {!image && <p className={styles.invitation}>{texts.pad.invitation}</p>}
        </div>
        <PadTools
          {...{ target, pen, alone, camera }}
          onPen={setPen}
          onCamera={() => setCamera(true)}
          onFile={takeFile}
        />
        {error && (
          <p className="error soft" role="alert">
            {error.message} {error.advice}
          </p>
        )}
        {camera && <Camera target={target} onEnd={() => setCamera(false)} />}
        <div className={styles.side}>
          <PredictedClass classes={classes} />
          <NetworkView />
        </div>
        <div className={styles.bars}>
          <Probabilities classes={classes} />
        </div>
        <Notes classes={classes} isKnown={isKnown} />
      </div>
    </Panel>
  );
}

/** At arrival, and with other data, something of theirs lies on the pad: a digit, recognised, or a test image. */
function useExample(dataset: DatasetEntry | undefined, isKnown: boolean): void {
  const ready = dataset?.status.state === 'ready';
  useEffect(() => {
    const of = dataset?.name ?? '';
    if (!isExampleWanted(of)) return;
    const lay = (show: () => void) => showExample(of, show);
    if (isKnown) lay(() => drawExample({ ...PEN, target: DIGITS }));
    else if (dataset && ready) void showTestImage(dataset, 0, lay);
  }, [dataset, isKnown, ready]);
}

/** The image exactly as it enters the network: brighter is more. */
function NetworkView() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const image = usePad((state) => state.image);
  const shape = usePad((state) => state.shape);
  const [, height, width] = shape;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, width, height);
    if (!image) return;
    drawTile(context, image, shape, 0, 0, [255, 255, 255]);
    // White ink of varying strength, over black.
    context.globalCompositeOperation = 'destination-over';
    context.fillRect(0, 0, width, height);
    context.globalCompositeOperation = 'source-over';
  }, [image, shape, width, height]);
  return (
    <figure className={styles.view}>
      <canvas
        ref={canvas}
        width={width}
        height={height}
        data-blank={!image || undefined}
        role="img"
        aria-label={texts.pad.asReceived}
      />
      <figcaption className="fine">
        {texts.pad.input}
        <br />
        {height} × {width}
      </figcaption>
    </figure>
  );
}

/** Takes images by file, by drop, and from the clipboard while the pad is shown. */
function useImages(target: PadTarget) {
  const [error, setError] = useState<FailureValue>();
  const take = async (file: Blob, origin: string) => {
    const taken = await attempt(async () => (await imageFiles()).takeFile(file, target, origin));
    setError(taken.ok ? taken.value : taken.error);
  };
  const pasted = useEffectEvent((event: ClipboardEvent) => {
    const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (!file) return;
    event.preventDefault();
    void take(file, texts.pad.pasted);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => pasted(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
  return { error, take };
}

function PredictedClass({ classes }: { classes: readonly string[] }) {
  const id = useId();
  const prediction = usePad((state) => state.prediction);
  const best = prediction ? prediction.probabilities.indexOf(Math.max(...prediction.probabilities)) : -1;
  return (
    <div className={styles.prediction}>
      <label htmlFor={id}>{texts.pad.prediction}</label>
      <output
        id={id}
        aria-live="off"
        data-long={(classes[best]?.length ?? 0) > 2 || undefined}
        data-none={best < 0 || undefined}
      >
        {classes[best] ?? '–'}
      </output>
    </div>
  );
}

function Probabilities({ classes }: { classes: readonly string[] }) {
  const prediction = usePad((state) => state.prediction);
  return <Bars label={texts.pad.probabilities} names={classes} shares={prediction?.probabilities} />;
}

/** Whose predictions are shown. Where nothing was trained yet, choosing the run's starts one. */
function NetworkChoice() {
  const network = usePad((state) => state.network);
  const next = useStartOfNext();
  return (
    <Choice
      label={texts.pad.network}
      value={network}
      options={next === undefined ? texts.pad.networks : { ...texts.pad.networks, run: texts.pad.nextRun }}
      onChange={(chosen) => {
        showNetwork(chosen);
        const state = useApp.getState();
        const isUntrained = state.runId === 0 && next === undefined;
        if (chosen === 'run' && isUntrained && train.obstacle(state) === undefined) void train.perform();
      }}
    />
  );
}

/** What there is to say about the answer, and below it whose answer it is. */
function Notes({ classes, isKnown }: { classes: readonly string[]; isKnown: boolean }) {
  const image = usePad((state) => state.image);
  const isExample = usePad((state) => state.isExample);
  const origin = usePad((state) => state.origin);
  return (
    <div className={styles.note}>
      <p aria-live="polite">{!isExample && image && <Comment classes={classes} />}</p>
      <p className="fine">
        {origin !== undefined && (
          <>
            <span>{origin}</span>.{' '}
          </>
        )}
        <Note isKnown={isKnown} />
      </p>
    </div>
  );
}

/**
 * Whose prediction it is, or why there is none.
 * @param isKnown whether the network that comes with the page knows such images
 */
function Note({ isKnown }: { isKnown: boolean }) {
  const image = usePad((state) => state.image);
  const network = usePad((state) => state.network);
  const hasNext = useStartOfNext() !== undefined;
  const hasRun = useApp((state) => state.runId > 0) || hasNext;
  const blocked = useApp((state) => train.obstacle(state) !== undefined);
  const prediction = usePad((state) => state.prediction);
  const error = usePad((state) => state.error);
  if (error) return error.message;
  if (prediction && 'testAccuracy' in prediction) {
    const accuracy = format.accuracy(prediction.testAccuracy);
    return <span>{texts.pad.byTrained(accuracy)}</span>;
  }
  if (prediction && 'from' in prediction) return <span>{texts.pad.byStart(prediction.from)}</span>;
  if (!hasRun && (network === 'run' || !isKnown || !image))
    return blocked ? texts.pad.untrained : texts.pad.selectTrain;
  if (!image) return texts.pad.blank;
  if (!prediction) return texts.pad.predicting;
  return <span>{texts.pad.byRun(prediction.step)}</span>;
}

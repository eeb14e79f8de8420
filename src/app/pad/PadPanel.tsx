import { lazy, useEffect, useEffectEvent, useId, useMemo, useRef, useState, type DragEvent } from 'react';
import type { FailureValue } from '../../base/result.ts';
import { sameShape } from '../../base/shape.ts';
import { Bars } from '../charts/bars/Bars.tsx';
import { Button } from '../components/Button.tsx';
import { Later } from '../components/Later.tsx';
import { Panel } from '../components/Panel.tsx';
import * as format from '../format.ts';
import { useApp } from '../state/store.ts';
import { imageAt } from '../components/Tile.tsx';
import { NetworkView } from './NetworkView.tsx';
import { padDataset } from './pad-dataset.ts';
import styles from './PadPanel.module.css';
import { Sheet } from './Sheet.tsx';
import { showOnPad } from './showing.ts';
import { takeFile } from './taking.ts';
import { isColour, targetOf, type PadTarget } from './target.ts';
import { usePad } from './pad-store.ts';

const Camera = lazy(async () => ({ default: (await import('./Camera.tsx')).Camera }));

const TEN_DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));

/** A pad to draw on and to put pictures on, answered by the model as it is now, also while it trains. */
export function PadPanel() {
  const [brush, setBrush] = useState(9);
  const [colour, setColour] = useState('#d03020');
  const [paper, setPaper] = useState('#f0ece4');
  const [camera, setCamera] = useState(false);
  const brushId = useId();
  const next = useRef(0);
  const image = usePad((state) => state.image);
  const origin = usePad((state) => state.origin);
  const dataset = useApp(padDataset);
  const samples = useApp((state) => (dataset ? state.samples[dataset.name] : undefined));
  const target = useMemo(() => targetOf(dataset), [dataset]);
  const { error, take } = usePictures(target);
  // Whoever comes back to this screen opens the camera again, or does not.
  useEffect(() => () => setCamera(false), []);
  const classes = dataset?.classes ?? TEN_DIGITS;
  const { shape } = target;
  // What was made for other images means nothing for these.
  useEffect(() => {
    if (!sameShape(usePad.getState().shape, shape)) showOnPad(undefined, shape);
  }, [shape]);

  const trySample = () => {
    if (!samples) return;
    const index = next.current++ % samples.labels.length;
    const label = classes[samples.labels[index]] ?? '';
    showOnPad(imageAt(samples, index), samples.shape, `Training image ${format.count(index)}: ${label}`);
  };
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) void take(file, file.name);
  };
  return (
    <Panel
      title={target.digits ? 'Draw a digit' : 'Try an image'}
      explanation={
        target.digits
          ? 'The model answers as it is now. Draw, then watch it change its mind while it learns.'
          : 'The model answers as it is now. Take one of the images, a picture of yours, or draw.'
      }
    >
      <div className={styles.pad}>
        <div className={styles.paper} onDragOver={(event) => event.preventDefault()} onDrop={dropped}>
          <Sheet brush={brush / 100} target={target} colour={colour} paper={paper} />
          {!image && <p className={styles.invitation}>Draw here, or drop or paste a picture</p>}
        </div>
        <div className={styles.side}>
          <NetworkView />
          <Answer classes={classes} />
        </div>
      </div>
      {origin !== undefined && <p className={styles.origin}>{origin}</p>}
      {error && (
        <p className={styles.wrong} role="alert">
          {error.message} {error.advice}
        </p>
      )}
      {camera && (
        <Later name="The camera">
          <Camera target={target} onEnd={() => setCamera(false)} />
        </Later>
      )}
      <div className={styles.tools}>
        <Button
          icon="image"
          obstacle={samples ? undefined : 'There are no images here yet.'}
          onPress={trySample}
        >
          Try a sample
        </Button>
        <FileButton onFile={(file) => void take(file, file.name)} />
        <Button
          icon="camera"
          obstacle={camera ? 'The camera is open.' : undefined}
          onPress={() => setCamera(true)}
        >
          Camera
        </Button>
        <Button
          icon="close"
          obstacle={image ? undefined : 'The pad is blank.'}
          onPress={() => showOnPad(undefined, shape)}
        >
          Clear
        </Button>
        <label htmlFor={brushId} className={styles.brush}>
          Brush
          <input
            id={brushId}
            type="range"
            min={5}
            max={16}
            value={brush}
            onChange={(event) => setBrush(Number(event.target.value))}
          />
        </label>
        {isColour(target) && (
          <>
            <Colour label="Ink" value={colour} onChange={setColour} />
            <Colour label="Paper" value={paper} onChange={setPaper} />
          </>
        )}
      </div>
      <Probabilities classes={classes} />
    </Panel>
  );
}

/** Takes pictures by file, by drop, and from the clipboard while the pad is shown. */
function usePictures(target: PadTarget) {
  const [error, setError] = useState<FailureValue>();
  const take = async (file: Blob, origin: string) => setError(await takeFile(file, target, origin));
  const pasted = useEffectEvent((event: ClipboardEvent) => {
    const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (!file) return;
    event.preventDefault();
    void take(file, 'Pasted picture');
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => pasted(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
  return { error, take };
}

function FileButton({ onFile }: { onFile(file: File): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="upload" onPress={() => input.current?.click()}>
        Picture
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label="Picture for the pad"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onFile(file);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
    </>
  );
}

interface ColourProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

function Colour({ label, value, onChange }: ColourProps) {
  return (
    <label className={styles.colour}>
      {label}
      <input type="color" value={value} onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}

function Answer({ classes }: { classes: readonly string[] }) {
  const id = useId();
  const prediction = usePad((state) => state.prediction);
  const best = prediction ? prediction.probabilities.indexOf(Math.max(...prediction.probabilities)) : -1;
  return (
    <div className={styles.answer}>
      <label htmlFor={id}>Answer</label>
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
  const image = usePad((state) => state.image);
  const hasRun = useApp((state) => state.runId > 0);
  const prediction = usePad((state) => state.prediction);
  const error = usePad((state) => state.error);
  const note = (() => {
    if (error) return error.message;
    if (!hasRun) return 'The model has not learned anything yet: press Train.';
    if (!image) return 'How sure the model is of each class shows here.';
    if (!prediction) return 'Asking the model…';
    return `Answered by the model after ${format.steps(prediction.step)}.`;
  })();
  return (
    <>
      <Bars label="Probabilities" names={classes} shares={prediction?.probabilities} />
      <p className={styles.note}>{note}</p>
    </>
  );
}

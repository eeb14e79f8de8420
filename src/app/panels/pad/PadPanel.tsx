import { useId, useRef, useState } from 'react';
import { chosenDataset } from '../../actions/start.ts';
import { Bars } from '../../charts/bars/Bars.tsx';
import { Button } from '../../components/Button.tsx';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { imageAt } from '../data/SampleGrid.tsx';
import { NetworkView } from './NetworkView.tsx';
import styles from './PadPanel.module.css';
import { Sheet } from './Sheet.tsx';
import { showOnPad } from './showing.ts';

const TEN_DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));

/** A pad to draw on, answered by the model as it is now, also while it trains. */
export function PadPanel() {
  const [brush, setBrush] = useState(9);
  const brushId = useId();
  const next = useRef(0);
  const image = useApp((state) => state.padImage);
  const dataset = useApp(chosenDataset);
  const classes = useApp(
    (state) =>
      state.datasets.find(({ name }) => name === state.runConfig?.dataset)?.classes ??
      chosenDataset(state)?.classes,
  );
  const samples = useApp((state) => (dataset ? state.samples[dataset.name] : undefined));
  const digits = classes === undefined || classes[0] === '0';

  const trySample = () => {
    if (!samples) return;
    showOnPad(imageAt(samples, next.current % samples.labels.length), samples.shape);
    next.current++;
  };
  return (
    <Panel
      title={digits ? 'Draw a digit' : 'Try an image'}
      explanation={
        digits
          ? 'The model answers as it is now. Draw, then watch it change its mind while it learns.'
          : 'The model answers as it is now. Take one of the images, or draw what you like.'
      }
    >
      <div className={styles.pad}>
        <div className={styles.paper}>
          <Sheet brush={brush / 100} />
          {!image && <p className={styles.invitation}>Draw here</p>}
        </div>
        <div className={styles.side}>
          <NetworkView />
          <Answer classes={classes ?? TEN_DIGITS} />
        </div>
      </div>
      <div className={styles.tools}>
        <Button
          icon="image"
          obstacle={samples ? undefined : 'There are no images here yet.'}
          onPress={trySample}
        >
          Try a sample
        </Button>
        <Button
          icon="close"
          obstacle={image ? undefined : 'The pad is blank.'}
          onPress={() => showOnPad(undefined)}
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
      </div>
      <Probabilities classes={classes ?? TEN_DIGITS} />
    </Panel>
  );
}

function Answer({ classes }: { classes: readonly string[] }) {
  const id = useId();
  const prediction = useApp((state) => state.prediction);
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
  const image = useApp((state) => state.padImage);
  const hasRun = useApp((state) => state.runId > 0);
  const prediction = useApp((state) => state.prediction);
  const error = useApp((state) => state.predictionError);
  const note = (() => {
    if (error) return error.message;
    if (!hasRun) return 'The model has not learned anything yet: press Train.';
    if (!image) return 'How sure the model is of each class shows here.';
    if (!prediction) return 'Asking the model…';
    return `Answered by the model after ${format.count(prediction.step)} steps.`;
  })();
  return (
    <>
      <Bars label="Probabilities" names={classes} shares={prediction?.probabilities} />
      <p className={styles.note}>{note}</p>
    </>
  );
}

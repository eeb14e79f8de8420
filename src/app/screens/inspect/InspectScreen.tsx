import type { ComponentType } from 'react';
import { ActionButton } from '../../actions/ActionButton.tsx';
import { pause, stepBatch, train } from '../../actions/actions.ts';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import * as format from '../../format.ts';
import { useLive } from '../../metrics/use-live.ts';
import { useView } from '../../route.ts';
import { useApp } from '../../state/store.ts';
import { BatchView } from './BatchView.tsx';
import { ConfusionPanel } from './ConfusionPanel.tsx';
import { Gallery } from './Gallery.tsx';
import { EmbeddingView } from './embedding/EmbeddingView.tsx';
import { HistogramsView } from './histograms/HistogramsView.tsx';
import { ImageView } from './ImageView.tsx';
import styles from './Inspect.module.css';
import { PredictView } from './PredictView.tsx';

interface View {
  /** In the address: `#/inspect/image`. */
  name: string;
  title: string;
  explanation: string;
  Content: ComponentType;
}

const VIEWS: readonly [View, ...View[]] = [
  {
    name: 'mistakes',
    title: 'Mistakes',
    explanation:
      'Confusion matrix and misclassified images per epoch. Select an image to trace it through the network.',
    Content: MistakesView,
  },
  {
    name: 'image',
    title: 'Network',
    explanation: 'Follow one image through every layer, live while the model trains, down to single values.',
    Content: ImageView,
  },
  {
    name: 'histograms',
    title: 'Histograms',
    explanation: 'Weights, gradients and activations of every layer, from the first step to the newest.',
    Content: HistogramsView,
  },
  {
    name: 'map',
    title: 'Map',
    explanation: 'How the network groups the test images, epoch by epoch.',
    Content: EmbeddingView,
  },
  {
    name: 'batch',
    title: 'Batch',
    explanation: 'The last training batch, exactly as the network received it.',
    Content: BatchView,
  },
  {
    name: 'predict',
    title: 'Predict',
    explanation:
      'Classify a test set or your own images with the weights of any run or file, and download the predictions.',
    Content: PredictView,
  },
];

/** What the model gets wrong, and what happens inside it. */
export function InspectScreen() {
  const { name, explanation, Content } = useView('inspect', VIEWS);
  return (
    <>
      <ScreenHead
        title="Inspect"
        label="Inspect views"
        screen="inspect"
        views={VIEWS}
        current={name}
        explanation={explanation}
      >
        <RunStrip />
      </ScreenHead>
      <Content />
    </>
  );
}

/** The step and the state of the run, and its buttons. */
function RunStrip() {
  const { step } = useLive();
  const runState = useApp((state) => state.runState);
  const moving = runState === 'training' || runState === 'preparing' || runState === 'recovering';
  return (
    <>
      <span className="soft numbers">
        {step === 0 && !moving ? 'Untrained' : `Step ${format.count(step)}`}
        {runState === 'training' && ', training'}
        {runState === 'saving' && ', saving'}
        {runState === 'paused' && ', paused'}
      </span>
      <ActionButton action={moving ? pause : train} />
      <ActionButton action={stepBatch} />
    </>
  );
}

/** The confusion matrix over epochs, and the test images behind its cells. */
function MistakesView() {
  return (
    <div className={styles.columns}>
      <ConfusionPanel />
      <Gallery />
    </div>
  );
}

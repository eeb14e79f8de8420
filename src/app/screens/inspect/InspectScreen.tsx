import type { ComponentType } from 'react';
import { ActionButton } from '../../actions/ActionButton.tsx';
import { isMoving, pause, stepBatch, train } from '../../actions/actions.ts';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { inspect as texts } from '../../messages/inspect.ts';
import { useLive } from '../../metrics/use-live.ts';
import { useView } from '../../route.ts';
import { runStanding } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import { BatchView } from './BatchView.tsx';
import { ConfusionPanel } from './ConfusionPanel.tsx';
import { Gallery } from './Gallery.tsx';
import { EmbeddingView } from './embedding/EmbeddingView.tsx';
import { HistogramsView } from './histograms/HistogramsView.tsx';
import { ImageView } from './ImageView.tsx';
import styles from './Inspect.module.css';
import { networkToLookAt } from './activations.ts';
import { PredictView } from './PredictView.tsx';

interface View {
  /** In the address: `#/inspect/image`. */
  name: 'image' | 'mistakes' | 'histograms' | 'map' | 'batch' | 'predict';
  Content: ComponentType;
}

const VIEWS: readonly [View, ...View[]] = [
  { name: 'image', Content: ImageView },
  { name: 'mistakes', Content: MistakesView },
  { name: 'histograms', Content: HistogramsView },
  { name: 'map', Content: EmbeddingView },
  { name: 'batch', Content: BatchView },
  { name: 'predict', Content: PredictView },
];

/** What the model gets wrong, and what happens inside it. */
export function InspectScreen() {
  const { name, Content } = useView('inspect', VIEWS);
  const shipped = useApp((state) => networkToLookAt(state) === 'trained');
  return (
    <>
      <ScreenHead
        title={texts.views.title}
        label={texts.views.label}
        screen="inspect"
        views={VIEWS.map((view) => ({ name: view.name, title: texts.views[view.name].title }))}
        current={name}
        explanation={texts.views[name].explanation}
      >
        <RunStrip shipped={name === 'image' && shipped} />
      </ScreenHead>
      <Content />
    </>
  );
}

/** The step and the state of the run, and its buttons. @param shipped the network that comes with the page is shown */
function RunStrip({ shipped }: { shipped: boolean }) {
  const { step } = useLive();
  const standing = useApp(runStanding);
  const hasRun = useApp((state) => state.runId > 0);
  const moving = useApp(isMoving);
  return (
    <>
      <span className="soft numbers">
        {step > 0 || moving
          ? texts.run.step(step)
          : hasRun
            ? texts.run.untrained
            : shipped
              ? texts.run.shipped
              : texts.run.none}
        {texts.run.stands[standing]}
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

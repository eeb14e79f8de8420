import type { ComponentType } from 'react';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { hrefOf, useRoute } from '../../route.ts';
import { Notices } from '../../shell/Notices.tsx';
import { BatchView } from './batch/BatchView.tsx';
import { ImageView } from './image/ImageView.tsx';
import styles from './Inspect.module.css';
import { RunStrip } from './RunStrip.tsx';
import { SamplesView } from './samples/SamplesView.tsx';

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
    Content: SamplesView,
  },
  {
    name: 'image',
    title: 'Activations',
    explanation: 'Activations of every layer for one image, down to single values.',
    Content: ImageView,
  },
  {
    name: 'batch',
    title: 'Batch',
    explanation: 'The last training batch, exactly as the network received it.',
    Content: BatchView,
  },
];

/** What the model gets wrong, and what goes on inside it. */
export function InspectScreen() {
  const { screen, view: wanted } = useRoute();
  const shown = screen === 'inspect' ? wanted : '';
  const { name, explanation, Content } = VIEWS.find((view) => view.name === shown) ?? VIEWS[0];
  return (
    <div className={styles.inspect}>
      <ScreenHead
        title="Inspect"
        label="Inspect views"
        views={VIEWS.map((view) => ({ ...view, href: hrefOf('inspect', view.name) }))}
        current={name}
        explanation={explanation}
      >
        <RunStrip />
      </ScreenHead>
      <Notices />
      <Content />
    </div>
  );
}

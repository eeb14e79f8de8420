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
      'What the model takes for what, epoch by epoch, and the very images. Press one to follow it inside.',
    Content: SamplesView,
  },
  {
    name: 'image',
    title: 'One image',
    explanation:
      'An image on its way through the network: what every layer makes of it, down to single numbers.',
    Content: ImageView,
  },
  {
    name: 'batch',
    title: 'Batch',
    explanation: 'The images of the last training step exactly as they entered the network.',
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
        label="Parts of Inspect"
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

import { useEffect } from 'react';
import { train } from '../../../actions/actions.ts';
import { ActionButton } from '../../../actions/ActionButton.tsx';
import { Button } from '../../../components/Button.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { Panel } from '../../../components/Panel.tsx';
import * as format from '../../../format.ts';
import { useApp } from '../../../state/store.ts';
import { imageAt } from '../../../components/Tile.tsx';
import { padDataset } from '../../../pad/pad-dataset.ts';
import { PadPanel } from '../../../pad/PadPanel.tsx';
import { showOnPad } from '../../../pad/showing.ts';
import shared from '../Inspect.module.css';
import { FiltersPanel } from './FiltersPanel.tsx';
import styles from './Image.module.css';
import { LayerList } from './LayerList.tsx';
import { keepLooking, useLook } from './looking.ts';
import { MapsPanel } from './MapsPanel.tsx';
import { PixelPanel } from './PixelPanel.tsx';
import { usePad } from '../../../pad/pad-store.ts';

/** One image through the network. */
export function ImageView() {
  useEffect(keepLooking, []);
  return (
    <div className={styles.view}>
      <div className={shared.column}>
        <PadPanel />
      </div>
      <Inside />
    </div>
  );
}

function Inside() {
  const look = useLook((state) => state.look);
  const error = useLook((state) => state.error);
  const hasRun = useApp((state) => state.runId > 0);
  const image = usePad((state) => state.image);
  if (!hasRun || !image || !look) {
    return (
      <Panel title="Activations">
        <div className={shared.empty}>
          {error && <p>{`${error.message} ${error.advice ?? ''}`}</p>}
          {!error && <Beginning hasRun={hasRun} image={image !== undefined} />}
        </div>
      </Panel>
    );
  }
  return (
    <div className={shared.column}>
      {error && (
        <Notice kind="warning" title="Could not inspect the network">
          <p>{`${error.message} ${error.advice ?? ''}`}</p>
        </Notice>
      )}
      <div className={styles.inside}>
        <LayerList look={look} />
        <div className={shared.column}>
          <MapsPanel look={look} />
          {look.pixel && (
            <PixelPanel
              pixel={look.pixel}
              layer={look.output.layer}
              hasBias={look.filters?.bias !== undefined}
              step={look.step}
            />
          )}
          {look.filters && <FiltersPanel filters={look.filters} layer={look.output.layer} />}
        </div>
      </div>
    </div>
  );
}

/** What is missing before anything can be seen. */
function Beginning({ hasRun, image }: { hasRun: boolean; image: boolean }) {
  const dataset = useApp(padDataset);
  const samples = useApp((state) => (dataset ? state.samples[dataset.name] : undefined));
  if (!hasRun) {
    return (
      <>
        <p>No trained network yet. Train at least one step.</p>
        <ActionButton action={train} kind="primary" />
      </>
    );
  }
  if (image) return <p>Computing activations…</p>;
  return (
    <>
      <p>Draw something, upload a picture or select a mistake to see its activations.</p>
      <Button
        icon="image"
        kind="primary"
        obstacle={samples ? undefined : 'No data set loaded yet.'}
        onPress={() => {
          if (!samples) return;
          const label = dataset?.classes[samples.labels[0]] ?? '';
          showOnPad(imageAt(samples, 0), samples.shape, `Training image ${format.count(0)}: ${label}`);
        }}
      >
        Use a training image
      </Button>
    </>
  );
}

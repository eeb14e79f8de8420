import type { DatasetEntry } from '../../worker/api.ts';
import { Button } from '../widgets/Button.tsx';
import styles from './Data.module.css';
import { openDataDialog } from './dialogs.ts';

/** What can be done with data sets, beside choosing one: look at the images, and free storage. */
export function DataTools({ dataset }: { dataset: DatasetEntry }) {
  const ready = dataset.status.state === 'ready';
  return (
    <div className={`row ${styles.tools}`}>
      <Button
        icon="image"
        obstacle={ready ? undefined : `${dataset.title} is not downloaded yet.`}
        title="Look at all images, by class."
        onPress={() => openDataDialog('gallery')}
      >
        Browse images
      </Button>
      <Button
        icon="trash"
        kind="quiet"
        title="See how much storage the saved data sets use, and remove them."
        onPress={() => openDataDialog('storage')}
      >
        Browser storage
      </Button>
    </div>
  );
}

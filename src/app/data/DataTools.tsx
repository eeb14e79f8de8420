import type { DatasetEntry } from '../../worker/api.ts';
import { Button } from '../widgets/Button.tsx';
import { data as texts } from '../messages/en/data.tsx';
import styles from './Data.module.css';
import { openDataDialog } from './dialogs.ts';

/** What can be done with data sets, beside choosing one: look at the images, and free storage. */
export function DataTools({ dataset }: { dataset: DatasetEntry }) {
  const ready = dataset.status.state === 'ready';
  return (
    <div className={`row ${styles.tools}`}>
      <Button
        icon="image"
        obstacle={ready ? undefined : texts.drawer.notDownloaded(dataset.title)}
        title={texts.drawer.browseTitle}
        onPress={() => openDataDialog('gallery')}
      >
        {texts.drawer.browse}
      </Button>
      <Button
        icon="trash"
        kind="quiet"
        title={texts.drawer.storageTitle}
        onPress={() => openDataDialog('storage')}
      >
        {texts.storage.title}
      </Button>
    </div>
  );
}

import { useState } from 'react';
import type { DatasetEntry, GivenFile, OwnReport } from '../../../worker/api.ts';
import { Button } from '../../widgets/Button.tsx';
import { FileButton } from '../../widgets/FileButton.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { FailureNotice, Callout } from '../../widgets/Notice.tsx';
import { openDataDialog } from '../../data/dialogs.ts';
import { OWN_SIZES } from '../../data/own-sizes.ts';
import { takeOwn } from '../../datasets.ts';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { StartFrom } from '../../finetune/StartFrom.tsx';
import { DropArea, Progress } from './ObtainDataset.tsx';
import styles from './Data.module.css';

interface OwnImagesProps {
  dataset: DatasetEntry;
  /** True while a run uses the data set. */
  locked: boolean;
}

/** Importing a person's own images, and the report of what was imported. */
export function OwnImages({ dataset, locked }: OwnImagesProps) {
  const { status } = dataset;
  const error = useApp((state) => state.importErrors[dataset.name]);
  const [report, setReport] = useState<OwnReport>();
  const [size, setSize] = useState<keyof typeof OWN_SIZES>('colour');
  const take = async (files: readonly GivenFile[]) => {
    if (files.length === 0) return;
    const [first] = files[0].path.split('/');
    const from = files.every(({ path }) => path.split('/')[0] === first) ? first : 'several folders';
    setReport(undefined);
    setReport(await takeOwn({ files: [...files], from, shape: OWN_SIZES[size].shape }));
  };
  if (status.state === 'reading') {
    const { done, total } = status;
    return (
      <Progress name={dataset.name} label="Reading images" done={done} total={total} show={format.count} />
    );
  }
  return (
    <div className={`stack ${styles.obtain}`}>
      {error && <FailureNotice title="Could not import these images" error={error} />}
      {status.state === 'failed' && (
        <Callout kind="error" title="Your images are no longer available">
          <p>{status.error.message}</p>
        </Callout>
      )}
      {report && <Report report={report} />}
      {status.state === 'ready' && <StartFrom />}
      {!locked && (
        <>
          <div className="row">
            <span className="soft">Resize to</span>
            <Choice
              label="Resize to"
              value={size}
              options={{ colour: OWN_SIZES.colour.label, grey: OWN_SIZES.grey.label }}
              onChange={setSize}
            />
          </div>
          <Button icon="camera" kind="primary" onPress={() => openDataDialog('pictures')}>
            Take pictures by class
          </Button>
          <DropZone onFiles={(files) => void take(files)} again={status.state === 'ready'} />
        </>
      )}
    </div>
  );
}

/** Some browsers on phones choose files alone, and take a zip file. */
const CHOOSES_FOLDERS = 'webkitdirectory' in HTMLInputElement.prototype;

function DropZone({ onFiles, again }: { onFiles(files: readonly GivenFile[]): void; again: boolean }) {
  const chosen = (files: File[]) =>
    onFiles(files.map((file) => ({ path: file.webkitRelativePath || file.name, file })));
  return (
    <DropArea onDrop={(dropped) => void droppedFiles(dropped).then(onFiles, () => undefined)}>
      <p>
        Drop a folder (or zip) with one subfolder of PNG or JPEG images per class
        {again ? ' to replace these images' : ''}. Images stay on your device and are centre-cropped to a
        square; a fifth is held out for testing.
      </p>
      {CHOOSES_FOLDERS && (
        <FileButton label="Folder of images" folder onFiles={chosen}>
          Choose a folder
        </FileButton>
      )}{' '}
      <FileButton label="Zip file of images" accept=".zip" multiple onFiles={chosen}>
        Choose a zip file
      </FileButton>
    </DropArea>
  );
}

function Report({ report: { counts, skipped, more } }: { report: OwnReport }) {
  const images = counts.reduce((sum, one) => sum + one.images, 0);
  const left = skipped.length + more;
  return (
    <Callout kind="info" title={`${format.count(images)} images in ${counts.length} classes`}>
      <p>{counts.map(({ name, images: of }) => `${name}: ${format.count(of)}`).join(', ')}</p>
      {left > 0 && (
        <details>
          <summary>{format.count(left)} skipped</summary>
          <ul>
            {skipped.map(({ path, reason }) => (
              <li key={path}>
                {path} {reason}
              </li>
            ))}
            {more > 0 && <li>and {format.count(more)} more</li>}
          </ul>
        </details>
      )}
    </Callout>
  );
}

/** All dropped files, with their folders. Must be called while the event is handled. */
function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  // Entries exist only during the event; what they lead to can be read later.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return filesBelow(entries, '');
}

async function filesBelow(entries: readonly FileSystemEntry[], folder: string): Promise<GivenFile[]> {
  const found: GivenFile[] = [];
  for (const entry of entries) {
    const path = folder + entry.name;
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => {
        (entry as FileSystemFileEntry).file(resolve, reject);
      });
      found.push({ path, file });
    } else {
      const inside = await entriesOf(entry as FileSystemDirectoryEntry);
      for (const one of await filesBelow(inside, `${path}/`)) found.push(one);
    }
  }
  return found;
}

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // Chromium returns a hundred at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
  }
}

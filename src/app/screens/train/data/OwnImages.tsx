import { useId, useRef, useState } from 'react';
import type { DatasetEntry, GivenFile, OwnReport } from '../../../../worker/api.ts';
import { tell } from '../../../client.ts';
import { Button } from '../../../components/Button.tsx';
import { Choice } from '../../../components/Choice.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { takeOwn } from '../../../datasets.ts';
import * as format from '../../../format.ts';
import { useApp } from '../../../state/store.ts';
import styles from './DataPanel.module.css';
import { chosenFiles, droppedFiles } from './dropped.ts';

/** What pictures can be made into, as the networks here are made for. */
const SIZES = {
  colour: { label: '32 × 32, colour', shape: [3, 32, 32] },
  grey: { label: '28 × 28, grey', shape: [1, 28, 28] },
} as const;

interface OwnImagesProps {
  dataset: DatasetEntry;
  /** True while a run keeps its data. */
  locked: boolean;
}

/** A person's own pictures: giving them, and what became of them. */
export function OwnImages({ dataset, locked }: OwnImagesProps) {
  const { status } = dataset;
  const error = useApp((state) => state.importErrors[dataset.name]);
  const [report, setReport] = useState<OwnReport>();
  const [size, setSize] = useState<keyof typeof SIZES>('colour');
  const take = async (files: readonly GivenFile[]) => {
    if (files.length === 0) return;
    const [first] = files[0].path.split('/');
    const from = files.every(({ path }) => path.split('/')[0] === first) ? first : 'several folders';
    setReport(undefined);
    setReport(await takeOwn({ files: [...files], from, shape: SIZES[size].shape }));
  };
  if (status.state === 'reading') return <Reading {...{ dataset }} done={status.done} total={status.total} />;
  return (
    <div className={styles.obtain}>
      {error && (
        <Notice kind="error" title="These images were not taken">
          <p>{error.message}</p>
          {error.advice && <p>{error.advice}</p>}
        </Notice>
      )}
      {status.state === 'failed' && (
        <Notice kind="error" title="Your images are not there any more">
          <p>{status.error.message}</p>
        </Notice>
      )}
      {report && <Report report={report} />}
      {!locked && (
        <>
          <Choice
            label="Size that the images are made"
            name="own-size"
            value={size}
            options={[
              { value: 'colour', label: SIZES.colour.label },
              { value: 'grey', label: SIZES.grey.label },
            ]}
            onChange={setSize}
          />
          <DropZone onFiles={(files) => void take(files)} again={status.state === 'ready'} />
        </>
      )}
    </div>
  );
}

function DropZone({ onFiles, again }: { onFiles(files: readonly GivenFile[]): void; again: boolean }) {
  const folder = useRef<HTMLInputElement>(null);
  const zip = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const chosen = (input: HTMLInputElement) => {
    if (input.files) onFiles(chosenFiles(input.files));
    // So that choosing the same folder again, once mended, is a change.
    input.value = '';
  };
  return (
    <div
      className={styles.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void droppedFiles(event.dataTransfer).then(onFiles, () => undefined);
      }}
    >
      <p>
        {again ? 'For other images drop' : 'Drop'} a folder that has a folder of PNG or JPEG images for each
        kind, or a zip of it. They stay on this machine. Of each, the square in the middle is taken; a fifth
        is set apart to test on.
      </p>
      <input
        ref={folder}
        type="file"
        hidden
        aria-label="Folder of images"
        // Not in React's types: https://developer.mozilla.org/docs/Web/API/HTMLInputElement/webkitdirectory
        {...{ webkitdirectory: '' }}
        onChange={(event) => chosen(event.target)}
      />
      <input
        ref={zip}
        type="file"
        accept=".zip"
        multiple
        hidden
        aria-label="Zip of images"
        onChange={(event) => chosen(event.target)}
      />
      <Button onPress={() => folder.current?.click()}>Choose a folder</Button>{' '}
      <Button onPress={() => zip.current?.click()}>Choose a zip</Button>
    </div>
  );
}

function Reading({ dataset, done, total }: { dataset: DatasetEntry; done: number; total: number }) {
  const id = useId();
  return (
    <div className={styles.progress}>
      <p>
        <label htmlFor={id}>Reading images</label>
        <br />
        <span className="numbers">
          {format.count(done)} of {format.count(total)}
        </span>
      </p>
      <progress id={id} max={total} value={done} />
      <Button icon="close" kind="quiet" onPress={() => void tell((api) => api.cancelDownload(dataset.name))}>
        Cancel
      </Button>
    </div>
  );
}

function Report({ report: { counts, skipped, more } }: { report: OwnReport }) {
  const images = counts.reduce((sum, one) => sum + one.images, 0);
  const left = skipped.length + more;
  return (
    <Notice kind="info" title={`${format.count(images)} images of ${counts.length} kinds`}>
      <p>{counts.map(({ name, images: of }) => `${name}: ${format.count(of)}`).join(', ')}</p>
      {left > 0 && (
        <details>
          <summary>{format.count(left)} left out</summary>
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
    </Notice>
  );
}

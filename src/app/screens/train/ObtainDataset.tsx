import { useId, useState, type ReactNode } from 'react';
import type { FailureValue } from '../../../base/result.ts';
import type { DatasetEntry } from '../../../worker/api.ts';
import { tell } from '../../client.ts';
import { Button } from '../../widgets/Button.tsx';
import { FileButton } from '../../widgets/FileButton.tsx';
import { FailureNotice, Callout } from '../../widgets/Notice.tsx';
import { openDataDialog } from '../../data/dialogs.ts';
import { fetchDataset, importDataset } from '../../datasets.ts';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import styles from './Data.module.css';

/** How to get a data set that is not downloaded: from its publisher, or from the person's own disk. */
export function ObtainDataset({ dataset }: { dataset: DatasetEntry }) {
  const importError = useApp((state) => state.importErrors[dataset.name]);
  const { name, status } = dataset;
  if (status.state === 'downloading') {
    const { receivedBytes, totalBytes } = status;
    return (
      <Progress name={name} label="Downloading" done={receivedBytes} total={totalBytes} show={format.bytes} />
    );
  }
  return (
    <div className={`stack ${styles.obtain}`}>
      {status.state === 'failed' && (
        <ObtainError error={status.error} byHand={dataset.source !== undefined} />
      )}
      {dataset.source === undefined ? (
        <Button
          icon={status.state === 'failed' ? 'retry' : 'download'}
          kind="primary"
          onPress={() => void fetchDataset(name)}
        >
          {status.state === 'failed' ? 'Retry download' : 'Download'}
          {dataset.shipped ? '' : ` (${format.bytes(dataset.bytes)})`}
        </Button>
      ) : (
        <ByHand dataset={dataset} source={dataset.source} />
      )}
      {importError && <FailureNotice title="Could not import these files" error={importError} />}
      {!dataset.shipped && <DropZone dataset={dataset} />}
    </div>
  );
}

/** For a data set whose publisher does not let other pages fetch it (no CORS headers). */
function ByHand({ dataset, source }: { dataset: DatasetEntry; source: string }) {
  return (
    <>
      <p>
        This data set cannot be downloaded from here. Get {dataset.archive ?? 'its files'} (
        {format.bytes(dataset.bytes)}) from{' '}
        <a href={source} target="_blank" rel="noreferrer">
          {new URL(source).host}
        </a>{' '}
        and drop it here.
      </p>
      <Button onPress={() => void fetchDataset(dataset.name)}>Check this server</Button>
    </>
  );
}

function ObtainError({ error, byHand }: { error: FailureValue; byHand: boolean }) {
  if (byHand && error.code === 'download') {
    return (
      <Callout kind="error" title="Not available on this server">
        <p>{error.advice}</p>
      </Callout>
    );
  }
  const title: Partial<Record<FailureValue['code'], string>> = {
    checksum: 'Checksum mismatch',
    download: 'Download failed',
    storage: 'Not enough browser storage',
  };
  const advice: Partial<Record<FailureValue['code'], string>> = {
    checksum: 'The file was discarded. Download it again, or import the files from a source you trust.',
    download: 'Check your connection and try again, or import the files below.',
    storage:
      'Remove data sets that you no longer need, free up disk space, or leave private browsing. Then try again.',
  };
  return (
    <Callout
      kind="error"
      title={title[error.code] ?? 'Could not read the data'}
      actions={
        error.code === 'storage' && (
          <Button icon="trash" onPress={() => openDataDialog('storage')}>
            Browser storage
          </Button>
        )
      }
    >
      <p>{advice[error.code] ?? error.advice}</p>
      <details>
        <summary>Details</summary>
        <p>{error.message}</p>
        {advice[error.code] && <p>{error.advice}</p>}
      </details>
    </Callout>
  );
}

interface ProgressProps {
  /** Name of the data set. */
  name: string;
  label: string;
  done: number;
  /** 0 while it is not known. */
  total: number;
  show(amount: number): string;
}

/** A download or an import in progress, which can be cancelled. */
export function Progress({ name, label, done, total, show }: ProgressProps) {
  const id = useId();
  const known = total > 0;
  return (
    <div className={styles.progress}>
      <p className="soft numbers">
        <label htmlFor={id}>{label}</label>
        <br />
        {show(done)}
        {known && ` of ${show(total)}`}
      </p>
      <progress id={id} max={known ? total : undefined} value={known ? done : undefined} />
      <Button icon="close" kind="quiet" onPress={() => void tell((api) => api.cancelDownload(name))}>
        Cancel
      </Button>
    </div>
  );
}

function DropZone({ dataset }: { dataset: DatasetEntry }) {
  const [checking, setChecking] = useState(false);
  const take = async (files: File[]) => {
    if (files.length === 0) return;
    setChecking(true);
    await importDataset(dataset.name, files);
    setChecking(false);
  };
  return (
    <DropArea onDrop={({ files }) => void take([...files])}>
      <p>
        {dataset.archive
          ? 'Drop the archive or its files here (gzip is fine):'
          : 'Or drop the files here (gzip is fine):'}
      </p>
      <ul>
        {dataset.archive && <li>{dataset.archive}</li>}
        {dataset.files.map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
      <FileButton
        label={`Files of ${dataset.title}`}
        multiple
        obstacle={checking ? 'The files are being checked.' : undefined}
        onFiles={(files) => void take(files)}
      >
        {checking ? 'Checking the files…' : 'Choose files'}
      </FileButton>
    </DropArea>
  );
}

/** A place to drop files on. @param onDrop must read what it gets at once */
export function DropArea({ onDrop, children }: { onDrop(dropped: DataTransfer): void; children: ReactNode }) {
  const [over, setOver] = useState(false);
  return (
    <div
      className={`soft ${styles.drop}`}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrop(event.dataTransfer);
      }}
    >
      {children}
    </div>
  );
}

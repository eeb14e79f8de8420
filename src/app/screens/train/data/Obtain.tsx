import { useId, useRef, useState, type DragEvent } from 'react';
import type { FailureValue } from '../../../../base/result.ts';
import type { DatasetEntry } from '../../../../worker/api.ts';
import { tell } from '../../../client.ts';
import { Button } from '../../../components/Button.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { fetchDataset, importDataset } from '../../../datasets.ts';
import * as format from '../../../format.ts';
import { useApp } from '../../../state/store.ts';
import styles from './DataPanel.module.css';

/** Ways to a data set that is not here yet: a download, or the files from the person's own disk. */
export function Obtain({ dataset }: { dataset: DatasetEntry }) {
  const importError = useApp((state) => state.importErrors[dataset.name]);
  const { name, status } = dataset;
  if (status.state === 'downloading') {
    return <Progress name={name} received={status.receivedBytes} total={status.totalBytes} />;
  }
  return (
    <div className={styles.obtain}>
      {status.state === 'failed' && (
        <WhatWentWrong error={status.error} byHand={dataset.source !== undefined} />
      )}
      {dataset.source === undefined ? (
        <Button
          icon={status.state === 'failed' ? 'retry' : 'download'}
          kind="primary"
          onPress={() => void fetchDataset(name)}
        >
          {status.state === 'failed' ? 'Download again' : 'Download'}
          {dataset.shipped ? '' : ` (${format.bytes(dataset.bytes)})`}
        </Button>
      ) : (
        <ByHand dataset={dataset} source={dataset.source} />
      )}
      {importError && (
        <Notice kind="error" title="These files were not taken">
          <p>{importError.message}</p>
          {importError.advice && <p>{importError.advice}</p>}
        </Notice>
      )}
      {!dataset.shipped && <DropZone dataset={dataset} />}
    </div>
  );
}

/** For a data set that no page of another site may fetch. */
function ByHand({ dataset, source }: { dataset: DatasetEntry; source: string }) {
  return (
    <>
      <p>
        Its publisher lets no other page fetch it. Get {dataset.archive ?? 'its files'} (
        {format.bytes(dataset.bytes)}) from{' '}
        <a href={source} target="_blank" rel="noreferrer">
          {new URL(source).host}
        </a>{' '}
        and drop it below.
      </p>
      <Button onPress={() => void fetchDataset(dataset.name)}>Look for it on this server</Button>
    </>
  );
}

function WhatWentWrong({ error, byHand }: { error: FailureValue; byHand: boolean }) {
  if (byHand && error.code === 'download') {
    return (
      <Notice kind="error" title="This server does not have it">
        <p>{error.advice}</p>
      </Notice>
    );
  }
  const title: Partial<Record<FailureValue['code'], string>> = {
    checksum: 'The downloaded file is not the published one',
    download: 'The download did not arrive',
    storage: 'The browser would not keep the files',
  };
  const advice: Partial<Record<FailureValue['code'], string>> = {
    checksum:
      'Nothing of it was kept. Download again; if that fails too, bring the files from a source you trust.',
    download: 'Check the connection and download again, or bring the files yourself, below.',
    storage: 'Free some disk space, or leave private browsing, and download again.',
  };
  return (
    <Notice kind="error" title={title[error.code] ?? 'The data could not be read'}>
      <p>{advice[error.code] ?? error.advice}</p>
      <details>
        <summary>What happened</summary>
        <p>{error.message}</p>
        {advice[error.code] && <p>{error.advice}</p>}
      </details>
    </Notice>
  );
}

function Progress({ name, received, total }: { name: string; received: number; total: number }) {
  const id = useId();
  const known = total > 0;
  return (
    <div className={styles.progress}>
      <p>
        <label htmlFor={id}>Downloading</label>
        <br />
        <span className="numbers">
          {format.bytes(received)}
          {known && ` of ${format.bytes(total)}`}
        </span>
      </p>
      <progress id={id} max={known ? total : undefined} value={known ? received : undefined} />
      <Button icon="close" kind="quiet" onPress={() => void tell((api) => api.cancelDownload(name))}>
        Cancel
      </Button>
    </div>
  );
}

function DropZone({ dataset }: { dataset: DatasetEntry }) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [checking, setChecking] = useState(false);
  const take = async (files: FileList | null) => {
    if (!files || files.length === 0) return;
    setChecking(true);
    await importDataset(dataset.name, [...files]);
    setChecking(false);
  };
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files);
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
      onDrop={dropped}
    >
      <p>
        {dataset.archive
          ? 'Drop the archive here, or its files, gzipped or not:'
          : 'Or drop the files here, gzipped or not:'}
      </p>
      <ul>
        {dataset.archive && <li>{dataset.archive}</li>}
        {dataset.files.map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={`Files of ${dataset.title}`}
        onChange={(event) => {
          void take(event.target.files);
          // So that choosing the same files again, once mended, is a change.
          event.target.value = '';
        }}
      />
      <Button
        obstacle={checking ? 'The files are being checked.' : undefined}
        onPress={() => input.current?.click()}
      >
        {checking ? 'Checking the files…' : 'Choose files'}
      </Button>
    </div>
  );
}

import { useId, useState } from 'react';
import type { FailureValue } from '../../../base/result.ts';
import type { DatasetEntry } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import { Button } from '../../widgets/Button.tsx';
import { DropArea } from '../../widgets/DropArea.tsx';
import { FileButton } from '../../widgets/FileButton.tsx';
import { FailureNotice, Callout } from '../../widgets/Notice.tsx';
import { openDataDialog } from '../../data/dialogs.ts';
import { fetchDataset, importDataset } from '../../datasets.ts';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { data as texts } from '../../messages/en/data.tsx';
import styles from './Data.module.css';

/** How to get a data set that is not downloaded: from its publisher, or from the person's own disk. */
export function ObtainDataset({ dataset }: { dataset: DatasetEntry }) {
  const importError = useApp((state) => state.importErrors[dataset.name]);
  const { name, status } = dataset;
  if (status.state === 'downloading') {
    const { receivedBytes, totalBytes } = status;
    return (
      <Progress
        name={name}
        label={texts.obtain.downloading}
        done={receivedBytes}
        total={totalBytes}
        show={format.bytes}
      />
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
          {(status.state === 'failed' ? texts.obtain.retry : texts.obtain.download)(
            dataset.shipped ? undefined : format.bytes(dataset.bytes),
          )}
        </Button>
      ) : (
        <ByHand dataset={dataset} source={dataset.source} />
      )}
      {importError && <FailureNotice title={texts.obtain.notImported} error={importError} />}
      {!dataset.shipped && <DropZone dataset={dataset} />}
    </div>
  );
}

/** For a data set whose publisher does not let other pages fetch it (no CORS headers). */
function ByHand({ dataset, source }: { dataset: DatasetEntry; source: string }) {
  return (
    <>
      <p>
        {texts.obtain.byHand(
          dataset.archive,
          format.bytes(dataset.bytes),
          <a href={source} target="_blank" rel="noreferrer">
            {new URL(source).host}
          </a>,
        )}
      </p>
      <Button onPress={() => void fetchDataset(dataset.name)}>{texts.obtain.checkServer}</Button>
    </>
  );
}

function ObtainError({ error, byHand }: { error: FailureValue; byHand: boolean }) {
  if (byHand && error.code === 'download') {
    return (
      <Callout kind="error" title={texts.obtain.notHere}>
        <p>{error.advice}</p>
      </Callout>
    );
  }
  const title: Partial<Record<FailureValue['code'], string>> = {
    checksum: texts.obtain.checksum,
    download: texts.obtain.failed,
    storage: texts.obtain.noStorage,
  };
  const advice: Partial<Record<FailureValue['code'], string>> = {
    checksum: texts.obtain.checksumAdvice,
    download: texts.obtain.failedAdvice,
    storage: texts.obtain.noStorageAdvice,
  };
  return (
    <Callout
      kind="error"
      title={title[error.code] ?? texts.obtain.unreadable}
      actions={
        error.code === 'storage' && (
          <Button icon="trash" onPress={() => openDataDialog('storage')}>
            {texts.storage.title}
          </Button>
        )
      }
    >
      <p>{advice[error.code] ?? error.advice}</p>
      <details>
        <summary>{texts.obtain.details}</summary>
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
        {known ? texts.obtain.of(show(done), show(total)) : show(done)}
      </p>
      <progress id={id} max={known ? total : undefined} value={known ? done : undefined} />
      <Button icon="close" kind="quiet" onPress={() => void ask((api) => api.data.cancelDownload(name))}>
        {texts.obtain.cancel}
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
      <p>{dataset.archive ? texts.obtain.dropArchive : texts.obtain.drop}</p>
      <ul>
        {dataset.archive && <li>{dataset.archive}</li>}
        {dataset.files.map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
      <FileButton
        label={texts.obtain.filesOf(dataset.title)}
        multiple
        obstacle={checking ? texts.obtain.checkingFiles : undefined}
        onFiles={(files) => void take(files)}
      >
        {checking ? texts.obtain.checking : texts.obtain.choose}
      </FileButton>
    </DropArea>
  );
}

import { useEffect, useRef, useState } from 'react';
import type { DatasetEntry, FoundSet, GivenFile, OwnReport, OwnRequest } from '../../../worker/api.ts';
import { glideTo } from '../../components/glide.ts';
import { Button } from '../../widgets/Button.tsx';
import { FileButton } from '../../widgets/FileButton.tsx';
import { FailureNotice, Callout } from '../../widgets/Notice.tsx';
import { openDataDialog } from '../../data/dialogs.ts';
import { takeOwn, understandOwn } from '../../datasets.ts';
import { droppedFiles } from '../../files.ts';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { startFromWhatSuits } from '../../finetune/start-from.ts';
import { StartFrom } from '../../finetune/StartFrom.tsx';
import { data as texts } from '../../messages/en/data.tsx';
import { ImportReview } from './ImportReview.tsx';
import { DropArea } from '../../widgets/DropArea.tsx';
import { Progress } from './ObtainDataset.tsx';
import styles from './Data.module.css';

interface OwnImagesProps {
  dataset: DatasetEntry;
  /** True while a run uses the data set. */
  locked: boolean;
}

/** Files that were given, and what they are, once that is known. */
interface Given {
  request: Pick<OwnRequest, 'files' | 'from'>;
  set?: FoundSet;
}

/** Importing a person's own images, and the report of what was imported. */
export function OwnImages({ dataset, locked }: OwnImagesProps) {
  const { status } = dataset;
  const error = useApp((state) => state.importErrors[dataset.name]);
  const [report, setReport] = useState<OwnReport>();
  const [given, setGiven] = useState<Given>();
  const found = async (files: readonly GivenFile[]) => {
    if (files.length === 0) return;
    const [first] = files[0].path.split('/');
    const from = files.every(({ path }) => path.split('/')[0] === first) ? first : texts.own.severalFolders;
    const request = { files: [...files], from };
    setReport(undefined);
    setGiven({ request });
    const set = await understandOwn(request);
    setGiven(set && { request, set });
  };
  const take = async (request: OwnRequest) => {
    setGiven(undefined);
    const taken = await takeOwn(request);
    if (taken) startFromWhatSuits();
    setReport(taken);
  };
  if (status.state === 'reading') {
    const { done, total } = status;
    return (
      <Progress name={dataset.name} label={texts.own.reading} done={done} total={total} show={format.count} />
    );
  }
  return (
    <div className={`stack ${styles.obtain}`}>
      {error && <FailureNotice title={texts.own.failed} error={error} />}
      {status.state === 'failed' && (
        <Callout kind="error" title={texts.own.gone}>
          <p>{status.error.message}</p>
        </Callout>
      )}
      {report && <Report report={report} />}
      {status.state === 'ready' && <StartFrom />}
      {given && !given.set && <p className="soft">{texts.own.looking}</p>}
      {given?.set && (
        <ImportReview
          request={given.request}
          set={given.set}
          onUse={(request) => void take(request)}
          onCancel={() => setGiven(undefined)}
        />
      )}
      {!locked && !given && (
        <>
          <Button icon="camera" kind="primary" onPress={() => openDataDialog('pictures')}>
            {texts.own.take}
          </Button>
          <DropZone onFiles={(files) => void found(files)} again={status.state === 'ready'} />
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
      <p>{texts.own.drop(again)}</p>
      {CHOOSES_FOLDERS && (
        <FileButton label={texts.own.folderLabel} folder onFiles={chosen}>
          {texts.own.folder}
        </FileButton>
      )}{' '}
      <FileButton label={texts.own.zipLabel} multiple onFiles={chosen}>
        {texts.own.zip}
      </FileButton>
    </DropArea>
  );
}

/** Below the images, it would often be out of view: it comes to the middle, with what the next run starts from below it. */
function Report({ report: { counts, skipped, more } }: { report: OwnReport }) {
  const images = counts.reduce((sum, one) => sum + one.images, 0);
  const left = skipped.length + more;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => glideTo(place.current, 'center'), []);
  return (
    <div ref={place}>
      <Callout kind="info" title={texts.own.imported(images, counts.length)}>
        <p>{counts.map(({ name, images: of }) => `${name}: ${format.count(of)}`).join(', ')}</p>
        {left > 0 && (
          <details>
            <summary>{texts.own.skipped(left)}</summary>
            <ul>
              {skipped.map(({ path, reason }) => (
                <li key={path}>
                  {path} {reason}
                </li>
              ))}
              {more > 0 && <li>{texts.own.more(more)}</li>}
            </ul>
          </details>
        )}
      </Callout>
    </div>
  );
}

import { useState } from 'react';
import { ask } from '../client.ts';
import { Button } from '../widgets/Button.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { FailureNotice } from '../widgets/Notice.tsx';
import { useAnswer } from '../components/use-answer.ts';
import { removeDataset } from '../datasets.ts';
import * as format from '../format.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp } from '../state/store.ts';
import type { DatasetEntry, StorageUse } from '../../worker/api.ts';
import type { FailureValue } from '../../base/result.ts';
import { data as texts } from '../messages/en/data.tsx';
import styles from './Data.module.css';

/** What the saved data sets take of the browser's storage, and how to get rid of them. */
export function Storage({ onClose }: { onClose(): void }) {
  const [version, setVersion] = useState(0);
  const [error, setError] = useState<FailureValue>();
  const answer = useAnswer(String(version), () => ask((api) => api.data.storage()));
  const [use, setUse] = useState<StorageUse>();
  if (answer?.ok && answer.value !== use) setUse(answer.value);
  const remove = async (name: string) => {
    const removed = await removeDataset(name);
    setError(removed.ok ? undefined : removed.error);
    setVersion(version + 1);
  };
  const failed = error ?? (answer && !answer.ok ? answer.error : undefined);
  return (
    <Dialog title={texts.storage.title} explanation={texts.storage.explanation} onClose={onClose}>
      {failed && <FailureNotice title={texts.storage.refused} error={failed} />}
      {use ? (
        <Saved use={use} onRemove={(name) => void remove(name)} />
      ) : (
        <p className="faint">{texts.storage.measuring}</p>
      )}
    </Dialog>
  );
}

function Saved({ use, onRemove }: { use: StorageUse; onRemove(name: string): void }) {
  const datasets = useApp((state) => state.datasets);
  const { usage, quota } = use;
  const saved = use.datasets.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <div className="stack">
      {use.datasets.length === 0 && <p>{texts.storage.none}</p>}
      <ul className={styles.saved}>
        {use.datasets.map(({ name, bytes }) => {
          const dataset = datasets.find((one) => one.name === name);
          return (
            dataset && <SavedSet key={name} dataset={dataset} bytes={bytes} onRemove={() => onRemove(name)} />
          );
        })}
      </ul>
      {usage !== undefined && (
        <p className="soft">
          {usage > saved && texts.storage.others(format.bytes(usage - saved))}
          {quota !== undefined && texts.storage.quota(format.bytes(quota))}
        </p>
      )}
      <p className="soft">{texts.storage.runs}</p>
    </div>
  );
}

interface SavedSetProps {
  dataset: DatasetEntry;
  bytes: number;
  onRemove(): void;
}

function SavedSet({ dataset, bytes, onRemove }: SavedSetProps) {
  const { name, title, own } = dataset;
  const used = useApp(({ runState, runConfig }) => runIsOpen(runState) && runConfig?.dataset === name);
  // Own images exist nowhere else.
  const [asking, setAsking] = useState(false);
  return (
    <li className={`spread ${styles.savedSet}`}>
      <span>
        <b>{title}</b> <span className="soft numbers">{format.bytes(bytes)}</span>
      </span>
      <span className="row">
        {asking && (
          <Button kind="quiet" onPress={() => setAsking(false)}>
            {texts.storage.keep}
          </Button>
        )}
        <Button
          icon="trash"
          obstacle={used ? texts.storage.used : undefined}
          onPress={() => (own && !asking ? setAsking(true) : onRemove())}
        >
          {asking ? texts.storage.removeForGood : texts.storage.remove}
          <span className="unseen"> {title}</span>
        </Button>
      </span>
    </li>
  );
}

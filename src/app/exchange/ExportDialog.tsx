import { useState } from 'react';
import type { FailureValue } from '../../base/result.ts';
import type { ExportFormatEntry, ExportOffer, ExportSource } from '../../worker/api.ts';
import { ask } from '../client.ts';
import { Button } from '../widgets/Button.tsx';
import { Choice } from '../widgets/Choice.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { FailureNotice } from '../widgets/Notice.tsx';
import { useAnswer } from '../components/use-answer.ts';
import { download } from '../download.ts';
import * as format from '../format.ts';
import { exchange as texts } from '../messages/en/exchange.tsx';
import styles from './Exchange.module.css';

/** Something to export, with the words for choosing it. */
export interface ExportSubject {
  title: string;
  source: ExportSource;
}

interface ExportDialogProps {
  /** What can be exported, the first one at first. */
  subjects: readonly ExportSubject[];
  onClose(): void;
}

/** Writes a network in a format of another program, and downloads it. */
export function ExportDialog({ subjects, onClose }: ExportDialogProps) {
  const [chosen, setChosen] = useState(0);
  const [fold, setFold] = useState(false);
  const [normalise, setNormalise] = useState(true);
  const { source } = subjects[chosen];
  const answer = useAnswer(JSON.stringify(source), () => ask((api) => api.exchange.exportOffer(source)));
  const offer = answer?.ok ? answer.value : undefined;
  return (
    <Dialog title={texts.export.title} explanation={texts.export.explanation} onClose={onClose}>
      {answer && !answer.ok && <FailureNotice title={texts.export.nothing} error={answer.error} />}
      {subjects.length > 1 && (
        <div className={styles.options}>
          <Choice
            label={texts.export.weights}
            value={String(chosen)}
            options={Object.fromEntries(subjects.map(({ title }, i) => [String(i), title]))}
            onChange={(value) => setChosen(Number(value))}
          />
        </div>
      )}
      {offer && (
        <>
          <p className="soft">{format.prose(about(offer))}</p>
          <div className={styles.options}>
            {offer.normalised && (
              <label title={texts.export.normaliseTitle}>
                <input
                  type="checkbox"
                  checked={normalise}
                  onChange={({ target }) => setNormalise(target.checked)}
                />
                {texts.export.normalise}
              </label>
            )}
            {offer.folds && (
              <label title={texts.export.foldTitle}>
                <input type="checkbox" checked={fold} onChange={({ target }) => setFold(target.checked)} />
                {texts.export.fold}
              </label>
            )}
          </div>
          <ul className={styles.formats}>
            {offer.formats.map((entry) => (
              <Format
                key={entry.name}
                entry={entry}
                source={source}
                choice={{ fold: fold && offer.folds, normalise }}
              />
            ))}
          </ul>
        </>
      )}
      {!answer && <p className="faint">{texts.export.reading}</p>}
    </Dialog>
  );
}

/** "LeNet-5, 61,706 parameters, 247 kB, after 400 steps" */
const about = ({ model, parameters, step }: ExportOffer): string =>
  texts.export.about(model, parameters, format.bytes(4 * parameters), step);

interface FormatProps {
  entry: ExportFormatEntry;
  source: ExportSource;
  choice: { fold: boolean; normalise: boolean };
}

function Format({ entry: { name, title, summary }, source, choice }: FormatProps) {
  const [writing, setWriting] = useState(false);
  const [error, setError] = useState<FailureValue>();
  const [said, setSaid] = useState('');
  const write = async () => {
    setWriting(true);
    const answer = await ask((api) => api.exchange.exportNetwork(source, { ...choice, format: name }));
    setWriting(false);
    setError(answer.ok ? undefined : answer.error);
    setSaid('');
    if (!answer.ok) return;
    const { file, bytes, notes } = answer.value;
    download(file, 'application/octet-stream', bytes);
    setSaid(format.prose([`${file}, ${format.bytes(bytes.length)}.`, ...notes].join(' ')));
  };
  return (
    <li>
      <h3>{title}</h3>
      <p className="soft">{summary}</p>
      <Button
        icon="download"
        obstacle={writing ? texts.export.isWritten : undefined}
        onPress={() => void write()}
      >
        {writing ? texts.export.writing : texts.export.download} <span className="unseen">{title}</span>
      </Button>
      <p role="status" className="fine">
        {said}
      </p>
      {error && (
        <FailureNotice
          kind="warning"
          title={texts.export.misfit(title)}
          error={error}
          onDismiss={() => setError(undefined)}
        />
      )}
    </li>
  );
}

import { useState } from 'react';
import type { FailureValue, Result } from '../../base/result.ts';
import type { AssumedField, MatchRow, NetworkReport } from '../../worker/api.ts';
import { ask } from '../client.ts';
import { Button } from '../widgets/Button.tsx';
import { DataTable } from '../widgets/DataTable.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { FailureNotice } from '../widgets/Notice.tsx';
import { Select } from '../widgets/Select.tsx';
import { useAnswer } from '../components/use-answer.ts';
import * as format from '../format.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp } from '../state/store.ts';
import { exchange as texts } from '../messages/en/exchange.tsx';
import { Assumed } from './Assumed.tsx';
import { Check } from './Check.tsx';
import styles from './Exchange.module.css';
import { openInBuild, predictWith, trainOn } from './imported.ts';

interface ImportDialogProps {
  /** Chosen or dropped together. */
  files: readonly File[];
  onClose(): void;
}

/** The choice of a network that follows from the weights. */
const INFERRED = ' inferred';

type AssumedValues = Partial<Record<AssumedField['name'], string>>;

/** The network of files, read with the model and the assumptions that are chosen, and which of these can be. */
function useNetwork(files: readonly File[]) {
  const [model, setModel] = useState('');
  const [assumed, setAssumed] = useState<AssumedValues>({});
  const [fields, setFields] = useState<NetworkReport['assumed']>();
  const given = files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  const key = JSON.stringify([
    model,
    assumed,
    given.map(({ path, file }) => [path, file.size, file.lastModified]),
  ]);
  const answer = useAnswer(key, () =>
    ask((api) =>
      model === INFERRED
        ? api.exchange.readNetwork(given, undefined, assumed)
        : api.exchange.readNetwork(given, model || undefined),
    ),
  );
  const report = answer?.ok ? answer.value : undefined;
  const error = answer && !answer.ok ? answer.error : undefined;
  // They stay while one of them is wrong.
  if (report && report.assumed !== fields) setFields(report.assumed);
  return {
    key,
    report,
    error,
    isReading: !answer,
    model,
    // Only weights are matched with a model.
    asksForModel:
      model !== '' ||
      error?.code === 'bad-input' ||
      fields !== undefined ||
      (report?.matches.length ?? 0) > 0,
    fields: fields?.map((field) => ({ ...field, value: assumed[field.name] ?? field.value })),
    choose(name: string) {
      setModel(name);
      setAssumed({});
    },
    assume(name: AssumedField['name'], value: string) {
      setModel(INFERRED);
      setAssumed({ ...assumed, [name]: value });
    },
  };
}

/** What a file of another program contains, and what to do with it. Whatever is chosen keeps it among the runs. */
export function ImportDialog({ files, onClose }: ImportDialogProps) {
  const network = useNetwork(files);
  const [error, setError] = useState<FailureValue>();
  const { report, asksForModel } = network;
  const failure = error ?? network.error;
  const act = async (work: (report: NetworkReport) => Promise<Result<void>>) => {
    if (!report) return;
    const done = await work(report);
    if (done.ok) onClose();
    else setError(done.error);
  };
  return (
    <Dialog
      title={texts.import.title(report?.file ?? files[0].name)}
      explanation={texts.import.explanation}
      onClose={onClose}
      actions={<Actions isRead={report !== undefined} onAct={(work) => void act(work)} />}
    >
      {failure && <FailureNotice title={texts.import.failed} error={failure} />}
      {asksForModel && <ModelChoiceField value={network.model} onChange={network.choose} />}
      {network.fields && <Assumed fields={network.fields} onChange={network.assume} />}
      {asksForModel && report && <Check key={network.key} {...report} />}
      {network.isReading && <p className="faint">{texts.import.reading}</p>}
      {report && <Report report={report} />}
    </Dialog>
  );
}

interface ActionsProps {
  isRead: boolean;
  onAct(work: (report: NetworkReport) => Promise<Result<void>>): void;
}

function Actions({ isRead, onAct }: ActionsProps) {
  const open = useApp((state) => runIsOpen(state.runState));
  const obstacle = isRead ? undefined : texts.import.noNetwork;
  return (
    <>
      <Button icon="lens" obstacle={obstacle} onPress={() => onAct(predictWith)}>
        {texts.import.predict}
      </Button>
      <Button icon="blocks" obstacle={obstacle} onPress={() => onAct(openInBuild)}>
        {texts.import.build}
      </Button>
      <Button
        icon="play"
        kind="primary"
        obstacle={obstacle ?? (open ? texts.import.stopFirst : undefined)}
        title={texts.import.trainTitle}
        onPress={() => onAct(trainOn)}
      >
        {texts.import.train}
      </Button>
    </>
  );
}

/** Which network files with nothing but weights are of. */
function ModelChoiceField({ value, onChange }: { value: string; onChange(name: string): void }) {
  const models = useApp((state) => state.models);
  return (
    <div className={styles.options}>
      <Select
        look="beside"
        label={texts.import.model}
        value={value}
        options={[
          { value: '', title: texts.import.anyModel },
          { value: INFERRED, title: texts.import.inferred },
          ...models.map(({ name, title }) => ({ value: name, title })),
        ]}
        onChange={onChange}
      />
    </div>
  );
}

function Report({ report: { model, layers, parameters, matches, notes } }: { report: NetworkReport }) {
  return (
    <div className="stack">
      <p>
        <strong>{model.title}</strong>
        {texts.import.about(format.shape(model.input), model.classes, layers.length, parameters)}
      </p>
      {matches.length > 0 && <p className="soft">{takenText(matches)}</p>}
      {notes.map((note) => (
        <p key={note} className="soft">
          {note}
        </p>
      ))}
      {matches.length > 0 ? (
        <DataTable
          caption={texts.import.tensors}
          region={texts.import.tensors}
          frame={styles.table}
          rows={[...matches.filter(isNew), ...matches.filter((row) => !isNew(row))]}
          keyOf={({ name }) => name}
          row={(row) => ({ 'data-new': isNew(row) || undefined })}
          columns={[
            { title: texts.import.tensor, render: ({ name }) => name },
            { title: texts.import.inModel, render: ({ shape }) => (shape ? format.shape(shape) : '–') },
            { title: texts.import.inFile, render: ({ found }) => (found ? format.shape(found) : '–') },
            { title: texts.import.status, render: ({ status }) => texts.import.statusOf[status] },
          ]}
        />
      ) : (
        <DataTable
          caption={texts.import.layers}
          region={texts.import.layers}
          frame={styles.table}
          rows={layers}
          keyOf={({ name }) => name}
          columns={[
            { title: texts.import.layer, render: ({ name }) => name },
            { title: texts.import.kind, render: ({ op }) => op },
            { title: texts.import.output, render: ({ output }) => format.shape(output) },
            {
              title: texts.import.parameters,
              render: (layer) => layer.parameters > 0 && format.count(layer.parameters),
            },
          ]}
        />
      )}
    </div>
  );
}

const isNew = ({ status }: MatchRow): boolean => status !== 'taken';

/** "60 of 63 tensors of the model are in the file." */
function takenText(rows: readonly MatchRow[]): string {
  const own = rows.filter(({ status }) => status !== 'not in the model');
  const taken = rows.length - rows.filter(isNew).length;
  return texts.import.taken(taken, own.length);
}

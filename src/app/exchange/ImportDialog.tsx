import { useState } from 'react';
import type { FailureValue, Result } from '../../base/result.ts';
import type { MatchRow, NetworkReport } from '../../worker/api.ts';
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
import styles from './Exchange.module.css';
import { openInBuild, predictWith, trainOn } from './imported.ts';

interface ImportDialogProps {
  /** Chosen or dropped together. */
  files: readonly File[];
  onClose(): void;
}

/** What a file of another program contains, and what to do with it. Whatever is chosen keeps it among the runs. */
export function ImportDialog({ files, onClose }: ImportDialogProps) {
  const models = useApp((state) => state.models);
  const [model, setModel] = useState('');
  const [error, setError] = useState<FailureValue>();
  const open = useApp((state) => runIsOpen(state.runState));
  const given = files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  const key = JSON.stringify([model, given.map(({ path, file }) => [path, file.size, file.lastModified])]);
  const answer = useAnswer(key, () => ask((api) => api.readNetwork(given, model || undefined)));
  const report = answer?.ok ? answer.value : undefined;
  const failure = error ?? (answer && !answer.ok ? answer.error : undefined);
  const act = (work: () => Promise<Result<void>>) => async () => {
    const done = await work();
    if (done.ok) onClose();
    else setError(done.error);
  };
  const obstacle = !report ? 'There is no network yet.' : undefined;
  // Only weights are matched with a model.
  const asks = model !== '' || failure?.code === 'bad-input' || (report?.matches.length ?? 0) > 0;
  return (
    <Dialog
      title={`Import ${report?.file ?? files[0].name}`}
      explanation="A network from another program, read on your device. Each choice below also saves it among your runs."
      onClose={onClose}
      actions={
        <>
          <Button icon="lens" obstacle={obstacle} onPress={() => void act(predictWith)()}>
            Predict
          </Button>
          <Button
            icon="blocks"
            obstacle={obstacle}
            onPress={() => report && void act(() => openInBuild(report.model))()}
          >
            Open in Build
          </Button>
          <Button
            icon="play"
            kind="primary"
            obstacle={obstacle ?? (open ? 'Stop the current run first.' : undefined)}
            title="Start a run from these weights"
            onPress={() => void act(trainOn)()}
          >
            Train further
          </Button>
        </>
      }
    >
      {failure && <FailureNotice title="Not imported" error={failure} />}
      {asks && (
        <div className={styles.options}>
          <Select
            look="beside"
            label="Model"
            value={model}
            options={[
              { value: '', title: 'Whichever fits' },
              ...models.map(({ name, title }) => ({ value: name, title })),
            ]}
            onChange={setModel}
          />
        </div>
      )}
      {!answer && <p className="faint">Reading…</p>}
      {report && <Report report={report} />}
    </Dialog>
  );
}

function Report({ report: { model, layers, parameters, matches, notes } }: { report: NetworkReport }) {
  return (
    <div className="stack">
      <p>
        <strong>{model.title}</strong>: images of {format.shape(model.input)}, {format.count(model.classes)}{' '}
        classes, {layers.length} layers, {format.count(parameters)} parameters.
      </p>
      {matches.length > 0 && <p className="soft">{takenText(matches)}</p>}
      {notes.map((note) => (
        <p key={note} className="soft">
          {note}
        </p>
      ))}
      {matches.length > 0 ? (
        <DataTable
          caption="The tensors"
          frame={styles.table}
          rows={[...matches.filter(isNew), ...matches.filter((row) => !isNew(row))]}
          keyOf={({ name }) => name}
          row={(row) => ({ 'data-new': isNew(row) || undefined })}
          columns={[
            { title: 'Tensor', render: ({ name }) => name },
            { title: 'In the model', render: ({ shape }) => (shape ? format.shape(shape) : '–') },
            { title: 'In the file', render: ({ found }) => (found ? format.shape(found) : '–') },
            { title: 'Status', render: ({ status }) => STATUS[status] },
          ]}
        />
      ) : (
        <DataTable
          caption="The layers"
          frame={styles.table}
          rows={layers}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Layer', render: ({ name }) => name },
            { title: 'Kind', render: ({ op }) => op },
            { title: 'Output', render: ({ output }) => format.shape(output) },
            {
              title: 'Parameters',
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
  return `${format.count(taken)} of ${format.count(own.length)} tensors of the model are in the file.`;
}

/** What becomes of a tensor. */
const STATUS: Readonly<Record<MatchRow['status'], string>> = {
  taken: 'loaded',
  'other shape': 'other shape: initial values',
  missing: 'not in the file: initial values',
  'not in the model': 'not in the model: ignored',
};

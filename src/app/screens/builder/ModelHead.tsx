import { useId, useState, type ChangeEvent } from 'react';
import type { FailureValue } from '../../../base/result.ts';
import { chosenDataset } from '../../actions/start.ts';
import { ask } from '../../client.ts';
import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { beginWith, edit, emptyModel, focusRow, replaceModel, useBuild } from './build-store.ts';
import { MemoryTotal } from './MemoryTotal.tsx';
import styles from './ModelHead.module.css';
import { TimeAStep } from './TimeAStep.tsx';
import { costsOf, useBatchSize, useKnown, useModel } from './use-known.ts';
import { amount } from './words.ts';

/** Which model it is, what to begin with, and what it costs in all. */
export function ModelHead() {
  const name = useId();
  const model = useModel();
  const [error, setError] = useState<FailureValue>();
  return (
    <section className={styles.head} aria-label="Model">
      <div className={styles.row}>
        <div className={styles.name}>
          <label htmlFor={name}>Name</label>
          <input
            id={name}
            type="text"
            maxLength={60}
            autoComplete="off"
            value={model.title}
            onChange={({ target: { value } }) =>
              edit({ ...model, title: value, name: nameOf(value) }, { say: '', merge: 'title' })
            }
          />
        </div>
        <Presets />
        <OpenFile onError={setError} />
        <TimeAStep />
      </div>
      {error && (
        <Notice
          kind="error"
          title="This file is no model"
          actions={
            <Button kind="quiet" onPress={() => setError(undefined)}>
              Leave it
            </Button>
          }
        >
          <p>{error.message}</p>
          {error.advice && <p>{error.advice}</p>}
        </Notice>
      )}
      <Totals />
    </section>
  );
}

/** What files and runs call it: "My model" is "my-model". */
const nameOf = (title: string): string => {
  const name = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' || name in {} ? 'my-model' : name;
};

/** A list and a button: in some browsers, arrow keys choose from a closed list, one entry after the other. */
function Presets() {
  const id = useId();
  const [chosen, setChosen] = useState(EMPTY);
  const presets = useBuild((state) => state.catalogue?.presets) ?? [];
  const dataset = useApp(chosenDataset);
  const families = [...new Set(presets.map(({ family = 'Others' }) => family))];
  const start = () => {
    const preset = presets.find(({ name }) => name === chosen);
    if (preset) beginWith(preset);
    else replaceModel(emptyModel(dataset), 'An empty model. Undo brings back what was before.');
    focusRow();
  };
  return (
    <div className={styles.presets}>
      <label htmlFor={id}>Begin with</label>
      <div>
        <select id={id} value={chosen} onChange={({ target: { value } }) => setChosen(value)}>
          <option value={EMPTY}>Empty model</option>
          {families.map((family) => (
            <optgroup key={family} label={family}>
              {presets
                .filter((one) => (one.family ?? 'Others') === family)
                .map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.title}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
        <Button title="Undo brings back what is here now" onPress={start}>
          Begin
        </Button>
      </div>
    </div>
  );
}

const EMPTY = ' empty';

function OpenFile({ onError }: { onError(error: FailureValue | undefined): void }) {
  const id = useId();
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    // So that the same file can be chosen again once it is mended.
    event.target.value = '';
    if (file) void openModel(file, onError);
  };
  return (
    <div className={styles.file}>
      <input id={id} className="unseen" type="file" accept=".json,application/json" onChange={choose} />
      <label htmlFor={id}>Open a file …</label>
    </div>
  );
}

/** Reads a model's file, chosen or dropped; a wrong one leaves the model as it is. */
export async function openModel(
  file: File,
  onError: (error: FailureValue | undefined) => void,
): Promise<void> {
  const text = await file.text();
  const answer = await ask((api) => api.readModel(file.name, text));
  if (!answer.ok) {
    onError(answer.error);
    return;
  }
  onError(undefined);
  replaceModel(answer.value, `${answer.value.title} is here.`);
  focusRow();
}

function Totals() {
  const model = useModel();
  const known = useKnown();
  const batch = useBatchSize();
  const { layers } = model;
  const costs = costsOf(model, known, { first: 0, last: layers.length - 1 });
  const wrong = known.mistakes.filter(({ unfinished }) => !unfinished).length;
  const unfinished = known.mistakes.length > wrong;
  return (
    <dl className={styles.totals}>
      <div>
        <dt>Layers</dt>
        <dd>{layers.length}</dd>
      </div>
      <div>
        <dt>Parameters</dt>
        <dd>{format.count(costs.parameters)}</dd>
      </div>
      <div title="Of convolutions and fully connected layers, forward, for one image">
        <dt>Multiply-adds an image</dt>
        <dd>{amount(costs.multiplyAdds)}</dd>
      </div>
      <MemoryTotal activations={batch * costs.activationBytes} />
      <div data-state={wrong > 0 ? 'wrong' : unfinished ? 'unfinished' : 'right'}>
        <dt>Shapes</dt>
        <dd>
          <span role="status">
            {wrong > 0
              ? `${wrong} ${wrong === 1 ? 'mistake' : 'mistakes'}`
              : unfinished
                ? 'not finished'
                : 'all fit'}
          </span>
        </dd>
      </div>
    </dl>
  );
}

import { useState, type ReactNode } from 'react';
import type { RunConfig } from '../../../worker/api.ts';
import { stopGpuTask } from '../../actions/actions.ts';
import { chosenDataset, chosenSettings } from '../../actions/start.ts';
import { ask } from '../../client.ts';
import { Button } from '../../widgets/Button.tsx';
import { FileButton } from '../../widgets/FileButton.tsx';
import { Labelled } from '../../widgets/Labelled.tsx';
import { Select } from '../../widgets/Select.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import { NETWORK_FILES } from '../../exchange/files.ts';
import * as format from '../../format.ts';
import { useApp } from '../../state/store.ts';
import { obstacleToMeasuring } from '../../measured-run.ts';
import { profileStep, useProfile } from '../../profile-store.ts';
import { VERBS } from '../verbs.ts';
import styles from './Build.module.css';
import { edit, emptyModel, focusRow, openFiles, replaceModel, startFrom, useBuild } from './build-store.ts';
import { costsOf, datasetFor, useBatchSize, useKnown, useModel } from './use-known.ts';
import { amount } from './words.ts';

/** The model's name, models to start from, and its costs in total. */
export function ModelHead() {
  const model = useModel();
  return (
    <section className={styles.head} aria-label="Model">
      <div className={`row ${styles.starts}`}>
        <Labelled look="above" label="Name">
          {(described) => (
            <input
              {...described}
              type="text"
              maxLength={60}
              autoComplete="off"
              value={model.title}
              onChange={({ target: { value } }) =>
                edit({ ...model, title: value, name: nameOf(value) }, { say: '', merge: 'title' })
              }
            />
          )}
        </Labelled>
        <Presets />
        <OpenFile />
      </div>
      <div className={`row ${styles.costs}`}>
        <Totals />
        <ProfileStep />
      </div>
    </section>
  );
}

/** The name in files and runs: "my-model" for "My model". */
const nameOf = (title: string): string => {
  const name = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' || name in {} ? 'my-model' : name;
};

/** A list with a button: in some browsers, arrow keys select from a closed list one entry at a time. */
function Presets() {
  const [chosen, setChosen] = useState(EMPTY);
  const presets = useBuild((state) => state.catalogue?.presets) ?? [];
  const dataset = useApp(chosenDataset);
  const families = [...new Set(presets.map(({ family = 'Others' }) => family))];
  const start = () => {
    const preset = presets.find(({ name }) => name === chosen);
    if (preset) startFrom(preset);
    else replaceModel(emptyModel(dataset), 'Empty model loaded. Undo to restore the previous one.');
    focusRow();
  };
  return (
    <Select
      look="above"
      label="Start from"
      value={chosen}
      options={[
        { value: EMPTY, title: 'Empty model' },
        ...families.flatMap((group) =>
          presets
            .filter(({ family = 'Others' }) => family === group)
            .map(({ name, title }) => ({ value: name, title, group })),
        ),
      ]}
      beside={
        <Button title="Replaces the current model. You can undo this." onPress={start}>
          Load
        </Button>
      }
      onChange={setChosen}
    />
  );
}

const EMPTY = ' empty';

const OpenFile = () => (
  <FileButton
    verb={VERBS.openModel}
    label="Model file"
    accept={NETWORK_FILES}
    multiple
    onFiles={(files) => void openFiles(files)}
  />
);

function Totals() {
  const model = useModel();
  const known = useKnown();
  const batch = useBatchSize();
  const { layers } = model;
  const costs = costsOf(model, known, { first: 0, last: layers.length - 1 });
  const invalid = known.errors.filter(({ incomplete }) => !incomplete).length;
  const state = invalid > 0 ? 'error' : known.errors.length > 0 ? 'incomplete' : 'valid';
  return (
    <dl className={styles.totals}>
      <Total name="Layers">{layers.length}</Total>
      <Total name="Parameters">{invalid > 0 ? '–' : format.count(costs.parameters)}</Total>
      <Total name="MACs per image" title="Forward-pass MACs of convolutions and fully connected layers">
        {invalid > 0 ? '–' : amount(costs.multiplyAdds)}
      </Total>
      <MemoryTotal activations={batch * costs.activationBytes} />
      <Total name="Shapes" state={state}>
        <span role="status">
          {state === 'error' ? `${invalid} ${invalid === 1 ? 'error' : 'errors'}` : state}
        </span>
      </Total>
    </dl>
  );
}

interface TotalProps {
  name: string;
  title?: string;
  state?: 'valid' | 'error' | 'incomplete';
  children: ReactNode;
}

const Total = ({ name, title, state, children }: TotalProps) => (
  <div title={title} data-state={state}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** The GPU memory that training needs. While the model has errors, the activations of its valid layers. */
function MemoryTotal({ activations }: { activations: number }) {
  const model = useModel();
  const batch = useBatchSize();
  const { errors, current } = useKnown();
  const asked = useApp((state) => {
    const dataset = datasetFor(state, model);
    const { config } = chosenSettings(state);
    if (state.device !== 'ready' || !config || !dataset) return undefined;
    return JSON.stringify({ ...config, dataset: dataset.name });
  });
  const whole = asked !== undefined && current && errors.length === 0 && model.layers.length > 0;
  const answer = useAnswer(whole ? `${asked} ${JSON.stringify(model.layers)}` : undefined, () =>
    ask((api) => api.memory({ ...(JSON.parse(asked ?? '{}') as RunConfig), model })),
  );
  const memory = answer?.ok ? answer.value : undefined;
  if (!memory) {
    return (
      <Total name={`Activations, batch ${batch}`} title="Activations of all layers for one batch">
        {activations === 0 ? '–' : format.memory(activations)}
      </Total>
    );
  }
  const name = `Memory, batch ${batch}`;
  return memory.fits ? (
    <Total name={name} title="Total: parameters, gradients, optimiser state, activations, data and buffers">
      {format.memory(memory.bytes)} <small>activations: {format.memory(memory.kinds.activations)}</small>
    </Total>
  ) : (
    <Total name={name} state="error">
      exceeds memory
      <small>
        {memory.largestBatch === undefined
          ? 'Not even one image fits.'
          : `Largest batch size that fits: ${memory.largestBatch}.`}
      </small>
    </Total>
  );
}

/** Profiles a training step of the model, so that the list shows the time of every layer. */
function ProfileStep() {
  const model = useModel();
  const { errors } = useKnown();
  const busy = useProfile((state) => state.progress !== undefined);
  const share = useProfile((state) => state.progress?.share ?? 0);
  const error = useProfile((state) => state.error);
  const device = useApp((state) => obstacleToMeasuring(state, chosenSettings(state).config));
  const measure = () => {
    const state = useApp.getState();
    const { config } = chosenSettings(state);
    const dataset = datasetFor(state, model);
    if (config && dataset) void profileStep({ ...config, model, dataset: dataset.name });
  };
  if (busy) {
    return (
      <Button icon="stop" onPress={() => void stopGpuTask()}>
        Stop profiling, {format.percent(share, 0)}
      </Button>
    );
  }
  return (
    <>
      <Button
        icon="clock"
        title="Measure a training step layer by layer. Training pauses until it is done."
        obstacle={errors.length > 0 ? 'The model is incomplete or has an error.' : device}
        onPress={measure}
      >
        Profile a step
      </Button>
      {error && (
        <p className={styles.problem} role="alert">
          {error.message}
        </p>
      )}
    </>
  );
}

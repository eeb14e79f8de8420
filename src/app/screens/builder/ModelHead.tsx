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
import { profileStep, useProfile } from '../../state/profile-store.ts';
import { build as texts } from '../../messages/en/build.tsx';
import { VERBS } from '../verbs.ts';
import styles from './Build.module.css';
import { edit, emptyModel, focusRow, openFiles, replaceModel, startFrom, useBuild } from './build-store.ts';
import { costsOf, datasetFor, useBatchSize, useKnown, useModel } from './use-known.ts';
import { amount } from './words.ts';

/** The model's name, models to start from, and its costs in total. */
export function ModelHead() {
  const model = useModel();
  return (
    <section className={styles.head} aria-label={texts.head.model}>
      <div className={`row ${styles.starts}`}>
        <Labelled look="above" label={texts.head.name}>
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
  const [chosen, setChosen] = useState('');
  const presets = useBuild((state) => state.catalogue?.presets) ?? [];
  const dataset = useApp(chosenDataset);
  const families = [...new Set(presets.map(({ family = texts.head.others }) => family))];
  const start = () => {
    const preset = presets.find(({ name }) => name === chosen);
    if (preset) startFrom(preset);
    else replaceModel(emptyModel(dataset), texts.head.emptied);
    setChosen('');
    focusRow();
  };
  return (
    <Select
      look="above"
      label={texts.head.startFrom}
      value={chosen}
      options={[
        { value: '', title: texts.head.choose, disabled: true },
        { value: EMPTY, title: texts.head.empty },
        ...families.flatMap((group) =>
          presets
            .filter(({ family = texts.head.others }) => family === group)
            .map(({ name, title }) => ({ value: name, title, group })),
        ),
      ]}
      beside={
        <Button
          title={texts.head.loadTitle}
          obstacle={chosen === '' ? texts.head.chooseFirst : undefined}
          onPress={start}
        >
          {texts.head.load}
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
    label={texts.head.file}
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
      <Total name={texts.head.layers}>{layers.length}</Total>
      <Total name={texts.head.parameters}>{invalid > 0 ? '–' : format.count(costs.parameters)}</Total>
      <Total name={texts.head.macs} title={texts.head.macsTitle}>
        {invalid > 0 ? '–' : amount(costs.multiplyAdds)}
      </Total>
      <MemoryTotal activations={batch * costs.activationBytes} />
      <Total name={texts.head.shapes} state={state}>
        <span role="status">{state === 'error' ? texts.head.errors(invalid) : texts.head[state]}</span>
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
    ask((api) => api.train.memory({ ...(JSON.parse(asked ?? '{}') as RunConfig), model })),
  );
  const memory = answer?.ok ? answer.value : undefined;
  if (!memory) {
    return (
      <Total name={texts.head.activationsOf(batch)} title={texts.head.activationsTitle}>
        {activations === 0 ? '–' : format.memory(activations)}
      </Total>
    );
  }
  const name = texts.head.memoryOf(batch);
  return memory.fits ? (
    <Total name={name} title={texts.head.memoryTitle}>
      {format.memory(memory.bytes)}{' '}
      <small>{texts.head.activations(format.memory(memory.kinds.activations))}</small>
    </Total>
  ) : (
    <Total name={name} state="error">
      {texts.head.exceeds}
      <small>
        {memory.largestBatch === undefined ? texts.head.noneFits : texts.head.largest(memory.largestBatch)}
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
        {texts.head.stopProfiling(format.percent(share, 0))}
      </Button>
    );
  }
  return (
    <>
      <Button
        icon="clock"
        title={texts.head.profileTitle}
        obstacle={errors.length > 0 ? texts.invalidModel : device}
        onPress={measure}
      >
        {texts.head.profile}
      </Button>
      {error && (
        <p className={styles.problem} role="alert">
          {error.message}
        </p>
      )}
    </>
  );
}

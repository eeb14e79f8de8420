import { useState } from 'react';
import type { FailureValue } from '../../base/result.ts';
import { trainedNetworks } from '../../run/trained.ts';
import { chosenDataset } from '../actions/start.ts';
import { Choice } from '../widgets/Choice.tsx';
import { FailureNotice } from '../widgets/Notice.tsx';
import { Select } from '../widgets/Select.tsx';
import { useRuns } from '../journal/runs-store.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp } from '../state/store.ts';
import { fineTuningRate } from '../../run/settings/rules.ts';
import {
  extentOf,
  frozenFor,
  runsToStartFrom,
  stagesOf,
  startFromRun,
  startFromScratch,
  startFromTrained,
  trainedFor,
} from './start-from.ts';
import { model as texts } from '../messages/en/model.tsx';

/** What the next run starts from, and how much of it is trained further. */
export function StartFrom() {
  const [error, setError] = useState<FailureValue>();
  const weights = useApp((state) => state.settings.initialWeights);
  const fork = useRuns((state) => state.fork);
  const records = useRuns((state) => state.records);
  const dataset = useApp(chosenDataset);
  const open = useApp((state) => runIsOpen(state.runState));
  const networks = trainedFor(dataset?.shape ?? []);
  const chosen = trainedNetworks.has(weights) ? trainedNetworks.get(weights) : undefined;
  const offered = chosen && !networks.includes(chosen) ? [chosen, ...networks] : networks;
  const runs = runsToStartFrom(records);
  const value = fork ? `run ${fork.run}` : weights;
  const known =
    value === '' ||
    offered.some(({ name }) => name === value) ||
    runs.some(({ id }) => `run ${id}` === value);
  const choose = async (to: string) => {
    setError(undefined);
    const record = runs.find(({ id }) => `run ${id}` === to);
    const network = offered.find(({ name }) => name === to);
    if (record) {
      const answer = await startFromRun(record);
      if (!answer.ok) setError(answer.error);
    } else if (network) startFromTrained(network);
    else startFromScratch();
  };
  return (
    <div className="stack">
      <Select
        look="block"
        label={texts.start.label}
        hint={value === '' ? texts.start.ofRandom : texts.start.ofTrained}
        value={value}
        disabled={open}
        options={[
          { value: '', title: texts.start.random },
          !known && { value, title: fork?.name ?? weights },
          ...offered.map(({ name, title }) => ({ value: name, title, group: texts.start.networks })),
          ...runs.map(({ id, name, model, dataset: data, step }) => ({
            value: `run ${id}`,
            title: texts.start.run(name, model, data, step),
            group: texts.start.runs,
          })),
        ]}
        onChange={(to) => void choose(to)}
      />
      {error && <FailureNotice title={texts.start.failed} error={error} />}
      {value !== '' && <TrainedExtent />}
    </div>
  );
}

/** How much of the network is trained further; the layers before it are frozen. */
function TrainedExtent() {
  const frozen = useApp((state) => state.settings.freeze);
  const name = useApp((state) => state.settings.model);
  const model = useApp((state) => state.models.find((one) => one.name === name));
  const change = useApp((state) => state.change);
  const stages = stagesOf(model?.layers ?? []);
  if (stages.length < 3) return null;
  const extent = extentOf(stages, frozen);
  return (
    <div className="row">
      <span className="soft">{texts.start.train}</span>
      <Choice
        label={texts.start.extent}
        value={extent ?? 'all'}
        options={texts.start.extents}
        onChange={(to) =>
          change({ freeze: frozenFor(stages, to), lr: String(fineTuningRate('adam', to !== 'all')) })
        }
      />
      {extent === undefined && <span className="fine">{texts.start.frozen(frozen)}</span>}
    </div>
  );
}

import { useMemo, useState, type ReactNode } from 'react';
import { predictionAt, countOf, toCsv, toJsonLines, type PredictionSet } from '../../../run/predictions.ts';
import type { PredictedSet } from '../../../worker/api.ts';
import { stopGpuTask } from '../../actions/actions.ts';
import { obstacleToDevice } from '../../actions/start.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { Facts } from '../../widgets/Facts.tsx';
import { FileButton } from '../../widgets/FileButton.tsx';
import { DataTable } from '../../widgets/DataTable.tsx';
import { FailureNotice, Callout } from '../../widgets/Notice.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { Select } from '../../widgets/Select.tsx';
import { download, fileName } from '../../download.ts';
import * as format from '../../format.ts';
import { weightsStep } from '../../journal/record.ts';
import { useRuns } from '../../journal/runs-store.ts';
import { CURRENT, OPENED, openImages, openWeights, predict, usePredict } from '../../predict-store.ts';
import { isAtHand } from '../../state/data.ts';
import { useApp } from '../../state/store.ts';
import { VERBS } from '../verbs.ts';
import styles from './Inspect.module.css';

/** Weights and images to choose, and the predictions. */
export function PredictView() {
  const error = usePredict((state) => state.error);
  const result = usePredict((state) => state.result);
  return (
    <div className="column">
      <Panel title="Weights and images">
        <div className={styles.predicting}>
          <WeightsField />
          <ImagesField />
          <Start />
        </div>
        {error && <FailureNotice title="Could not predict" error={error} />}
      </Panel>
      {result && <Result {...result} />}
    </div>
  );
}

/** Saved runs that have weights. */
const useSaved = () =>
  (useRuns((state) => state.records) ?? []).filter((record) => weightsStep(record) !== undefined);

/** The chosen weights; those of a run that is gone are none. */
function useChosen(): string | undefined {
  const { chosen, file } = usePredict();
  const saved = useSaved();
  const hasRun = useApp((state) => state.runId > 0);
  const known = [...(hasRun ? [CURRENT] : []), ...(file ? [OPENED] : []), ...saved.map(({ id }) => id)];
  return known.includes(chosen) ? chosen : known[0];
}

function WeightsField() {
  const file = usePredict((state) => state.file);
  const chosen = useChosen();
  const saved = useSaved();
  const hasRun = useApp((state) => state.runId > 0);
  return (
    <Select
      look="beside"
      label="Weights"
      value={chosen ?? ''}
      options={[
        chosen === undefined && { value: '', title: 'None' },
        hasRun && { value: CURRENT, title: 'Current run' },
        file && { value: OPENED, title: file.name },
        ...saved.map((record) => ({
          value: record.id,
          title: `${record.name}, step ${format.count(weightsStep(record) ?? 0)}`,
        })),
      ]}
      beside={
        <FileButton
          label="Weights file"
          accept=".safetensors,.json"
          multiple
          title="A .safetensors file; select the model’s .json file as well if the weights do not contain it"
          onFiles={(files) => void openWeights(files)}
        >
          Open…
        </FileButton>
      }
      onChange={(value) => usePredict.setState({ chosen: value })}
    />
  );
}

/** The chosen images: a data set that is here, or files. */
function useImages(): string | undefined {
  const { images, files } = usePredict();
  const datasets = useReady();
  const current = useApp((state) => state.settings.dataset);
  const known = [...datasets.map(({ name }) => name), ...(files ? [OPENED] : [])];
  return [images, current, known[0]].find((one) => one !== undefined && known.includes(one));
}

const useReady = () => useApp((state) => state.datasets).filter(isAtHand);

/** Some browsers on phones choose files alone. */
const CHOOSES_FOLDERS = 'webkitdirectory' in HTMLInputElement.prototype;

function ImagesField() {
  const files = usePredict((state) => state.files);
  const chosen = useImages();
  const ready = useReady();
  return (
    <Select
      look="beside"
      label="Images"
      value={chosen ?? ''}
      options={[
        chosen === undefined && { value: '', title: 'None' },
        ...ready.map(({ name, title }) => ({ value: name, title: `${title}, test` })),
        files && { value: OPENED, title: files.from },
      ]}
      beside={
        <>
          <FileButton label="Image files" accept=".png,.jpg,.jpeg,.zip" multiple onFiles={openImages}>
            Files…
          </FileButton>
          {CHOOSES_FOLDERS && (
            <FileButton
              label="Folder of images to predict"
              folder
              title="Subfolders named after the classes give labels"
              onFiles={openImages}
            >
              Folder…
            </FileButton>
          )}
        </>
      }
      onChange={(images) => usePredict.setState({ images })}
    />
  );
}

function Start() {
  const weights = useChosen();
  const images = useImages();
  const progress = usePredict((state) => state.progress);
  const device = useApp(obstacleToDevice);
  if (progress) {
    const { done, total } = progress;
    return (
      <Button icon="stop" onPress={() => void stopGpuTask()}>
        Stop{total > 0 && `, ${format.percent(done / total, 0)}`}
      </Button>
    );
  }
  const missing =
    weights === undefined
      ? 'No weights yet. Train a model, or open a file.'
      : images === undefined
        ? 'No images yet. Download a data set, or choose files.'
        : undefined;
  return (
    <Button
      verb={VERBS.predict}
      kind="primary"
      obstacle={missing ?? device}
      onPress={() => {
        if (weights === undefined || images === undefined) return;
        usePredict.setState({ chosen: weights });
        void predict(images);
      }}
    />
  );
}

function Result({ set, weights, images }: { set: PredictedSet; weights: string; images: string }) {
  const { model, accuracy, loss, skipped, uploadMs, computeMs, readMs } = set;
  const count = countOf(set);
  const save = (kind: 'csv' | 'jsonl', type: string, text: string) =>
    download(`${fileName('predictions', new Date())}.${kind}`, type, text);
  return (
    <Panel title="Predictions" explanation={`${model}, weights of ${weights}, on ${images}.`}>
      <Facts
        of={[
          ['Accuracy', accuracy === undefined ? 'no labels' : format.percent(accuracy, 2)],
          ['Loss', loss === undefined ? 'no labels' : loss.toFixed(4)],
          ['Images', format.count(count)],
          ['Time per image', format.time((uploadMs + computeMs + readMs) / count)],
          ['Upload', format.time(uploadMs)],
          ['Forward pass', format.time(computeMs)],
          ['Read-back', format.time(readMs)],
        ]}
      />
      {skipped.length > 0 && (
        <Callout kind="warning" title={`${format.count(skipped.length)} images could not be read`}>
          <p>{skipped.map(({ path, reason }) => `${path} ${reason}`).join('; ')}</p>
        </Callout>
      )}
      <Predictions set={set}>
        <div className="row">
          <Button icon="download" onPress={() => save('csv', 'text/csv', toCsv(set))}>
            CSV
          </Button>
          <Button icon="download" onPress={() => save('jsonl', 'application/jsonl', toJsonLines(set))}>
            JSON lines
          </Button>
        </div>
      </Predictions>
    </Panel>
  );
}

/** Rows shown at first, and how many more each time. */
const PAGE = 50;

interface PredictionsProps {
  set: PredictionSet;
  /** Buttons above the table. */
  children: ReactNode;
}

/** A row per image: its true class, the predicted class and its probability. */
function Predictions({ set, children }: PredictionsProps) {
  const { labels, classes } = set;
  const [mistakes, setMistakes] = useState(false);
  const [shown, setShown] = useState(PAGE);
  const all = useMemo(() => Array.from({ length: countOf(set) }, (_, i) => predictionAt(set, i)), [set]);
  const found = mistakes ? all.filter(({ label, class: predicted }) => label !== predicted) : all;
  return (
    <>
      <div className={styles.predictions}>
        {labels && (
          <Choice
            label="Mistakes, or all images"
            value={mistakes ? 'mistakes' : 'all'}
            options={{ all: 'All', mistakes: 'Mistakes' }}
            onChange={(value) => setMistakes(value === 'mistakes')}
          />
        )}
        {children}
      </div>
      <DataTable
        caption="The prediction for each image"
        rows={found.slice(0, shown)}
        keyOf={({ index }) => index}
        row={({ label, class: predicted }) => ({
          'data-selected': (label !== undefined && label !== predicted) || undefined,
        })}
        columns={[
          { title: 'Image', render: ({ file, index }) => file ?? format.count(index) },
          labels && { title: 'True class', render: ({ label }) => label !== undefined && classes[label] },
          { title: 'Predicted', render: ({ answer }) => answer },
          {
            title: 'Confidence',
            render: ({ class: predicted, probabilities }) => format.percent(probabilities[predicted], 1),
          },
        ]}
      />
      <div className={styles.more}>
        <span>
          {format.count(Math.min(shown, found.length))} of {format.count(found.length)}
          {mistakes && ' mistakes'}
        </span>
        {shown < found.length && <Button onPress={() => setShown(shown + PAGE)}>Show more</Button>}
      </div>
    </>
  );
}

import { useMemo, useState, type ReactNode } from 'react';
import { predictionAt, countOf, toCsv, toJsonLines, type PredictionSet } from '../../../run/predictions.ts';
import { trainedNetworks } from '../../../run/trained.ts';
import type { PredictedSet } from '../../../worker/api.ts';
import { stopGpuTask } from '../../actions/actions.ts';
import { obstacleToDevice } from '../../actions/start.ts';
import { Foreseen } from '../../components/Foreseen.tsx';
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
import { CURRENT, OPENED, openImages, openWeights, predict, usePredict } from '../../state/predict-store.ts';
import { isAtHand } from '../../state/data.ts';
import { useApp } from '../../state/store.ts';
import { inspect as texts } from '../../messages/inspect.ts';
import { VERBS } from '../verbs.ts';
import styles from './Inspect.module.css';

/** Weights and images to choose, and the predictions. */
export function PredictView() {
  const error = usePredict((state) => state.error);
  const result = usePredict((state) => state.result);
  return (
    <div className="column">
      <Panel title={texts.predict.chosen}>
        <div className={styles.predicting}>
          <WeightsField />
          <ImagesField />
          <GroundField />
          <Start />
        </div>
        {error && <FailureNotice title={texts.predict.failed} error={error} />}
      </Panel>
      {result ? (
        <Result {...result} />
      ) : (
        <Foreseen of="images">
          <p>{texts.predict.nothing}</p>
        </Foreseen>
      )}
    </div>
  );
}

/** Saved runs that have weights. */
const useSaved = () =>
  (useRuns((state) => state.records) ?? []).filter((record) => weightsStep(record) !== undefined);

/** The chosen weights: of a run, a file, or a network that the page comes with. */
function useChosen(): string {
  const { chosen, file } = usePredict();
  const saved = useSaved();
  const hasRun = useApp((state) => state.runId > 0);
  const known = [
    ...(hasRun ? [CURRENT] : []),
    ...(file ? [OPENED] : []),
    ...saved.map(({ id }) => id),
    ...trainedNetworks.names(),
  ];
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
      label={texts.predict.weights}
      value={chosen}
      options={[
        hasRun && { value: CURRENT, title: texts.predict.currentRun },
        file && { value: OPENED, title: file.name },
        ...saved.map((record) => ({
          value: record.id,
          title: texts.predict.atStep(record.name, weightsStep(record) ?? 0),
        })),
        ...trainedNetworks.all().map(({ name, title }) => ({ value: name, title })),
      ]}
      beside={
        <FileButton
          label={texts.predict.weightsFile}
          accept=".safetensors,.json"
          multiple
          title={texts.predict.weightsTitle}
          onFiles={(files) => void openWeights(files)}
        >
          {texts.predict.open}
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
      label={texts.predict.images}
      value={chosen ?? ''}
      options={[
        chosen === undefined && { value: '', title: texts.predict.none },
        ...ready.map(({ name, title }) => ({ value: name, title: texts.predict.testOf(title) })),
        files && { value: OPENED, title: files.from },
      ]}
      beside={
        <>
          <FileButton
            label={texts.predict.imageFiles}
            accept="image/*,.zip,.tar,.gz,.tgz"
            multiple
            onFiles={openImages}
          >
            {texts.predict.files}
          </FileButton>
          {CHOOSES_FOLDERS && (
            <FileButton
              label={texts.predict.folderLabel}
              folder
              title={texts.predict.folderTitle}
              onFiles={openImages}
            >
              {texts.predict.folder}
            </FileButton>
          )}
        </>
      }
      onChange={(images) => usePredict.setState({ images })}
    />
  );
}

function GroundField() {
  const ground = usePredict((state) => state.ground);
  return (
    <Select
      look="beside"
      label={texts.predict.ground}
      value={ground}
      options={texts.predict.grounds}
      onChange={(chosen) => usePredict.setState({ ground: chosen })}
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
        {texts.predict.stop(total > 0 ? format.percent(done / total, 0) : undefined)}
      </Button>
    );
  }
  return (
    <Button
      verb={VERBS.predict}
      kind="primary"
      obstacle={images === undefined ? texts.predict.noImages : device}
      onPress={() => {
        if (images === undefined) return;
        usePredict.setState({ chosen: weights });
        void predict(images);
      }}
    />
  );
}

function Result({ set, weights, images }: { set: PredictedSet; weights: string; images: string }) {
  const { model, accuracy, loss, skipped, turned, uploadMs, computeMs, readMs } = set;
  const count = countOf(set);
  const save = (kind: 'csv' | 'jsonl', type: string, text: string) =>
    download(`${fileName('predictions', new Date())}.${kind}`, type, text);
  return (
    <Panel title={texts.predict.title} explanation={texts.predict.about(model, weights, images)}>
      <Facts
        of={[
          [
            texts.predict.accuracy,
            accuracy === undefined ? texts.predict.noLabels : format.accuracy(accuracy, count),
          ],
          [texts.predict.loss, loss === undefined ? texts.predict.noLabels : loss.toFixed(4)],
          [texts.predict.images, format.count(count)],
          [texts.predict.timePerImage, format.time((uploadMs + computeMs + readMs) / count)],
          [texts.predict.upload, format.time(uploadMs)],
          [texts.predict.forward, format.time(computeMs)],
          [texts.predict.readBack, format.time(readMs)],
        ]}
      />
      {turned > 0 && <p>{texts.predict.turned(turned)}</p>}
      {skipped.length > 0 && (
        <Callout kind="warning" title={texts.predict.unread(skipped.length)}>
          <p>{skipped.map(({ path, reason }) => `${path} ${reason}`).join('; ')}</p>
        </Callout>
      )}
      <Predictions set={set}>
        <div className="row">
          <Button icon="download" onPress={() => save('csv', 'text/csv', toCsv(set))}>
            CSV
          </Button>
          <Button icon="download" onPress={() => save('jsonl', 'application/jsonl', toJsonLines(set))}>
            {texts.predict.jsonLines}
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
            label={texts.predict.which}
            value={mistakes ? 'mistakes' : 'all'}
            options={{ all: texts.predict.all, mistakes: texts.predict.mistakes }}
            onChange={(value) => setMistakes(value === 'mistakes')}
          />
        )}
        {children}
      </div>
      <DataTable
        caption={texts.predict.caption}
        rows={found.slice(0, shown)}
        keyOf={({ index }) => index}
        row={({ label, class: predicted }) => ({
          'data-selected': (label !== undefined && label !== predicted) || undefined,
        })}
        columns={[
          { title: texts.predict.image, render: ({ file, index }) => file ?? format.count(index) },
          labels && {
            title: texts.predict.trueClass,
            render: ({ label }) => label !== undefined && classes[label],
          },
          { title: texts.predict.predicted, render: ({ answer }) => answer },
          {
            title: texts.predict.confidence,
            render: ({ class: predicted, probabilities }) => format.percent(probabilities[predicted], 1),
          },
        ]}
      />
      <div className={styles.more}>
        <span>
          {(mistakes ? texts.predict.ofMistakes : texts.of)(Math.min(shown, found.length), found.length)}
        </span>
        {shown < found.length && <Button onPress={() => setShown(shown + PAGE)}>{texts.showMore}</Button>}
      </div>
    </>
  );
}

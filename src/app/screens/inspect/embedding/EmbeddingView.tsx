import { useEffect, useState } from 'react';
import type { Embedding, EmbeddingMethod } from '../../../../worker/api.ts';
import { ask } from '../../../client.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Choice } from '../../../widgets/Choice.tsx';
import { DataTable } from '../../../widgets/DataTable.tsx';
import { Panel } from '../../../widgets/Panel.tsx';
import { Tile } from '../../../components/Tile.tsx';
import { useAnswer } from '../../../components/use-answer.ts';
import * as format from '../../../format.ts';
import { useLive } from '../../../metrics/use-live.ts';
import { padDataset } from '../../../pad/pad-dataset.ts';
import { showOnPad } from '../../../pad/pad-image.ts';
import { go, hrefOf } from '../../../route.ts';
import { useApp } from '../../../state/store.ts';
import { inspect as texts } from '../../../messages/inspect.ts';
import { MomentSlider, NothingRecorded, RecordingBar } from '../Recording.tsx';
import styles from './Embedding.module.css';
import { recordNow, setRecording, useMaps } from './recorded-maps.ts';

/** A map of test images by what the network makes of them, by epoch. */
export function EmbeddingView() {
  const [method, setMethod] = useState<EmbeddingMethod>('pca');
  // A step; undefined follows the newest map.
  const [chosen, setChosen] = useState<number>();
  const moments = useMaps((state) => state.moments);
  const recording = useMaps((state) => state.recording);
  const error = useMaps((state) => state.error);
  const { step } = useLive();
  const newest = moments.at(-1);
  const moment = moments.find((one) => one.step === chosen) ?? newest;
  const runId = useMaps((state) => state.runId);
  const answer = useAnswer(moment && JSON.stringify([runId, moment.step, method]), () =>
    ask((api) => api.inspect.embedding(moment?.step ?? 0, method)),
  );
  // The map before stays until the next arrives, so that its points move there.
  const [map, setMap] = useState<Embedding>();
  if (answer?.ok && answer.value !== map) setMap(answer.value);
  useEffect(() => setRecording(true), []);
  const failure = error ?? (answer && !answer.ok ? answer.error : undefined);
  return (
    <Panel
      title={texts.map.title}
      aside={
        <Choice
          label={texts.map.method}
          value={method}
          options={{ pca: 'PCA', umap: 'UMAP' }}
          onChange={setMethod}
        />
      }
      explanation={texts.map.explanation}
    >
      <RecordingBar label={texts.map.record} recording={recording} error={failure} onChange={setRecording}>
        <Button obstacle={step === 0 ? texts.map.trainFirst : undefined} onPress={recordNow}>
          {texts.map.recordNow}
        </Button>
        {moments.length > 1 && moment && (
          <MomentSlider
            label={texts.map.map}
            at={moments.indexOf(moment)}
            count={moments.length}
            moment={texts.map.moment(moment.step, moment.epoch)}
            onChange={(to) => setChosen(to === undefined ? undefined : moments[to].step)}
          />
        )}
      </RecordingBar>
      {map && moment ? (
        <MapOf map={map} waiting={map.method !== method} />
      ) : (
        <NothingRecorded of="points" untrained={texts.map.untrained} waiting={texts.map.waiting} />
      )}
    </Panel>
  );
}

/** A class's colour: hues evenly around the circle, every second one lighter. */
const colourOf = (label: number, classes: number): string =>
  `oklch(${label % 2 === 0 ? 0.62 : 0.74} 0.15 ${Math.round((360 * label) / Math.max(1, classes))})`;

/** Units of the picture from its middle to its upper edge, and around the outermost points. */
const HALF = 50;
const MARGIN = 4;

/** How many units stand for 1, and half the picture's width: all points fit, and fill it. */
function frameOf({ points }: Embedding): { scale: number; half: number } {
  const reach = [0, 0];
  points.forEach((value, i) => (reach[i % 2] = Math.max(reach[i % 2], Math.abs(value))));
  const [x, y] = reach.map((most) => Math.max(most, 1e-6));
  const across = Math.max(0.7, Math.min(2, x / y));
  return { scale: Math.min(HALF / y, (HALF * across) / x), half: HALF * across };
}

/** The map, and beside it the image that is pointed at. */
function MapOf({ map, waiting }: { map: Embedding; waiting: boolean }) {
  const { labels, predictions, indices, step } = map;
  const dataset = useApp(padDataset);
  const [pointed, setPointed] = useState<number>();
  const classes = dataset?.classes ?? [];
  const name = (label: number) => classes[label] ?? String(label);
  const wrong = predictions.reduce((sum, prediction, i) => sum + (prediction === labels[i] ? 0 : 1), 0);
  const split = dataset && dataset.counts.test > 0 ? 'test' : 'train';
  const shown = pointed !== undefined && pointed < labels.length ? pointed : undefined;
  const image = useAnswer(
    dataset && shown !== undefined ? `${dataset.name} ${indices[shown]}` : undefined,
    () =>
      ask((api) =>
        api.data.images({ dataset: dataset?.name ?? '', split, first: indices[shown ?? 0], count: 1 }),
      ),
  );
  const textOf = (i: number) =>
    (split === 'test' ? texts.map.testImage : texts.trainingImage)(indices[i], name(labels[i])) +
    (predictions[i] === labels[i] ? '' : texts.map.predictedAs(name(predictions[i])));
  const open = () => {
    if (!image?.ok || shown === undefined) return;
    showOnPad(image.value.images, image.value.shape, textOf(shown));
    go(hrefOf('inspect', 'image'));
  };
  return (
    <div className={styles.map}>
      <Picture {...{ map, wrong, name, shown }} classes={classes.length} onPoint={setPointed} onOpen={open} />
      <div className={styles.side}>
        <div className={styles.image}>
          {shown !== undefined && image?.ok ? (
            <>
              <Tile image={image.value.images} shape={image.value.shape} className={styles.tile} />
              <p className="soft">{textOf(shown)}</p>
            </>
          ) : (
            <p className="faint">{texts.map.point}</p>
          )}
        </div>
        <div className="row">
          <Button
            obstacle={wrong === 0 ? texts.map.noMistake : undefined}
            onPress={() => setPointed(nextWrong(map, shown))}
          >
            {texts.map.next}
          </Button>
          <Button
            icon="lens"
            obstacle={shown === undefined ? texts.map.pointFirst : undefined}
            onPress={open}
          >
            {texts.map.follow}
          </Button>
        </div>
        <p className="soft numbers">
          {texts.map.correct(format.percent(1 - wrong / Math.max(1, labels.length), 1), labels.length, step)}
        </p>
        <p className="fine">
          {waiting ? texts.map.computing : methodOf(map)} {texts.map.rotated}
        </p>
        <details>
          <summary>{texts.map.asTable}</summary>
          <Classes map={map} name={name} classes={classes.length} />
        </details>
      </div>
    </div>
  );
}

/** How a map was made, in a sentence. */
function methodOf({ shares, values }: Embedding): string {
  if (!shares) return texts.map.umap(values);
  const [first, second] = [shares[0], shares[1]].map((share) => format.percent(share, 0));
  return format.prose(texts.map.components(values, first, second));
}

interface PictureProps extends ClassesProps {
  /** How many images are predicted wrong. */
  wrong: number;
  /** The image that is pointed at. */
  shown: number | undefined;
  onPoint(image: number | undefined): void;
  onOpen(): void;
}

/** A point for each image, in the colour of its class, and the names of the classes in their middles. */
function Picture({ map, classes, name, wrong, shown, onPoint, onOpen }: PictureProps) {
  const { points, labels, predictions, indices, step } = map;
  const { scale, half } = frameOf(map);
  const translate = (x: number, y: number) => `${scale * x}px ${-scale * y}px`;
  return (
    <svg
      className={styles.picture}
      style={{ aspectRatio: (half + MARGIN) / (HALF + MARGIN) }}
      viewBox={`${-half - MARGIN} ${-HALF - MARGIN} ${2 * (half + MARGIN)} ${2 * (HALF + MARGIN)}`}
      role="img"
      aria-label={texts.map.about(labels.length, step, wrong)}
      onPointerLeave={() => onPoint(undefined)}
      onPointerUp={onOpen}
    >
      {Array.from(labels, (label, i) => (
        <circle
          key={indices[i]}
          className={styles.point}
          data-wrong={predictions[i] !== label || undefined}
          data-pointed={i === shown || undefined}
          r={i === shown ? 1.4 : 0.75}
          style={{ translate: translate(points[2 * i], points[2 * i + 1]), fill: colourOf(label, classes) }}
          onPointerEnter={() => onPoint(i)}
        />
      ))}
      {centresOf(map, classes).map(({ label, x, y }) => (
        <text key={label} className={styles.name} style={{ translate: translate(x, y) }}>
          {name(label)}
        </text>
      ))}
    </svg>
  );
}

/** The next image with a wrong prediction after one, from the start again at the end. */
function nextWrong({ labels, predictions }: Embedding, after = -1): number | undefined {
  const wrong = [...labels.keys()].filter((i) => labels[i] !== predictions[i]);
  return wrong.find((i) => i > after) ?? wrong[0];
}

/** The middle of each class: its image that is nearest to all the others, so that it lies among them. */
function centresOf(
  { points, labels }: Embedding,
  classes: number,
): { label: number; x: number; y: number }[] {
  return Array.from({ length: classes }, (_, label) => {
    const own = [...labels.keys()].filter((i) => labels[i] === label);
    const [x, y] = [0, 1].map((axis) => (i: number) => points[2 * i + axis]);
    const far = own.map((i) => own.reduce((sum, j) => sum + Math.hypot(x(i) - x(j), y(i) - y(j)), 0));
    const middle = own[far.indexOf(Math.min(...far))];
    return middle === undefined ? [] : { label, x: x(middle), y: y(middle) };
  }).flat();
}

interface ClassesProps {
  map: Embedding;
  classes: number;
  name(label: number): string;
}

/** For each class its middle, how many images are wrong, and the class whose middle is nearest. */
function Classes({ map, classes, name }: ClassesProps) {
  const centres = centresOf(map, classes);
  const imagesOf = (label: number) => [...map.labels.keys()].filter((i) => map.labels[i] === label);
  return (
    <DataTable
      caption={texts.map.caption}
      fits
      rows={centres}
      keyOf={({ label }) => label}
      columns={[
        { title: texts.map.class, render: ({ label }) => name(label) },
        { title: texts.map.images, number: true, render: ({ label }) => imagesOf(label).length },
        {
          title: texts.map.mistakes,
          number: true,
          render: ({ label }) => imagesOf(label).filter((i) => map.predictions[i] !== label).length,
        },
        {
          title: texts.map.nearest,
          render({ label, x, y }) {
            const far = (one: { x: number; y: number }) => Math.hypot(one.x - x, one.y - y);
            const others = centres.filter((one) => one.label !== label);
            const [near] = others.toSorted((a, b) => far(a) - far(b));
            return near ? name(near.label) : '–';
          },
        },
      ]}
    />
  );
}

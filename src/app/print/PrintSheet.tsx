import { useSyncExternalStore } from 'react';
import { Confusion } from '../charts/confusion/Confusion.tsx';
import { imageAt, Tile } from '../components/Tile.tsx';
import * as format from '../format.ts';
import { useRuns } from '../journal/runs-store.ts';
import { modelTitle } from '../measured-run.ts';
import { print as texts } from '../messages/en/print.tsx';
import { live } from '../metrics/live.ts';
import { settingLines } from '../screens/runs/differences.ts';
import { useApp } from '../state/store.ts';
import { Facts } from '../widgets/Facts.tsx';
import { PrintedCurve } from './PrintedCurve.tsx';
import { onPrinting, printingSince } from './printing.ts';
import styles from './Print.module.css';

/** More classes than these have no matrix that could be read on a page. */
const MAX_CLASSES = 24;
/** As many as stand beside a matrix of ten classes. */
const MAX_MISTAKES = 12;
/** Settings that say nothing. */
const SILENT = ['–', 'none', '', 'no limit'];
/** What the title says, and what nobody could read. */
const UNPRINTED = ['model', 'data', 'layers'];

/** The run of Train on one page of paper. It is there only while the page is printed. */
export function PrintSheet() {
  const at = useSyncExternalStore(onPrinting, printingSince);
  return at && <Sheet at={at} />;
}

function Sheet({ at }: { at: Date }) {
  const config = useApp((state) => state.runConfig);
  const model = useApp((state) => config && modelTitle(state, config));
  const dataset = useApp(({ datasets }) => datasets.find(({ name }) => name === config?.dataset));
  const name = useRuns(({ records, open }) => records?.find(({ id }) => id === open)?.name);
  if (!config) return null;
  const { changes, curve, step, epoch, evaluations, lastEvaluation, confusion } = live;
  const { points, count } = curve;
  const classes = dataset?.classes ?? [];
  const isWhole = confusion?.length === classes.length ** 2;
  const images = confusion?.reduce((sum, one) => sum + one, 0) ?? 0;
  const column = (values: ArrayLike<number>) =>
    Array.from({ length: count }, (_, i) => [points.step[i], values[i]] as const);
  return (
    <article className={styles.sheet} data-print>
      <header>
        <h1>{texts.title(model ?? '', dataset?.title ?? config.dataset)}</h1>
        <p>{[name, texts.reached(step, epoch), format.date(at), 'wgrad'].filter(Boolean).join(' · ')}</p>
        <p>
          {lastEvaluation && images > 0
            ? texts.accuracy(
                format.accuracy(lastEvaluation.testAccuracy, images),
                format.measuredOn(lastEvaluation.testAccuracy, images),
                lastEvaluation.epoch,
              )
            : texts.untested}
        </p>
      </header>
      <section className={styles.settings} aria-label={texts.settings}>
        <Facts
          of={settingLines({ config: { ...config, ...changes?.start }, changes: changes?.adjustments ?? [] })
            .filter(({ short, value }) => !SILENT.includes(value) && !UNPRINTED.includes(short))
            .map(({ title, value }) => [title, value])}
        />
      </section>
      <div className={styles.curves}>
        <PrintedCurve
          title={texts.loss}
          training={column(points.smoothLoss)}
          tests={evaluations.map((one) => [one.step, one.testLoss])}
          write={format.loss}
        />
        <PrintedCurve
          title={texts.accuracies}
          training={column(points.smoothAccuracy)}
          tests={evaluations.map((one) => [one.step, one.testAccuracy])}
          write={(share) => format.percent(share, 0)}
          most={1}
        />
      </div>
      <div className={styles.results}>
        {confusion && isWhole && classes.length <= MAX_CLASSES && (
          <section aria-label={texts.matrix}>
            <h2>{texts.matrix}</h2>
            <Confusion classes={classes} counts={confusion} />
          </section>
        )}
        <Mistakes classes={classes} />
      </div>
    </article>
  );
}

function Mistakes({ classes }: { classes: readonly string[] }) {
  const { mistakes: page } = live;
  if (!page || page.total === 0) return null;
  return (
    <section aria-label={texts.mistakes}>
      <h2>{texts.mistakes}</h2>
      <ul className={styles.mistakes}>
        {page.samples.slice(0, MAX_MISTAKES).map(({ index, label, prediction, confidence }, i) => (
          <li key={index}>
            <Tile image={imageAt(page, i)} shape={page.shape} className={styles.picture} />
            {texts.mistake(classes[label], classes[prediction], format.percent(confidence, 0))}
          </li>
        ))}
      </ul>
    </section>
  );
}

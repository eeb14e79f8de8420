import { useState } from 'react';
import { ActionButton } from '../../actions/ActionButton.tsx';
import type { SamplePage } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { Select } from '../../widgets/Select.tsx';
import { Foreseen } from '../../components/Foreseen.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import { useLiveValue } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import { padDataset } from '../../pad/pad-dataset.ts';
import styles from './Inspect.module.css';
import { Sample } from '../../pad/Sample.tsx';
import { testNow } from '../../actions/actions.ts';
import { useInspect } from '../../state/inspect-store.ts';
import { inspect as texts } from '../../messages/inspect.ts';

/** Images shown at first, and how many more each time. */
const PAGE = 48;
/** The worker's limit per request. */
const MAX_SAMPLES = 240;

/** Test images with their predictions, filtered and sorted. */
export function Gallery() {
  const classes = useApp((state) => padDataset(state)?.classes) ?? [];
  const filter = useInspect((state) => state.sampleFilter);
  const setFilter = useInspect((state) => state.setSampleFilter);
  const lastEvaluation = useLiveValue((live) => live.lastEvaluation);
  if (!lastEvaluation) {
    return (
      <Panel title={texts.gallery.mistakes}>
        <Foreseen of="images">
          <p>{texts.gallery.none}</p>
        </Foreseen>
      </Panel>
    );
  }
  return (
    <Panel
      title={filter.mistakesOnly ? texts.gallery.mistakes : texts.gallery.images}
      explanation={texts.gallery.explanation}
    >
      <div className={styles.filters}>
        <ClassFilter
          label={texts.gallery.trueClass}
          classes={classes}
          value={filter.label}
          onChange={(label) => setFilter({ label })}
        />
        <ClassFilter
          label={texts.gallery.predicted}
          classes={classes}
          value={filter.prediction}
          onChange={(prediction) => setFilter({ prediction })}
        />
        {(filter.label ?? filter.prediction) !== undefined && (
          <Button icon="close" onPress={() => setFilter({ label: undefined, prediction: undefined })}>
            {texts.gallery.clear}
          </Button>
        )}
        <Choice
          label={texts.gallery.which}
          value={filter.mistakesOnly ? 'mistakes' : 'all'}
          options={{ mistakes: texts.gallery.mistakes, all: texts.gallery.all }}
          onChange={(value) => setFilter({ mistakesOnly: value === 'mistakes' })}
        />
        <Choice
          label={texts.gallery.order}
          value={filter.order}
          options={{ surest: texts.gallery.surest, unsure: texts.gallery.unsure, file: texts.gallery.file }}
          onChange={(order) => setFilter({ order })}
        />
      </div>
      <Found classes={classes} tested={lastEvaluation.step} />
    </Panel>
  );
}

/** @param tested the step of the latest test */
function Found({ classes, tested }: { classes: readonly string[]; tested: number }) {
  const runId = useApp((state) => state.runId);
  const { label, prediction, ...rest } = useInspect((state) => state.sampleFilter);
  const [count, setCount] = useState(PAGE);
  const query = { ...rest, first: 0, count, label, prediction };
  const key = JSON.stringify([runId, tested, query]);
  const found = useAnswer(key, () => ask((api) => api.inspect.predictedSamples(query)));
  // The previous page stays until the next arrives, so that nothing jumps.
  const [page, setPage] = useState<SamplePage>();
  if (found?.ok && found.value !== page) setPage(found.value);
  if (found && !found.ok) {
    return (
      <div className={styles.empty}>
        <p>
          {found.error.message} {found.error.advice}
        </p>
        <ActionButton action={testNow} kind="primary" />
      </div>
    );
  }
  if (!page) return <p className={styles.empty}>{texts.loading}</p>;
  const { total, samples } = page;
  if (total === 0) {
    return (
      <p className={styles.empty}>
        {rest.mistakesOnly && label === undefined && prediction === undefined
          ? texts.gallery.perfect
          : texts.gallery.noMatch}
      </p>
    );
  }
  return (
    <>
      <ul className={styles.gallery} aria-label={texts.gallery.images}>
        {samples.map((sample, i) => (
          <li key={sample.index}>
            <Sample sample={sample} page={page} place={i} classes={classes} />
          </li>
        ))}
      </ul>
      <div className={styles.more}>
        <span>{texts.gallery.tested(samples.length, total, page.step)}</span>
        {samples.length < total && count < MAX_SAMPLES && (
          <Button onPress={() => setCount(Math.min(MAX_SAMPLES, count + PAGE))}>{texts.showMore}</Button>
        )}
      </div>
    </>
  );
}

interface ClassFilterProps {
  label: string;
  classes: readonly string[];
  /** Undefined for any class. */
  value: number | undefined;
  onChange(value: number | undefined): void;
}

/** A list of classes to select one, or any. */
const ClassFilter = ({ label, classes, value, onChange }: ClassFilterProps) => (
  <Select
    look="beside"
    label={label}
    value={String(value ?? '')}
    options={[
      { value: '', title: texts.gallery.any },
      ...classes.map((title, i) => ({ value: String(i), title })),
    ]}
    onChange={(chosen) => onChange(chosen === '' ? undefined : Number(chosen))}
  />
);

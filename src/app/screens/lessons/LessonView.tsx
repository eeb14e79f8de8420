import { useState } from 'react';
import type { FailureValue } from '../../../base/result.ts';
import { later } from '../../components/later.tsx';
import { useCurrentLesson } from './player/current.ts';
import { Checks } from './player/Checks.tsx';
import type { OpenedLesson } from './library.ts';
import {
  allDone,
  forgetProgress,
  isDone,
  noteAnswer,
  noteProgress,
  useLessonProgress,
} from './player/progress.ts';
import { Question } from './player/Question.tsx';
import { arriveAt, linesOf, setUp } from './player/set-up.ts';
import { useLesson } from './use-lesson.ts';
import { guessInWords } from './player/words.ts';
import { lessons as texts } from '../../messages/lessons.ts';
import { engineOf } from '../../state/device.ts';
import { runIsOpen } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import { Button } from '../../widgets/Button.tsx';
import { Callout, FailureNotice } from '../../widgets/Notice.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { editLesson } from './draft.ts';
import styles from './Lessons.module.css';

const SaveSubmission = later(
  'Handing in',
  async () => (await import('./submissions/SaveSubmission.tsx')).SaveSubmission,
);

/** One lesson, which can be read from top to bottom without doing any of it. */
export function LessonView({ address }: { address: string }) {
  const opened = useLesson(address);
  if (!opened) return null;
  if (opened.ok) return <Whole opened={opened.value} />;
  return (
    <Callout kind="error" title={texts.own.wrong}>
      <p>{opened.error.message}</p>
      <p>{opened.error.advice}</p>
    </Callout>
  );
}

function Whole({ opened }: { opened: OpenedLesson }) {
  const { id, lesson } = opened;
  const { title, about, intro, question, choices, explanation } = lesson.texts;
  const progress = useLessonProgress(id);
  const isFinished = allDone(progress, lesson.tasks);
  return (
    <div className={styles.whole}>
      <div className={styles.lesson}>
        <Panel title={title} explanation={about}>
          <div className="stack">
            {id.startsWith('sent-') && <p className="soft">{texts.sent}</p>}
            <Paragraphs of={intro} />
          </div>
        </Panel>
        <Panel title={texts.predict.title}>
          <div className="stack">
            <Question
              question={question}
              choices={choices}
              answer={progress.prediction}
              onAnswer={(prediction) => noteProgress(id, { prediction })}
            />
            {progress.prediction !== undefined && <p className="soft">{texts.predict.kept}</p>}
          </div>
        </Panel>
        <SetUp opened={opened} />
      </div>
      <div className={styles.lesson}>
        <Panel title={texts.tasks.title}>
          <ol className={styles.tasks}>
            {lesson.tasks.map((_, i) => (
              <Task key={lesson.texts.tasks[i].title} opened={opened} at={i} />
            ))}
          </ol>
        </Panel>
        <details className={styles.explanation} open={isFinished || undefined}>
          <summary>{texts.after.title}</summary>
          {isFinished && <p className={styles.verdict}>{guessInWords(lesson, progress)}</p>}
          <Paragraphs of={explanation} />
        </details>
        {isFinished && <SaveSubmission opened={opened} />}
        <div className="row">
          {progress.began !== '' && (
            <Button icon="restart" onPress={() => forgetProgress(id)}>
              {texts.again}
            </Button>
          )}
          <Button icon="copy" onPress={() => editLesson(lesson)}>
            {texts.edit}
          </Button>
        </div>
      </div>
    </div>
  );
}

const Paragraphs = ({ of }: { of: readonly string[] }) =>
  of.map((paragraph) => <p key={paragraph}>{paragraph}</p>);

function SetUp({ opened }: { opened: OpenedLesson }) {
  const { lesson } = opened;
  const { prediction, started, at } = useLessonProgress(opened.id);
  const isCurrent = useCurrentLesson((state) => state.address === opened.address);
  const isLoaded = useApp((state) => state.models.length > 0);
  const isOpen = useApp((state) => runIsOpen(state.runState));
  const hasGpu = useApp((state) => engineOf(state) === 'gpu');
  const [onGpu, setOnGpu] = useState(false);
  const [error, setError] = useState<FailureValue>();
  const lines = isLoaded ? linesOf(lesson).map(({ title, value }) => `${title} ${value}`) : [];
  const network = (lesson.network as { title?: unknown } | undefined)?.title;
  if (typeof network === 'string') lines.unshift(texts.setUp.network(network.slice(0, 80)));
  const press = async () => {
    const done = await setUp(opened, onGpu);
    setError(done.ok ? undefined : done.error);
  };
  return (
    <Panel title={texts.setUp.title} explanation={texts.setUp.about}>
      <div className="stack">
        <p className="soft">
          {lines.length > 0 ? texts.setUp.sets(lines.join(' · ')) : texts.setUp.defaults}{' '}
          {isOpen && texts.setUp.stops} {texts.setUp.ready}
        </p>
        {hasGpu && (
          <>
            <p className="soft">{texts.setUp.cpu}</p>
            <label className="beside">
              <input type="checkbox" checked={onGpu} onChange={({ target }) => setOnGpu(target.checked)} />
              {texts.setUp.gpu}
            </label>
          </>
        )}
        <div className="row">
          <Button
            kind="primary"
            icon="flag"
            obstacle={
              prediction === undefined ? texts.setUp.predictFirst : isLoaded ? undefined : texts.setUp.loading
            }
            onPress={() => void press()}
          >
            {started ? texts.setUp.again : texts.setUp.button}
          </Button>
          {isCurrent && (
            <Button onPress={() => arriveAt(lesson.tasks[Math.min(at, lesson.tasks.length - 1)])}>
              {texts.setUp.resume}
            </Button>
          )}
          {prediction === undefined && <span className="soft">{texts.setUp.predictFirst}</span>}
        </div>
        {error && (
          <FailureNotice title={texts.setUp.failed} error={error} onDismiss={() => setError(undefined)} />
        )}
      </div>
    </Panel>
  );
}

/** A task to read: what its checks find now is in the panel beside the work. */
function Task({ opened: { id, lesson }, at }: { opened: OpenedLesson; at: number }) {
  const { title, text, choices, done } = lesson.texts.tasks[at];
  const progress = useLessonProgress(id);
  const isFinished = isDone(progress, at);
  const results = lesson.tasks[at].checks
    .filter(({ check }) => check !== 'answer')
    .map((check) => ({ check, value: undefined, holds: isFinished }));
  return (
    <li className="stack">
      <h3>
        {at + 1}. {title} {isFinished && <span className={styles.done}>{texts.tasks.done}</span>}
      </h3>
      <p>{text}</p>
      {choices && (
        <Question
          isSaid
          question={title}
          choices={choices}
          answer={progress.answers[at]?.at(-1)}
          onAnswer={(choice) => noteAnswer(id, at, choice)}
        />
      )}
      {isFinished ? <p className="soft">{done}</p> : <Checks results={results} />}
    </li>
  );
}

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Result } from '../../../../base/result.ts';
import { lessons as texts } from '../../../messages/lessons.ts';
import { usePad } from '../../../pad/pad-store.ts';
import { hrefOf, useRoute } from '../../../route.ts';
import { titleOfScreen } from '../../names.ts';
import { useApp } from '../../../state/store.ts';
import { Card } from '../../../tour/Card.tsx';
import card from '../../../tour/Card.module.css';
import { focusIn, LOOK_EVERY, shownTarget, useBeside } from '../../../tour/place.ts';
import { Button } from '../../../widgets/Button.tsx';
import { checkTask, type LessonCheckResult } from '../../../../lessons/checks.ts';
import { Checks } from './Checks.tsx';
import { PLACES, settingNamed } from '../../../../lessons/format.ts';
import styles from './Lesson.module.css';
import type { OpenedLesson } from '../library.ts';
import { evidenceNow, momentNow } from './moment.ts';
import { isDone, noteAnswer, noteDone, progressOf, useLessonProgress } from './progress.ts';
import { Question } from './Question.tsx';
import { endLesson, placeOf, setUpTask, showTask } from './set-up.ts';
import { useLesson } from '../use-lesson.ts';
import { guessInWords } from './words.ts';

/** The task of the lesson under way, beside the work: what to do, and what its checks find. Hidden on the lesson's own screen. */
export function LessonPanel({ address }: { address: string }) {
  const opened = useLesson(address);
  const { screen } = useRoute();
  if (!opened) return null;
  return opened.ok ? (
    <TaskCard opened={opened.value} isHidden={screen === 'lessons'} />
  ) : (
    screen !== 'lessons' && <Broken result={opened} />
  );
}

/** It cannot be opened any more: say so once, and let it go. */
function Broken({ result }: { result: Extract<Result<unknown>, { ok: false }> }) {
  const element = useRef<HTMLElement>(null);
  useBeside(element, undefined, result);
  return (
    <Card
      card={element}
      label={texts.panel.label}
      caption={texts.panel.wrong}
      close={texts.panel.end}
      onClose={() => void endLesson()}
    >
      <p className={card.words}>{result.error.message}</p>
    </Card>
  );
}

/** What the checks of a task find, looked at several times a second. A task is done when all hold at one moment. */
function useChecks({ id, lesson }: OpenedLesson, task: number): LessonCheckResult[] {
  const checks = lesson.tasks[task]?.checks;
  const [results, setResults] = useState<{ task: number; found: LessonCheckResult[] }>({ task, found: [] });
  const shown = useRef<{ task: number; image: Uint8Array | undefined }>(undefined);
  const look = useEffectEvent(() => {
    if (!checks) return;
    if (shown.current?.task !== task) shown.current = { task, image: usePad.getState().image };
    const progress = progressOf(id);
    const moment = momentNow(progress, task, shown.current.image);
    const found = checkTask(checks, moment);
    setResults((before) =>
      before.task === task && JSON.stringify(before.found) === JSON.stringify(found)
        ? before
        : { task, found },
    );
    if (found.every(({ holds }) => holds) && !isDone(progress, task))
      noteDone(
        id,
        task,
        evidenceNow(
          found.map(({ value = null }) => value),
          moment,
        ),
      );
  });
  useEffect(() => {
    const looking = setInterval(() => look(), LOOK_EVERY);
    return () => clearInterval(looking);
  }, []);
  return results.task === task ? results.found : [];
}

function TaskCard({ opened, isHidden }: { opened: OpenedLesson; isHidden: boolean }) {
  const { id, address, lesson } = opened;
  const progress = useLessonProgress(id);
  const { at } = progress;
  const results = useChecks(opened, at);
  const element = useRef<HTMLElement>(null);
  const [isSmall, setSmall] = useState(false);
  const task = lesson.tasks.at(at);
  const show = task?.show;
  const selector =
    show === undefined || isHidden || isSmall
      ? undefined
      : (PLACES[show] ?? `[data-setting="${settingNamed(show) ?? ''}"]`);
  useBeside(element, selector, `${at} ${String(isHidden)}`);
  if (isHidden) return null;
  return (
    <Card
      card={element}
      label={texts.panel.label}
      caption={`${lesson.texts.title} · ${task ? texts.panel.place(at + 1, lesson.tasks.length) : texts.panel.finished}`}
      close={texts.panel.end}
      onClose={() => void endLesson()}
      tools={
        <Button
          kind="quiet"
          icon={isSmall ? 'up' : 'down'}
          className="iconic"
          expanded={!isSmall}
          title={isSmall ? texts.panel.larger : texts.panel.smaller}
          onPress={() => setSmall(!isSmall)}
        >
          {isSmall ? texts.panel.larger : texts.panel.smaller}
        </Button>
      }
    >
      {!isSmall &&
        (task ? (
          <Task opened={opened} at={at} results={results} selector={selector} />
        ) : (
          <End opened={opened} />
        ))}
      <div className="row">
        {at > 0 && (
          <Button kind="quiet" onPress={() => showTask(opened, at - 1)}>
            {texts.panel.back}
          </Button>
        )}
        {!isSmall && (
          <a className="soft" href={hrefOf('lessons', address)}>
            {task ? texts.panel.open : texts.panel.read}
          </a>
        )}
        {!task && (
          <Button kind="primary" className={card.next} onPress={() => void endLesson()}>
            {texts.panel.end}
          </Button>
        )}
        {task && (
          <Button
            kind={isDone(progress, at) ? 'primary' : 'quiet'}
            className={card.next}
            onPress={() => showTask(opened, at + 1)}
          >
            {!isDone(progress, at)
              ? texts.panel.skip
              : at + 1 < lesson.tasks.length
                ? texts.panel.next
                : texts.panel.finish}
          </Button>
        )}
      </div>
    </Card>
  );
}

interface TaskProps {
  opened: OpenedLesson;
  at: number;
  results: LessonCheckResult[];
  /** Of what it marks. */
  selector: string | undefined;
}

function Task({ opened, at, results, selector }: TaskProps) {
  const { id, lesson } = opened;
  const { title, text, choices, done } = lesson.texts.tasks[at];
  const { show, settings, network, screen } = lesson.tasks[at];
  const progress = useLessonProgress(id);
  const isFinished = isDone(progress, at);
  // Later values say nothing about a task that is done.
  const evidence = progress.done[at];
  const found = evidence
    ? lesson.tasks[at].checks.map((check, i) => ({
        check,
        value: evidence.values[i] ?? undefined,
        holds: true,
      }))
    : results;
  const route = useRoute();
  const [place, view] = placeOf(lesson.tasks[at]);
  const isThere = (route.screen || 'train') === place && (view === '' || route.view === view);
  const setting = show === undefined ? undefined : settingNamed(show);
  const [error, setError] = useState<string>();
  const setUp = async () => {
    const answer = await setUpTask(opened, at);
    setError(answer.ok ? undefined : answer.error.message);
  };
  return (
    <div className={`${card.words} ${styles.task}`} aria-live="polite">
      <h2>{title}</h2>
      <p>{text}</p>
      {choices && (
        <>
          <Question
            isSaid
            question={title}
            choices={choices}
            answer={progress.answers[at]?.at(-1)}
            onAnswer={(choice) => noteAnswer(id, at, choice)}
          />
          {progress.answers[at]?.length > 0 && (
            <p className={isFinished ? card.outcome : styles.wrong}>
              {isFinished ? texts.tasks.right : texts.tasks.wrong}
            </p>
          )}
        </>
      )}
      <Checks
        found={evidence ? 'reached' : 'now'}
        results={found.filter(({ check }) => check.check !== 'answer')}
      />
      {isFinished && <p className={card.outcome}>{done}</p>}
      {error !== undefined && <p className={styles.wrong}>{error}</p>}
      {!isFinished && (
        <div className="row">
          {(settings ?? network) && <Button onPress={() => void setUp()}>{texts.tasks.setUp}</Button>}
          {!isThere && screen !== undefined && (
            <a href={hrefOf(place, view)}>{texts.panel.go(titleOfScreen(place))}</a>
          )}
          {isThere && show !== undefined && (
            <Button
              onPress={() =>
                setting === undefined
                  ? focusIn(shownTarget(selector))
                  : useApp.setState({ sought: { name: setting } })
              }
            >
              {texts.panel.show}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** After the last task: whether the guess at the beginning was right. */
const End = ({ opened: { id, lesson } }: { opened: OpenedLesson }) => (
  <div className={`${card.words} ${styles.task}`} aria-live="polite">
    <h2>{texts.panel.finished}</h2>
    <p>{guessInWords(lesson, useLessonProgress(id))}</p>
    <p>{lesson.texts.explanation[0]}</p>
  </div>
);

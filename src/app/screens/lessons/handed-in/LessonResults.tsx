import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { ok, type Result } from '../../../../base/result.ts';
import { stepOf } from '../../../../run/handed-in/losses.ts';
import { ask } from '../../../client.ts';
import { useAnswer } from '../../../components/use-answer.ts';
import * as format from '../../../format.ts';
import type { Lesson } from '../../../lessons/format.ts';
import { contentOf } from '../../../lessons/hand-in.ts';
import { builtIn } from '../../../lessons/library.ts';
import { lessonTitles } from '../../../lessons/titles.ts';
import { handingIn } from '../../../messages/handing-in.ts';
import { showValue } from '../../../metrics/show.ts';
import { DataTable } from '../../../widgets/DataTable.tsx';
import { Panel } from '../../../widgets/Panel.tsx';
import { RunCurves } from '../../runs/RunCurves.tsx';
import styles from './HandedIn.module.css';
import { keyOfRun, useHandedIn, type HandedEntry } from './store.ts';
import { unmetTasks } from './unmet.ts';
import { wordsOf } from './words.ts';

const { teacher: texts, verdict: verdictTexts } = handingIn;

/** A lesson of the page, and whether it is the one that was done. */
interface Known {
  lesson: Lesson | undefined;
  isSame: boolean;
}

async function lessonOf(name: string, content: string): Promise<Result<Known>> {
  if (!lessonTitles.some((one) => one.name === name)) return ok({ lesson: undefined, isSame: true });
  const { lesson } = await builtIn(name);
  const here = await ask((api) => api['handing-in'].fingerprint(contentOf(lesson)));
  return here.ok ? ok({ lesson, isSame: here.value === content }) : here;
}

const nameOf = ({ handIn }: HandedEntry): string => handIn.name ?? texts.unnamed;

/** All results of one lesson: who did what, and whether each comes out again. */
export function LessonResults({ entries }: { entries: readonly HandedEntry[] }) {
  const [{ handIn }] = entries;
  const { name, title, content } = handIn.lesson;
  const known = useAnswer(`${name} ${content}`, () => lessonOf(name, content));
  const { lesson, isSame = true } = known?.ok ? known.value : {};
  return (
    <Panel title={title}>
      <div className="stack">
        {known?.ok && !lesson && <p className="soft">{texts.unknownLesson}</p>}
        {!isSame && <p className="soft">{texts.otherLesson}</p>}
        <Answers title={title} entries={entries} lesson={isSame ? lesson : undefined} />
        <Runs title={title} entries={entries} />
      </div>
    </Panel>
  );
}

interface AnswersProps {
  title: string;
  entries: readonly HandedEntry[];
  /** Whose texts are known. */
  lesson: Lesson | undefined;
}

function Answers({ title, entries, lesson }: AnswersProps) {
  const { columns } = texts;
  const said = (choices: readonly string[] | undefined, number: number | undefined) =>
    number === undefined ? texts.none : (choices?.[number - 1] ?? texts.answer(number));
  // Tasks that somebody answered.
  const asked = Array.from(
    { length: Math.max(...entries.map(({ handIn }) => handIn.answers.length)) },
    (_, i) => i,
  ).filter((i) => entries.some(({ handIn }) => (handIn.answers[i] ?? []).length > 0));
  return (
    <DataTable
      caption={texts.answers(title)}
      region={texts.answers(title)}
      stacked
      rows={entries}
      keyOf={({ code }) => code}
      columns={[
        { title: columns.name, render: nameOf },
        { title: columns.code, render: ({ code }) => <code>{code}</code> },
        { title: columns.guess, render: ({ handIn }) => said(lesson?.texts.choices, handIn.prediction) },
        ...asked.map((i) => ({
          title: columns.answer(i + 1),
          render: ({ handIn }: HandedEntry) => {
            const answers = handIn.answers[i] ?? [];
            const last = said(lesson?.texts.tasks[i]?.choices, answers.at(-1));
            return answers.length > 1 ? texts.tries(last, answers.length) : last;
          },
        })),
        { title: columns.done, number: true, render: (entry) => <Done entry={entry} lesson={lesson} /> },
        { title: columns.took, number: true, render: ({ handIn }) => tookOf(handIn) },
      ]}
    />
  );
}

function Done({ entry, lesson }: { entry: HandedEntry; lesson: Lesson | undefined }) {
  const { handIn } = entry;
  const { done } = handIn;
  const again = useHandedIn(
    useShallow(({ recomputed }) => handIn.runs.map((_, run) => recomputed[keyOfRun(entry, run)])),
  );
  const unmet = useMemo(() => (lesson ? unmetTasks(lesson, handIn, again) : []), [lesson, handIn, again]);
  return (
    <>
      {texts.ofTasks(done.filter(Boolean).length, done.length)}
      {unmet.length > 0 && <p>{texts.unmet(unmet)}</p>}
    </>
  );
}

/** From its beginning to the last task that was done. */
function tookOf({ began, done }: HandedEntry['handIn']): string {
  const times = done.flatMap((task) => (task ? [Date.parse(task.at)] : []));
  const ms = Math.max(...times) - Date.parse(began);
  return times.length > 0 && ms >= 0 ? format.seconds(ms / 1000) : texts.none;
}

interface Row {
  key: string;
  entry: HandedEntry;
  run: number;
  label: string;
}

function Runs({ title, entries }: { title: string; entries: readonly HandedEntry[] }) {
  const { columns } = texts;
  const rows = useMemo(
    () =>
      entries.flatMap((entry): Row[] =>
        entry.handIn.runs.map((_, run) => ({
          key: keyOfRun(entry, run),
          entry,
          run,
          label: texts.runOf(nameOf(entry), 1 + entry.handIn.done.findLastIndex((task) => task?.run === run)),
        })),
      ),
    [entries],
  );
  const [names, lines] = useMemo(() => [rows.map(({ label }) => label), rows.map(lineOf)], [rows]);
  if (rows.length === 0) return <p className="soft">{texts.noRuns}</p>;
  const runOf = ({ entry, run }: Row) => entry.handIn.runs[run];
  return (
    <>
      <DataTable
        caption={texts.runs(title)}
        region={texts.runs(title)}
        stacked
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { title: columns.run, render: ({ label }) => label },
          { title: columns.again, render: (row) => <Verdict row={row} /> },
          {
            title: columns.test,
            number: true,
            render: (row) => {
              const accuracy = runOf(row).test?.testAccuracy ?? undefined;
              return accuracy === undefined ? texts.none : format.accuracy(accuracy);
            },
          },
          { title: columns.steps, number: true, render: (row) => format.count(runOf(row).steps) },
          { title: columns.seed, number: true, render: (row) => runOf(row).settings.seed },
          { title: columns.engine, render: (row) => runOf(row).engine.toUpperCase() },
        ]}
      />
      <RunCurves
        title={texts.losses}
        names={names}
        lines={lines}
        axis="step"
        formatValue={format.loss}
        formatTick={showValue.loss.tick}
      />
    </>
  );
}

function lineOf({ entry, run }: Row) {
  const { steps, losses } = entry.handIn.runs[run];
  const y = [...entry.losses[run]];
  return {
    x: y.map((_, i) => stepOf(i, losses.every, steps)),
    y,
    diverged: y.some((loss) => !Number.isFinite(loss)),
  };
}

function Verdict({ row: { key, entry, run } }: { row: Row }) {
  const verdict = useHandedIn(({ recomputed }) => recomputed[key]?.verdict);
  const isRunning = useHandedIn(({ again }) => again?.run === key);
  if (isRunning) return <span className="soft">{verdictTexts.running}</span>;
  if (!verdict) return <span className="soft">{verdictTexts.waiting}</span>;
  const { word, why } = wordsOf(verdict, entry.handIn.runs[run]);
  return (
    <span>
      <strong data-verdict={verdict.how} className={styles.verdict}>
        {word}
      </strong>{' '}
      <span className="numbers">{why}</span>
    </span>
  );
}

import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { ok, type Result } from '../../../../base/result.ts';
import { stepOf, unpackLosses } from '../../../../lessons/losses.ts';
import { fingerprintOf } from '../../../../lessons/submission.ts';
import { useAnswer } from '../../../components/use-answer.ts';
import * as format from '../../../format.ts';
import type { Lesson } from '../../../../lessons/format.ts';
import { builtIn } from '../library.ts';
import { lessonTitles } from '../titles.ts';
import { lessons } from '../../../messages/lessons.ts';
import { showValue } from '../../../metrics/show.ts';
import { DataTable } from '../../../widgets/DataTable.tsx';
import { Panel } from '../../../widgets/Panel.tsx';
import { RunCurves } from '../../runs/RunCurves.tsx';
import { keyOfRun, useSubmissions, type SubmissionEntry } from './store.ts';
import { unmetTasks } from './unmet.ts';
import { Verdict } from './Verdict.tsx';

const { teacher: texts } = lessons.submissions;

/** A lesson of the page, and whether it is the one that was done. */
interface Known {
  lesson: Lesson | undefined;
  isSame: boolean;
}

async function lessonOf(name: string, content: string): Promise<Result<Known>> {
  if (!lessonTitles.some((one) => one.name === name)) return ok({ lesson: undefined, isSame: true });
  const { lesson } = await builtIn(name);
  return ok({ lesson, isSame: (await fingerprintOf(lesson)) === content });
}

const nameOf = ({ submission }: SubmissionEntry): string => submission.name ?? texts.unnamed;

/** All submissions of one lesson: who did what, and what recomputing it shows. */
export function LessonSubmissions({ entries }: { entries: readonly SubmissionEntry[] }) {
  const [{ submission }] = entries;
  const { name, title, content } = submission.lesson;
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
  entries: readonly SubmissionEntry[];
  /** Whose texts are known. */
  lesson: Lesson | undefined;
}

function Answers({ title, entries, lesson }: AnswersProps) {
  const { columns } = texts;
  const said = (choices: readonly string[] | undefined, number: number | undefined) =>
    number === undefined ? texts.none : (choices?.[number - 1] ?? texts.answer(number));
  // Tasks that somebody answered.
  const asked = Array.from(
    { length: Math.max(...entries.map(({ submission }) => submission.answers.length)) },
    (_, i) => i,
  ).filter((i) => entries.some(({ submission }) => (submission.answers[i] ?? []).length > 0));
  return (
    <DataTable
      caption={texts.answers(title)}
      region={texts.answers(title)}
      stacked
      rows={entries}
      keyOf={({ code }) => code}
      columns={[
        { title: columns.name, render: nameOf },
        {
          title: columns.guess,
          render: ({ submission }) => said(lesson?.texts.choices, submission.prediction),
        },
        ...asked.map((i) => ({
          title: columns.answer(i + 1),
          render: ({ submission }: SubmissionEntry) => {
            const answers = submission.answers[i] ?? [];
            const last = said(lesson?.texts.tasks[i]?.choices, answers.at(-1));
            return answers.length > 1 ? texts.tries(last, answers.length) : last;
          },
        })),
        { title: columns.done, number: true, render: (entry) => <Done entry={entry} lesson={lesson} /> },
        { title: columns.took, number: true, render: ({ submission }) => tookOf(submission) },
      ]}
    />
  );
}

function Done({ entry, lesson }: { entry: SubmissionEntry; lesson: Lesson | undefined }) {
  const { submission } = entry;
  const { done } = submission;
  const recomputed = useSubmissions(
    useShallow((state) => submission.runs.map((_, run) => state.recomputed[keyOfRun(entry, run)])),
  );
  const unmet = useMemo(
    () => (lesson ? unmetTasks(lesson, submission, recomputed) : []),
    [lesson, submission, recomputed],
  );
  return (
    <>
      {texts.ofTasks(done.filter(Boolean).length, done.length)}
      {unmet.length > 0 && <p>{texts.unmet(unmet)}</p>}
    </>
  );
}

/** From its beginning to the last task that was done. */
function tookOf({ began, done }: SubmissionEntry['submission']): string {
  const times = done.flatMap((task) => (task ? [Date.parse(task.at)] : []));
  const ms = Math.max(...times) - Date.parse(began);
  return times.length > 0 && ms >= 0 ? format.seconds(ms / 1000) : texts.none;
}

interface Row {
  key: string;
  entry: SubmissionEntry;
  run: number;
  label: string;
}

function Runs({ title, entries }: { title: string; entries: readonly SubmissionEntry[] }) {
  const { columns } = texts;
  const rows = useMemo(
    () =>
      entries.flatMap((entry): Row[] =>
        entry.submission.runs.map((_, run) => ({
          key: keyOfRun(entry, run),
          entry,
          run,
          label: texts.runOf(
            nameOf(entry),
            1 + entry.submission.done.findLastIndex((task) => task?.run === run),
          ),
        })),
      ),
    [entries],
  );
  const [names, lines] = useMemo(() => [rows.map(({ label }) => label), rows.map(lineOf)], [rows]);
  if (rows.length === 0) return <p className="soft">{texts.noRuns}</p>;
  const runOf = ({ entry, run }: Row) => entry.submission.runs[run];
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
          {
            title: columns.verdict,
            render: ({ key, entry, run }) => <Verdict at={key} run={entry.submission.runs[run]} />,
          },
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
  const { steps, losses } = entry.submission.runs[run];
  const y = [...(unpackLosses(losses) ?? [])];
  return {
    x: y.map((_, i) => stepOf(i, losses.every, steps)),
    y,
    diverged: y.some((loss) => !Number.isFinite(loss)),
  };
}

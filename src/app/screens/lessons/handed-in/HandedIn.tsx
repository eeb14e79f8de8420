import { useMemo, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { ok, type Result } from '../../../../base/result.ts';
import { useAnswer } from '../../../components/use-answer.ts';
import { ask } from '../../../client.ts';
import * as format from '../../../format.ts';
import { contentOf } from '../../../lessons/hand-in.ts';
import { builtIn } from '../../../lessons/library.ts';
import type { Lesson } from '../../../lessons/format.ts';
import { lessonTitles } from '../../../lessons/titles.ts';
import { handingIn } from '../../../messages/handing-in.ts';
import { showValue } from '../../../metrics/show.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Choice } from '../../../widgets/Choice.tsx';
import { DataTable } from '../../../widgets/DataTable.tsx';
import { DropArea } from '../../../widgets/DropArea.tsx';
import { FileButton } from '../../../widgets/FileButton.tsx';
import { Callout, FailureNotice } from '../../../widgets/Notice.tsx';
import { Panel } from '../../../widgets/Panel.tsx';
import { RunCurves } from '../../runs/RunCurves.tsx';
import { stepOf } from '../../../../run/handed-in/losses.ts';
import {
  clearHandIns,
  computeAllAgain,
  dismissFailures,
  keyOfRun,
  stopAgain,
  takeHandIns,
  useHandedIn,
  type Again as AgainState,
  type HandedEntry,
  type AgainSample,
} from './store.ts';
import styles from './HandedIn.module.css';
import { unmetTasks } from './unmet.ts';
import { wordsOf } from './words.ts';

const { teacher: texts, again: againTexts, verdict: verdictTexts } = handingIn;

/** For teachers: who did what, side by side, and whether each result comes out again. */
export function HandedIn() {
  const entries = useHandedIn((state) => state.entries);
  const lessons = useMemo(() => byLesson(entries), [entries]);
  return (
    <div className={styles.all}>
      <Files />
      {entries.some(({ handIn }) => handIn.runs.length > 0) && <Again />}
      {[...lessons].map(([key, group]) => (
        <Group key={key} entries={group} />
      ))}
    </div>
  );
}

function byLesson(entries: readonly HandedEntry[]): ReadonlyMap<string, HandedEntry[]> {
  const lessons = new Map<string, HandedEntry[]>();
  for (const entry of entries) {
    const { name, content } = entry.handIn.lesson;
    const key = `${name} ${content}`;
    lessons.set(key, [...(lessons.get(key) ?? []), entry]);
  }
  return lessons;
}

function Files() {
  const { entries, failures, reading } = useHandedIn();
  return (
    <Panel title={texts.title} explanation={texts.about}>
      <div className="stack">
        <DropArea onDrop={({ files }) => void takeHandIns([...files])}>
          <p>{texts.drop}</p>
          <FileButton
            label={texts.label}
            accept=".json,.zip,application/json,application/zip"
            icon="upload"
            multiple
            onFiles={(files) => void takeHandIns(files)}
          >
            {texts.choose}
          </FileButton>
        </DropArea>
        <div className="row">
          <span role="status" className="soft">
            {reading ? texts.reading : entries.length > 0 ? texts.read(entries.length) : ''}
          </span>
          {entries.length > 0 && (
            <Button icon="trash" onPress={clearHandIns}>
              {texts.clear}
            </Button>
          )}
        </div>
        {failures.length > 0 && (
          <Callout kind="error" title={texts.failed(failures.length)} onDismiss={dismissFailures}>
            <ul>
              {failures.map(({ name, error }) => (
                <li key={`${name} ${error.message}`}>{error.message}</li>
              ))}
            </ul>
          </Callout>
        )}
      </div>
    </Panel>
  );
}

function Again() {
  const again = useHandedIn((state) => state.again);
  const [sample, setSample] = useState<AgainSample>('all');
  const isRunning = again?.run !== undefined;
  return (
    <Panel title={againTexts.title} explanation={againTexts.about}>
      <div className="stack">
        <Choice
          label={againTexts.sample}
          value={sample}
          options={againTexts.samples}
          onChange={(chosen) => setSample(chosen)}
        />
        <div className="row">
          {isRunning ? (
            <Button icon="stop" onPress={stopAgain}>
              {againTexts.stop}
            </Button>
          ) : (
            <Button kind="primary" icon="play" onPress={() => void computeAllAgain(sample)}>
              {againTexts.start}
            </Button>
          )}
          {again && <span className="soft numbers">{progressOf(again)}</span>}
        </div>
        <p className="soft">{againTexts.fair}</p>
        {again?.error && <FailureNotice title={againTexts.failed} error={again.error} />}
      </div>
    </Panel>
  );
}

function progressOf({ run, done, of, step, steps, ms, stopped }: AgainState): string {
  const time = format.seconds(ms / 1000);
  if (run !== undefined) return againTexts.running(done + 1, of, step, steps, time);
  return stopped ? againTexts.stopped(done, time) : againTexts.finished(done, time);
}

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

/** All results of one lesson. */
function Group({ entries }: { entries: readonly HandedEntry[] }) {
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
              return accuracy === undefined ? texts.none : format.percent(accuracy);
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

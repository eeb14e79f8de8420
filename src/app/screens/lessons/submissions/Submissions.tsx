import { useMemo, useState } from 'react';
import { lessons } from '../../../messages/lessons.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Choice } from '../../../widgets/Choice.tsx';
import { DropArea } from '../../../widgets/DropArea.tsx';
import { FileButton } from '../../../widgets/FileButton.tsx';
import { Callout, FailureNotice } from '../../../widgets/Notice.tsx';
import { Panel } from '../../../widgets/Panel.tsx';
import { LessonSubmissions } from './LessonSubmissions.tsx';
import {
  addSubmissions,
  clearSubmissions,
  dismissFailures,
  recomputeAll,
  stopRecomputing,
  useSubmissions,
  type RecomputedPart,
  type Recomputing,
  type SubmissionEntry,
} from './store.ts';
import styles from './Submissions.module.css';

const { teacher: texts, recompute: recomputeTexts } = lessons.submissions;

/** For teachers: who did what, side by side, and whether each result comes out again. */
export function Submissions() {
  const entries = useSubmissions((state) => state.entries);
  const groups = useMemo(() => byLesson(entries), [entries]);
  return (
    <div className={styles.all}>
      <Files />
      {entries.some(({ submission }) => submission.runs.length > 0) && <Recompute />}
      {[...groups].map(([key, group]) => (
        <LessonSubmissions key={key} entries={group} />
      ))}
    </div>
  );
}

function byLesson(entries: readonly SubmissionEntry[]): ReadonlyMap<string, SubmissionEntry[]> {
  const groups = new Map<string, SubmissionEntry[]>();
  for (const entry of entries) {
    const { name, content } = entry.submission.lesson;
    const key = `${name} ${content}`;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return groups;
}

function Files() {
  const { entries, failures, reading } = useSubmissions();
  return (
    <Panel title={texts.title} explanation={texts.about}>
      <div className="stack">
        <DropArea onDrop={({ files }) => void addSubmissions([...files])}>
          <p>{texts.drop}</p>
          <FileButton
            label={texts.label}
            accept=".json,.zip,application/json,application/zip"
            icon="upload"
            multiple
            onFiles={(files) => void addSubmissions(files)}
          >
            {texts.choose}
          </FileButton>
        </DropArea>
        <div className="row">
          <span role="status" className="soft">
            {reading ? texts.reading : entries.length > 0 ? texts.read(entries.length) : ''}
          </span>
          {entries.length > 0 && (
            <Button icon="trash" onPress={clearSubmissions}>
              {texts.clear}
            </Button>
          )}
        </div>
        {failures.length > 0 && (
          <Callout kind="error" title={texts.failed(failures.length)} onDismiss={dismissFailures}>
            <ul>
              {failures.map(({ error }) => (
                <li key={error.message}>{error.message}</li>
              ))}
            </ul>
          </Callout>
        )}
      </div>
    </Panel>
  );
}

function Recompute() {
  const recomputing = useSubmissions((state) => state.recomputing);
  const [part, setPart] = useState<RecomputedPart>('all');
  const isRunning = recomputing?.run !== undefined;
  return (
    <Panel title={recomputeTexts.title} explanation={recomputeTexts.about}>
      <div className="stack">
        <Choice label={recomputeTexts.part} value={part} options={recomputeTexts.parts} onChange={setPart} />
        <div className="row">
          {isRunning ? (
            <Button icon="stop" onPress={stopRecomputing}>
              {recomputeTexts.stop}
            </Button>
          ) : (
            <Button kind="primary" icon="play" onPress={() => void recomputeAll(part)}>
              {recomputeTexts.start}
            </Button>
          )}
          {recomputing && <span className="soft numbers">{progressOf(recomputing)}</span>}
        </div>
        <p className="soft">{recomputeTexts.fair}</p>
        {recomputing?.error && <FailureNotice title={recomputeTexts.failed} error={recomputing.error} />}
      </div>
    </Panel>
  );
}

const progressOf = ({ run, done, of, stopped }: Recomputing): string =>
  run !== undefined
    ? recomputeTexts.running(done + 1, of)
    : recomputeTexts[stopped ? 'stopped' : 'finished'](done);

import { useMemo, useState } from 'react';
import { droppedFiles } from '../../../files.ts';
import * as format from '../../../format.ts';
import { handingIn } from '../../../messages/handing-in.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Choice } from '../../../widgets/Choice.tsx';
import { DropArea } from '../../../widgets/DropArea.tsx';
import { FileButton } from '../../../widgets/FileButton.tsx';
import { Callout, FailureNotice } from '../../../widgets/Notice.tsx';
import { Panel } from '../../../widgets/Panel.tsx';
import {
  clearHandIns,
  computeAllAgain,
  dismissFailures,
  stopAgain,
  takeHandIns,
  useHandedIn,
  type Again as AgainState,
  type HandedEntry,
  type AgainSample,
} from './store.ts';
import styles from './HandedIn.module.css';
import { LessonResults } from './LessonResults.tsx';

const { teacher: texts, again: againTexts } = handingIn;

/** For teachers: who did what, side by side, and whether each result comes out again. */
export function HandedIn() {
  const entries = useHandedIn((state) => state.entries);
  const lessons = useMemo(() => byLesson(entries), [entries]);
  return (
    <div className={styles.all}>
      <Files />
      {entries.some(({ handIn }) => handIn.runs.length > 0) && <Again />}
      {[...lessons].map(([key, group]) => (
        <LessonResults key={key} entries={group} />
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
        <DropArea onDrop={(dropped) => void droppedFiles(dropped).then(takeHandIns, () => undefined)}>
          <p>{texts.drop}</p>
          <FileButton
            label={texts.label}
            accept=".json,.zip,application/json,application/zip"
            icon="upload"
            multiple
            onFiles={(files) => void takeHandIns(files.map((file) => ({ path: file.name, file })))}
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

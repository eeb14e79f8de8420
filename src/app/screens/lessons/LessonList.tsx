import { useState } from 'react';
import { ok, type FailureValue } from '../../../base/result.ts';
import { useAnswer } from '../../components/use-answer.ts';
import { addressOfLesson, allLessons, checkedLesson, type OpenedLesson } from './library.ts';
import { allDone, useProgress } from './player/progress.ts';
import { lessons as texts } from '../../messages/lessons.ts';
import { go, hrefOf } from '../../route.ts';
import { FileButton } from '../../widgets/FileButton.tsx';
import { Icon } from '../../widgets/Icon.tsx';
import { FailureNotice } from '../../widgets/Notice.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import styles from './Lessons.module.css';

/** The lessons that the page comes with, how far each is done, and where to make or open others. */
export function LessonList() {
  const lessons = useAnswer('all', async () => ok(await allLessons()));
  return (
    <div className="column">
      <ol className={styles.list} aria-label={texts.list.title}>
        {lessons?.ok && lessons.value.map((opened) => <Entry key={opened.id} opened={opened} />)}
      </ol>
      <Own />
      <Panel title={texts.teachers.title} explanation={texts.teachers.about}>
        <a href={hrefOf('lessons', 'submissions')}>{texts.teachers.open}</a>
      </Panel>
    </div>
  );
}

function Entry({ opened: { id, address, lesson } }: { opened: OpenedLesson }) {
  const progress = useProgress((state) => state.lessons[id]);
  const { title, about } = lesson.texts;
  const { tasks } = lesson;
  const done = progress?.done.filter(Boolean).length ?? 0;
  return (
    <li>
      <a href={hrefOf('lessons', address)} className={styles.entry}>
        <strong>{title}</strong>
        <span className="soft">{about}</span>
        <span className="fine">
          {progress && allDone(progress, tasks) ? (
            <span className={styles.done}>
              <Icon name="check" /> {texts.list.done}
            </span>
          ) : done > 0 ? (
            texts.list.begun(done, tasks.length)
          ) : (
            texts.list.tasks(tasks.length)
          )}
        </span>
      </a>
    </li>
  );
}

function Own() {
  const [error, setError] = useState<FailureValue>();
  const open = async (file: File) => {
    const read = await checkedLesson(file.name, await file.text());
    setError(read.ok ? undefined : read.error);
    // One mechanism for what somebody sent: a file becomes an address.
    if (read.ok) go(`${hrefOf('lessons')}/${await addressOfLesson(read.value)}`);
  };
  return (
    <Panel title={texts.own.title} explanation={texts.own.about}>
      <div className="stack">
        <div className="row">
          <a href={hrefOf('lessons', 'new')}>{texts.own.make}</a>
          <FileButton
            label={texts.own.file}
            accept=".json,application/json"
            icon="upload"
            onFiles={([file]) => void open(file)}
          >
            {texts.own.open}
          </FileButton>
        </div>
        {error && (
          <FailureNotice title={texts.own.wrong} error={error} onDismiss={() => setError(undefined)} />
        )}
      </div>
    </Panel>
  );
}

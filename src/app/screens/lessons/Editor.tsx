import { useState } from 'react';
import { lessonText, type Lesson } from '../../../lessons/format.ts';
import { addressOfLesson, checkedLesson } from './library.ts';
import { linesOf } from './player/set-up.ts';
import { copyText } from '../../clipboard.ts';
import { useAnswer } from '../../components/use-answer.ts';
import { download } from '../../download.ts';
import { lessons } from '../../messages/lessons.ts';
import { go, hrefOf } from '../../route.ts';
import { useApp } from '../../state/store.ts';
import { Button } from '../../widgets/Button.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { newDraft, setDraft, takeSettings, useDraft } from './draft.ts';
import { Line, Paragraphs, Pick } from './fields.tsx';
import styles from './Lessons.module.css';
import { TaskForm } from './TaskForm.tsx';

const texts = lessons.editor;

/** Makes a lesson from what is set now. Its link or file is all that others need. */
export function Editor() {
  const draft = useDraft((state) => state.draft);
  if (draft) return <Form draft={draft} />;
  return (
    <div className={styles.lesson}>
      <Panel title={texts.title} explanation={texts.beginAbout}>
        <Button kind="primary" icon="plus" onPress={() => void newDraft()}>
          {texts.begin}
        </Button>
      </Panel>
    </div>
  );
}

function Form({ draft }: { draft: Lesson }) {
  const { texts: words, tasks } = draft;
  const isLoaded = useApp((state) => state.models.length > 0);
  const lines = isLoaded ? linesOf(draft).map(({ title, value }) => `${title} ${value}`) : [];
  const change = (changes: Partial<Lesson>) => setDraft({ ...draft, ...changes });
  const say = (changes: Partial<Lesson['texts']>) => change({ texts: { ...words, ...changes } });
  return (
    <div className={styles.lesson}>
      <Panel title={texts.lesson} explanation={texts.about}>
        <div className="stack">
          <p className="soft">
            {lines.length > 0 ? texts.settings(lines.join(' · ')) : lessons.setUp.defaults}
          </p>
          <div className="row">
            <Button onPress={() => void takeSettings()}>{texts.take}</Button>
          </div>
          <Line label={texts.name} value={words.title} onChange={(title) => say({ title })} />
          <Line label={texts.line} value={words.about} onChange={(about) => say({ about })} />
          <Paragraphs label={texts.intro} value={words.intro} onChange={(intro) => say({ intro })} />
          <Line label={texts.question} value={words.question} onChange={(question) => say({ question })} />
          <Paragraphs
            label={texts.choices}
            between={'\n'}
            value={words.choices}
            onChange={(choices) => say({ choices })}
          />
          <Pick
            label={texts.right}
            value={String(draft.right)}
            options={[...words.choices.map((_, i) => i + 1), draft.right].map(String)}
            titleOf={(number) => words.choices[Number(number) - 1] ?? number}
            onChange={(right) => change({ right: Number(right) })}
          />
        </div>
      </Panel>
      {tasks.map((_, i) => (
        // Tasks have no other identity than their place.
        // oxlint-disable-next-line react/no-array-index-key
        <TaskForm key={`${tasks.length} ${i}`} draft={draft} at={i} change={change} />
      ))}
      <div className="row">
        <Button
          icon="plus"
          onPress={() =>
            change({
              tasks: [...tasks, { checks: [{ check: 'epochs', atLeast: 1 }] }],
              texts: { ...words, tasks: [...words.tasks, { ...texts.example.tasks[0] }] },
            })
          }
        >
          {texts.addTask}
        </Button>
      </div>
      <Panel title={lessons.after.title}>
        <Paragraphs
          label={texts.explanation}
          value={words.explanation}
          onChange={(explanation) => say({ explanation })}
        />
      </Panel>
      <Finish draft={draft} />
    </div>
  );
}

/** What is wrong with it still, and the ways out. */
function Finish({ draft }: { draft: Lesson }) {
  const isLoaded = useApp((state) => state.models.length > 0);
  const text = lessonText(draft);
  const checked = useAnswer(isLoaded ? text : undefined, () => checkedLesson(texts.title, text));
  const [said, setSaid] = useState('');
  const obstacle = !checked ? texts.checking : checked.ok ? undefined : checked.error.message;
  const linkTo = async () => `${hrefOf('lessons')}/${await addressOfLesson(draft)}`;
  const copy = async () => {
    const link = linkTo().then((hash) => new URL(hash, location.href).href);
    setSaid((await copyText(link)) ? texts.copied : texts.notCopied(await link));
  };
  return (
    <div className="stack">
      <p role="status" className="soft">
        {obstacle === undefined ? texts.ready : checked ? `${texts.wrong} ${obstacle}` : obstacle}
      </p>
      <div className="row">
        <Button kind="primary" icon="play" obstacle={obstacle} onPress={() => void linkTo().then(go)}>
          {texts.tryIt}
        </Button>
        <Button icon="link" obstacle={obstacle} onPress={() => void copy()}>
          {texts.copy}
        </Button>
        <Button
          icon="download"
          obstacle={obstacle}
          onPress={() => download('lesson.json', 'application/json', text)}
        >
          {texts.download}
        </Button>
        <Button icon="trash" onPress={() => setDraft(undefined)}>
          {texts.remove}
        </Button>
        <span role="status" className="soft">
          {said}
        </span>
      </div>
    </div>
  );
}

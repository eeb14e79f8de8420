import { useState } from 'react';
import type { LessonCheck, CheckName } from '../../lessons/checks.ts';
import { CHECK_NAMES, kindOf } from '../../lessons/checks.ts';
import {
  CHECKED_SETTINGS,
  lessonText,
  OPS,
  PLACE_NAMES,
  type Lesson,
  type LessonTask,
} from '../../lessons/format.ts';
import { addressOfLesson, checkedLesson, namesHere } from '../../lessons/library.ts';
import { linesOf } from '../../lessons/set-up.ts';
import { copyText } from '../../clipboard.ts';
import { useAnswer } from '../../components/use-answer.ts';
import { download } from '../../download.ts';
import { lessons } from '../../messages/lessons.ts';
import { go, hrefOf } from '../../route.ts';
import { useApp } from '../../state/store.ts';
import { Button } from '../../widgets/Button.tsx';
import { Labelled } from '../../widgets/Labelled.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { newDraft, setDraft, takeSettings, useDraft } from './draft.ts';
import styles from './Lessons.module.css';

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
          <NumberLine
            label={texts.right}
            value={draft.right}
            onChange={(right) => change({ right: right ?? 1 })}
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

interface TaskFormProps {
  draft: Lesson;
  at: number;
  change(changes: Partial<Lesson>): void;
}

function TaskForm({ draft, at, change }: TaskFormProps) {
  const { tasks, texts: words } = draft;
  const [task, said] = [tasks[at], words.tasks[at]];
  const set = (changes: Partial<LessonTask>) =>
    change({ tasks: tasks.with(at, cleared({ ...task, ...changes })) });
  const say = (changes: Partial<typeof said>) =>
    change({ texts: { ...words, tasks: words.tasks.with(at, cleared({ ...said, ...changes })) } });
  const { checks } = task;
  return (
    <Panel title={texts.task(at + 1)}>
      <div className="stack">
        <Line label={texts.taskName} value={said.title} onChange={(title) => say({ title })} />
        <Paragraphs
          label={texts.text}
          value={[said.text]}
          onChange={(parts) => say({ text: parts.join('\n\n') })}
        />
        {checks.some(({ check }) => check === 'answer') && (
          <Paragraphs
            label={texts.answers}
            between={'\n'}
            value={said.choices ?? []}
            onChange={(choices) => say({ choices })}
          />
        )}
        <Line label={texts.done} value={said.done} onChange={(done) => say({ done })} />
        <div className="row">
          <Pick
            label={texts.screen}
            value={task.screen ?? 'train'}
            options={[...new Set([...namesHere().screens, task.screen ?? 'train'])]}
            onChange={(screen) => set({ screen: screen === 'train' ? undefined : screen })}
          />
          <Pick
            label={texts.show}
            value={task.show ?? texts.nothing}
            options={[texts.nothing, ...PLACE_NAMES]}
            onChange={(show) => set({ show: show === texts.nothing ? undefined : show })}
          />
        </div>
        {checks.map((check, i) => (
          <CheckForm
            // oxlint-disable-next-line react/no-array-index-key
            key={`${checks.length} ${i}`}
            check={check}
            onChange={(changed) => set({ checks: checks.with(i, changed) })}
            onRemove={checks.length > 1 ? () => set({ checks: checks.toSpliced(i, 1) }) : undefined}
          />
        ))}
        <div className="row">
          <Button icon="plus" onPress={() => set({ checks: [...checks, { check: 'epochs', atLeast: 1 }] })}>
            {texts.addCheck}
          </Button>
          {tasks.length > 1 && (
            <Button
              icon="trash"
              onPress={() =>
                change({
                  tasks: tasks.toSpliced(at, 1),
                  texts: { ...words, tasks: words.tasks.toSpliced(at, 1) },
                })
              }
            >
              {texts.removeTask}
            </Button>
          )}
        </div>
      </div>
    </Panel>
  );
}

/** What a check can be about. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  op: OPS,
  setting: CHECKED_SETTINGS,
  network: ['run', 'trained'],
  choice: ['1', '2', '3', '4', '5', '6'],
};

interface CheckFormProps {
  check: LessonCheck;
  onChange(check: LessonCheck): void;
  onRemove: (() => void) | undefined;
}

function CheckForm({ check, onChange, onRemove }: CheckFormProps) {
  const { unit, of } = kindOf(check.check);
  const subjects = of === 'screen' ? namesHere().screens : of && SUBJECTS[of];
  const set = (changes: Partial<LessonCheck>) => onChange(cleared({ ...check, ...changes }));
  const choose = (name: CheckName) => {
    const kind = kindOf(name);
    const first = kind.of === 'screen' ? 'inspect' : kind.of && SUBJECTS[kind.of][0];
    onChange(cleared({ check: name, of: first, atLeast: kind.unit === 'fact' ? undefined : 0 }));
  };
  return (
    <div className="row">
      <Pick
        label={texts.check}
        value={check.check}
        options={CHECK_NAMES}
        titleOf={(name) => lessons.checks[name as CheckName]('…')}
        onChange={(name) => choose(name as CheckName)}
      />
      {subjects && (
        <Pick
          label={texts.of}
          value={check.of ?? ''}
          options={[...new Set([...subjects, check.of ?? subjects[0]])]}
          onChange={(chosen) => set({ of: chosen })}
        />
      )}
      {unit !== 'fact' && (
        <>
          <NumberLine
            key={`${check.check} least`}
            label={texts.atLeast}
            value={check.atLeast}
            onChange={(atLeast) => set({ atLeast, is: undefined })}
          />
          <NumberLine
            label={texts.atMost}
            value={check.atMost}
            onChange={(atMost) => set({ atMost, is: undefined })}
          />
        </>
      )}
      {check.check === 'setting' && (
        <Line
          label={texts.is}
          value={check.is ?? ''}
          onChange={(is) =>
            set(is === '' ? { is: undefined } : { is, atLeast: undefined, atMost: undefined })
          }
        />
      )}
      {onRemove && (
        <Button kind="quiet" icon="trash" className="iconic" title={texts.removeCheck} onPress={onRemove}>
          {texts.removeCheck}
        </Button>
      )}
    </div>
  );
}

/** Without what is absent, as it is written. */
const cleared = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;

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

interface LineProps<T> {
  label: string;
  value: T;
  onChange(value: T): void;
}

const Line = ({ label, value, onChange }: LineProps<string>) => (
  <Labelled label={label} look="above">
    {(described) => (
      <input {...described} type="text" value={value} onChange={({ target }) => onChange(target.value)} />
    )}
  </Labelled>
);

/** Several texts in one field, with an empty line between them, or each on its line. */
function Paragraphs({
  label,
  value,
  between = '\n\n',
  onChange,
}: LineProps<string[]> & { between?: string }) {
  // As typed: an empty line at its end is on the way to the next text.
  const [typed, setTyped] = useState(value.join(between));
  return (
    <Labelled label={label} look="above">
      {(described) => (
        <textarea
          {...described}
          rows={Math.min(8, 2 + typed.split('\n').length)}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(
              target.value
                .split(between)
                .map((one) => one.trim())
                .filter(Boolean),
            );
          }}
        />
      )}
    </Labelled>
  );
}

function NumberLine({ label, value, onChange }: LineProps<number | undefined>) {
  const [typed, setTyped] = useState(value === undefined ? '' : String(value));
  return (
    <Labelled label={label} look="above">
      {(described) => (
        <input
          {...described}
          type="text"
          inputMode="decimal"
          size={6}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            const number = Number(target.value.replace(',', '.'));
            onChange(target.value.trim() === '' || Number.isNaN(number) ? undefined : number);
          }}
        />
      )}
    </Labelled>
  );
}

interface PickProps extends LineProps<string> {
  options: readonly string[];
  titleOf?: (name: string) => string;
}

const Pick = ({ label, value, options, titleOf = (name) => name, onChange }: PickProps) => (
  <Labelled label={label} look="above">
    {(described) => (
      <select {...described} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map((name) => (
          <option key={name} value={name}>
            {titleOf(name)}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);

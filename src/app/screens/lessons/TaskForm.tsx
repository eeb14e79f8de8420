import type { CheckName, LessonCheck } from '../../../lessons/checks.ts';
import { CHECK_NAMES, kindOf } from '../../../lessons/checks.ts';
import { CHECKED_SETTINGS, OPS, PLACE_NAMES, type Lesson, type LessonTask } from '../../../lessons/format.ts';
import { SCREEN_NAMES } from '../names.ts';
import { lessons } from '../../messages/lessons.ts';
import { Button } from '../../widgets/Button.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { Line, NumberLine, Paragraphs, Pick } from './fields.tsx';

const texts = lessons.editor;
const SCREENS: readonly string[] = SCREEN_NAMES.map(({ name }) => name);

interface TaskFormProps {
  draft: Lesson;
  at: number;
  change(changes: Partial<Lesson>): void;
}

/** A task: its texts, its place on the page, and its checks. */
export function TaskForm({ draft, at, change }: TaskFormProps) {
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
            options={[...SCREENS, task.screen ?? 'train']}
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
  const subjects = of === 'screen' ? SCREENS : of && SUBJECTS[of];
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
          options={[...subjects, check.of ?? subjects[0]]}
          onChange={(chosen) => set({ of: chosen })}
        />
      )}
      {unit !== 'fact' && (
        <>
          <NumberLine
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

/** The lesson that is being made here, kept for the next visit. */
import { create } from 'zustand';
import { parsePlainJson } from '../../../base/plain-json.ts';
import { LESSON_VERSION, lessonText, type Lesson } from '../../../lessons/format.ts';
import { lessons as texts } from '../../messages/lessons.ts';
import { go, hrefOf } from '../../route.ts';
import { currentParameters } from '../../share/address.ts';
import { OWN_MODEL } from '../../state/own-model.ts';
import { recall, remember } from '../../state/remember.ts';
import { useApp } from '../../state/store.ts';

const KEY = 'lesson-draft';

export const useDraft = create<{ draft: Lesson | undefined }>()(() => ({ draft: kept() }));

/** The form is filled from it, so it only needs the parts; whether it is a valid lesson is said beside it. */
function kept(): Lesson | undefined {
  try {
    const draft = parsePlainJson(recall(KEY) ?? 'null') as Lesson | null;
    const { tasks, texts: words } = draft ?? {};
    const isWhole =
      Array.isArray(tasks) &&
      tasks.every(({ checks }) => Array.isArray(checks)) &&
      [words?.intro, words?.choices, words?.explanation, words?.tasks].every(Array.isArray) &&
      words?.tasks.length === tasks.length;
    return isWhole ? (draft ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

export function setDraft(draft: Lesson | undefined): void {
  remember(KEY, draft ? lessonText(draft) : '');
  useDraft.setState({ draft });
}

/** What is set now, as a lesson has it. */
async function setNow(): Promise<Pick<Lesson, 'settings' | 'network'>> {
  const { v: _, net, ...settings } = await currentParameters();
  const { ownModel, settings: form } = useApp.getState();
  const network = net !== undefined && form.model === OWN_MODEL ? ownModel : undefined;
  return { settings, ...(network ? { network: { ...network, layers: [...network.layers] } } : {}) };
}

/** A new lesson about what is set now. */
export async function newDraft(): Promise<void> {
  setDraft({
    lesson: LESSON_VERSION,
    ...(await setNow()),
    right: 1,
    tasks: [{ show: 'train', checks: [{ check: 'test-accuracy', atLeast: 0.9 }] }],
    texts: structuredClone(texts.editor.example),
  });
}

/** Sets up what is set now in place of what the draft did. */
export async function takeSettings(): Promise<void> {
  const { draft } = useDraft.getState();
  if (!draft) return;
  const { network: _, ...others } = draft;
  setDraft({ ...others, ...(await setNow()) });
}

/** Changes a lesson in the editor. */
export function editLesson(lesson: Lesson): void {
  setDraft(lesson);
  go(hrefOf('lessons', 'new'));
}

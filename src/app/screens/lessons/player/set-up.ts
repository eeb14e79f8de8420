/** Prepares the page for a lesson, as a link would: nothing starts. What was set before comes back when the lesson ends. */
import { ok, type Result } from '../../../../base/result.ts';
import { parsePlainJson } from '../../../../base/plain-json.ts';
import type { ModelFile } from '../../../../worker/api.ts';
import { stop } from '../../../actions/actions.ts';
import { chooseEngine } from '../../../actions/engine.ts';
import { ask } from '../../../client.ts';
import { useRuns } from '../../../journal/runs-store.ts';
import { go, hrefOf } from '../../../route.ts';
import { showPart, type TrainPart } from '../../train/part.ts';
import { engineOf } from '../../../state/device.ts';
import { asModel, OWN_MODEL } from '../../../state/own-model.ts';
import { recall, remember } from '../../../state/remember.ts';
import { runIsOpen } from '../../../state/run.ts';
import type { Settings } from '../../../state/settings.ts';
import { useApp } from '../../../state/store.ts';
import { setCurrentLesson } from './current.ts';
import type { Lesson, LessonTask } from '../../../../lessons/format.ts';
import { readSettings, type OpenedLesson } from '../library.ts';
import { noteProgress } from './progress.ts';

const BEFORE = 'before-lesson';

interface Before {
  settings: Settings;
  ownModel: ModelFile | undefined;
  /** If the lesson changed it. */
  engine?: 'gpu';
}

/** The settings of a lesson, or of one of its tasks, in words. */
export const linesOf = ({ settings }: Pick<Lesson, 'settings'>): { title: string; value: string }[] =>
  readSettings(settings).lines;

/** Sets what a lesson or one of its tasks prepares. An open run is stopped first; it stays among the kept runs. */
async function apply({
  settings = {},
  network,
}: Pick<LessonTask, 'settings' | 'network'>): Promise<Result<void>> {
  const model = network && (await ask((api) => api.builder.readModel('network', JSON.stringify(network))));
  if (model && !model.ok) return model;
  if (runIsOpen(useApp.getState().runState)) await stop.perform();
  const { change, setOwnModel } = useApp.getState();
  const read = readSettings(settings);
  useRuns.setState({ fork: undefined });
  if (model) setOwnModel(model.value);
  change({ ...read.settings, ...(model ? { model: OWN_MODEL } : {}) });
  return ok(undefined);
}

/** Prepares a lesson and goes to where its first task is done. @param onGpu the person wants the GPU, if there is one */
export async function setUp({ id, address, lesson }: OpenedLesson, onGpu: boolean): Promise<Result<void>> {
  const { settings, ownModel } = useApp.getState();
  const done = await apply(lesson);
  if (!done.ok) return done;
  // Of lessons that follow each other, what was set before the first of them.
  const before: Before = kept() ?? { settings, ownModel };
  if (!onGpu && engineOf(useApp.getState()) === 'gpu') {
    before.engine = 'gpu';
    await chooseEngine('cpu');
  }
  remember(BEFORE, JSON.stringify(before));
  noteProgress(id, { started: true, at: 0, before: useApp.getState().runConfig?.record });
  setCurrentLesson(address);
  arriveAt(lesson.tasks[0]);
  return ok(undefined);
}

/** Prepares what a task of a lesson under way needs. */
export async function setUpTask({ lesson }: OpenedLesson, task: number): Promise<Result<void>> {
  const one = lesson.tasks[task];
  const { settings = lesson.settings, network = 'model' in settings ? undefined : lesson.network } = one;
  const done = await apply({ settings, network });
  if (done.ok) arriveAt(one);
  return done;
}

/** Screen and view where a task is done. */
export function placeOf({ screen = 'train' }: Pick<LessonTask, 'screen'>): [screen: string, view: string] {
  const [name, view = ''] = screen.split('/');
  return [name, view];
}

/** What a phone shows of Train, by what a task points at; settings are in a part of their own. */
const PARTS: Readonly<Record<string, TrainPart>> = {
  train: 'try',
  step: 'try',
  pad: 'try',
  loss: 'curves',
  accuracy: 'curves',
  mistakes: 'mistakes',
};

/** Goes to where a task is done. */
export function arriveAt(task: Pick<LessonTask, 'screen' | 'show'>): void {
  const [screen, view] = placeOf(task);
  if (screen === 'train' && task.show !== undefined) showPart(PARTS[task.show] ?? 'settings');
  go(hrefOf(screen, view));
}

/** Shows a task, and goes to where it is done. */
export function showTask({ id, lesson }: OpenedLesson, task: number): void {
  noteProgress(id, { at: task });
  const one = lesson.tasks[task] as LessonTask | undefined;
  if (one && !one.settings && !one.network) arriveAt(one);
}

/** Leaves the lesson, and brings back what was set before it. Its progress stays, and its runs are kept. */
export async function endLesson(): Promise<void> {
  setCurrentLesson(undefined);
  const before = kept();
  remember(BEFORE, '');
  if (!before) return;
  // What is set acts on an open run.
  if (runIsOpen(useApp.getState().runState)) await stop.perform();
  const { change, setOwnModel } = useApp.getState();
  setOwnModel(before.ownModel);
  change(before.settings);
  if (before.engine) await chooseEngine(before.engine);
}

function kept(): Before | undefined {
  try {
    const { settings, ownModel, engine } = parsePlainJson(recall(BEFORE) || 'null') as Before;
    return {
      settings,
      ownModel: asModel(JSON.stringify(ownModel ?? null)),
      ...(engine === 'gpu' ? { engine } : {}),
    };
  } catch {
    return undefined;
  }
}

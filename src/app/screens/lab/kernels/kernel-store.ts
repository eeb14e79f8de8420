/** The lessons in writing kernels: a pupil's code, what was revealed, and what became of it. */
import { create } from 'zustand';
import type { Result } from '../../../../base/result.ts';
import type { KernelEvent, KernelOutcome, LessonEngine, LessonSummary } from '../../../../worker/api.ts';
import { askPart } from '../../../ask-part.ts';
import { workerApart } from '../../../client.ts';
import { recall, remember } from '../../../state/remember.ts';
import { useApp } from '../../../state/store.ts';

/** A kernel that runs, or has run. */
export interface Attempt {
  /** The code that runs, or ran. */
  text: string;
  /** After the last test that passed. */
  progress?: KernelEvent;
  /** Absent while it runs, and if it was ended. */
  answer?: Result<KernelOutcome>;
  /** Why it was ended. */
  ended?: 'stopped' | 'silent';
}

interface KernelsState {
  lessons: readonly LessonSummary[] | undefined;
  /** Code that differs from the skeleton, by lesson. */
  texts: Readonly<Record<string, string>>;
  /** How many hints were revealed, and whether the solution was. */
  hints: Readonly<Record<string, number>>;
  solutions: Readonly<Record<string, boolean>>;
  /** The last attempt of each lesson. */
  attempts: Readonly<Record<string, Attempt>>;
  /** The lesson whose kernel runs, and what ends it. */
  running: string | undefined;
  end: ((why: Attempt['ended']) => void) | undefined;
  /** Lessons that were passed, at the goals. */
  done: readonly string[];
}

const keyOf = (lesson: string) => `kernel.${lesson}`;
const DONE = 'kernels-done';

export const useKernels = create<KernelsState>()(() => ({
  lessons: undefined,
  texts: {},
  hints: {},
  solutions: {},
  attempts: {},
  running: undefined,
  end: undefined,
  done: (recall(DONE) ?? '').split(' ').filter(Boolean),
}));

/** Loads the lessons, once, and the code that the browser kept. */
export async function loadKernelLessons(): Promise<void> {
  if (useKernels.getState().lessons) return;
  const lessons = await askPart((api) => api.kernels.kernelLessons());
  if (!lessons) return;
  const kept = lessons.flatMap(({ name }): [string, string][] => {
    const text = recall(keyOf(name));
    return text ? [[name, text]] : [];
  });
  useKernels.setState(({ texts }) => ({ lessons, texts: { ...Object.fromEntries(kept), ...texts } }));
}

export function editKernel({ name, skeleton }: LessonSummary, text: string): void {
  // An empty text is remembered as none: the lesson then begins again.
  remember(keyOf(name), text === skeleton ? '' : text);
  useKernels.setState(({ texts }) => ({ texts: { ...texts, [name]: text } }));
}

export const revealHint = (lesson: string): void =>
  useKernels.setState(({ hints }) => ({ hints: { ...hints, [lesson]: (hints[lesson] ?? 0) + 1 } }));

export const revealSolution = (lesson: string): void =>
  useKernels.setState(({ solutions }) => ({ solutions: { ...solutions, [lesson]: true } }));

/** Whether a kernel passed, and reached the goal wherever it was timed. */
export const isDone = ({ rates }: LessonSummary, outcome: KernelOutcome): boolean =>
  outcome.how === 'passed' &&
  outcome.rates.every(({ engine, ms, ownMs }) => ownMs / ms >= goalOf(rates, engine));

const goalOf = (rates: LessonSummary['rates'], engine: LessonEngine): number =>
  rates.find((one) => one.engine === engine)?.goal ?? 0;

/** A kernel that says nothing for so long is ended. Its loops end earlier, where they are tested. */
export const SILENT_MS = 60_000;

/** Ends the kernel that runs. */
export const stopKernel = (): void => useKernels.getState().end?.('stopped');

/** Runs the code of a lesson in a worker of its own, which can be ended whatever the code does. */
export async function runKernel(lesson: LessonSummary): Promise<void> {
  const { name, skeleton } = lesson;
  const text = useKernels.getState().texts[name] ?? skeleton;
  const change = (how: Partial<Attempt>) =>
    useKernels.setState(({ attempts }) => ({
      attempts: { ...attempts, [name]: { ...attempts[name], ...how } },
    }));
  useKernels.setState(({ attempts }) => ({ running: name, attempts: { ...attempts, [name]: { text } } }));
  let ended: Attempt['ended'];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (why: Attempt['ended']) => {
    ended = why;
    worker.end();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => end('silent'), SILENT_MS);
  };
  const worker = workerApart(useApp.getState().engine, {
    onEvent: (event) => {
      if (event.type !== 'kernel') return;
      wait();
      change({ progress: event });
    },
    // The call is answered with why.
    onDeath: () => undefined,
    onResponds: () => undefined,
  });
  useKernels.setState({ end });
  wait();
  const answer = await worker.ask((api) => api.kernels.tryKernel(name, text));
  clearTimeout(timer);
  worker.end();
  change(ended ? { ended } : { answer });
  useKernels.setState({ running: undefined, end: undefined });
  if (answer.ok && isDone(lesson, answer.value)) {
    useKernels.setState(({ done }) => ({ done: [...new Set([...done, name])] }));
    remember(DONE, useKernels.getState().done.join(' '));
  }
}

import { lazy, Suspense, useMemo, useState } from 'react';
import type { LessonSummary } from '../../../../worker/api.ts';
import { Code } from '../../../components/code/Code.tsx';
import { download } from '../../../download.ts';
import { kernels } from '../../../messages/kernels.ts';
import { bytes } from '../../../format.ts';
import { go, hrefOf } from '../../../route.ts';
import { Button } from '../../../widgets/Button.tsx';
import { FileButton } from '../../../widgets/FileButton.tsx';
import { Panel } from '../../../widgets/Panel.tsx';
import { VERBS } from '../../verbs.ts';
import { editKernel, revealHint, revealSolution, runKernel, stopKernel, useKernels } from './kernel-store.ts';
import styles from './Kernels.module.css';
import { AttemptView } from './AttemptView.tsx';
import { mistakesOf } from './mistakes.ts';

const WgslEditor = lazy(() => import('../wgsl/WgslEditor.tsx'));

/** Far more than a kernel has. */
const MOST_BYTES = 100_000;

interface LessonProps {
  lesson: LessonSummary;
  /** "Lesson 1 of 6" */
  place: string;
  /** The name of the next one. */
  next: string | undefined;
}

/** One lesson: what it is about, the pupil's kernel, what became of it, and help. */
export function LessonPanels({ lesson, place, next }: LessonProps) {
  const { title, explanation, formula } = kernels.lessons[lesson.name];
  return (
    <div className="column">
      <Panel title={title} aside={<span className="faint">{place}</span>}>
        <div className="stack">
          {explanation.map((paragraph) => (
            <p key={paragraph} className={styles.prose}>
              {paragraph}
            </p>
          ))}
          <p className={styles.formula}>{formula}</p>
        </div>
      </Panel>
      <Task lesson={lesson} next={next} />
      <Help lesson={lesson} />
    </div>
  );
}

function Task({ lesson, next }: Pick<LessonProps, 'lesson' | 'next'>) {
  const { name, skeleton } = lesson;
  const text = useKernels((state) => state.texts[name] ?? skeleton);
  const attempt = useKernels((state) => state.attempts[name]);
  const running = useKernels((state) => state.running);
  const done = useKernels((state) => state.done.includes(name));
  // They are about the code that ran.
  const errors = useMemo(() => (attempt?.text === text ? mistakesOf(attempt) : []), [attempt, text]);
  const edit = (changed: string) => editKernel(lesson, changed);
  return (
    <Panel title={kernels.task} explanation={kernels.taskIs}>
      <div className="stack">
        <Suspense fallback={<Code text={text} language="WGSL" label={kernels.editor} numbered />}>
          <WgslEditor label={kernels.editor} text={text} errors={errors} onChange={edit} />
        </Suspense>
        <div className="row">
          {running === name ? (
            <Button icon="stop" onPress={stopKernel}>
              {kernels.stop}
            </Button>
          ) : (
            <Button
              verb={VERBS.kernel}
              kind="primary"
              obstacle={running === undefined ? undefined : kernels.otherRuns(kernels.lessons[running].title)}
              onPress={() => void runKernel(lesson)}
            />
          )}
          <Button
            icon="restart"
            obstacle={text === skeleton ? kernels.isNew : undefined}
            onPress={() => edit(skeleton)}
          >
            {kernels.reset}
          </Button>
          <FileControls lesson={lesson} text={text} onOpen={edit} />
        </div>
        <p className="fine">{kernels.keys}</p>
        <AttemptView lesson={lesson} attempt={attempt} />
        {done && next !== undefined && (
          <div className="row">
            <Button icon="chevron" onPress={() => go(hrefOf('lab', 'kernels', { lesson: next }))}>
              {kernels.next}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}

interface FileControlsProps {
  lesson: LessonSummary;
  text: string;
  onOpen(text: string): void;
}

/** Code as a file, to hand on; one that is opened is shown, and does not run. */
function FileControls({ lesson, text, onOpen }: FileControlsProps) {
  const [problem, setProblem] = useState<string>();
  const open = async (file: File) => {
    if (file.size > MOST_BYTES) {
      setProblem(kernels.tooLong(bytes(MOST_BYTES)));
      return;
    }
    setProblem(undefined);
    onOpen((await file.text()).replaceAll('\r\n', '\n'));
  };
  return (
    <>
      <Button icon="download" onPress={() => download(`wgrad-${lesson.name}.wgsl`, 'text/plain', text)}>
        {kernels.save}
      </Button>
      <FileButton
        label={kernels.file}
        accept=".wgsl,.txt"
        icon="upload"
        onFiles={([file]) => void open(file)}
      >
        {kernels.open}
      </FileButton>
      {problem !== undefined && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** Hints, one after the other, and a solution. */
function Help({ lesson }: Pick<LessonProps, 'lesson'>) {
  const { name, solution } = lesson;
  const { hints } = kernels.lessons[name];
  const shown = useKernels((state) => state.hints[name] ?? 0);
  const solved = useKernels((state) => state.solutions[name] ?? false);
  const isTaken = useKernels((state) => state.texts[name] === solution);
  return (
    <Panel title={kernels.hints}>
      <div className="stack">
        <ol className={styles.hints} aria-live="polite">
          {hints.slice(0, shown).map((hint) => (
            <li key={hint}>{hint}</li>
          ))}
        </ol>
        <div className="row">
          <Button
            icon="help"
            obstacle={shown < hints.length ? undefined : kernels.noMoreHints}
            onPress={() => revealHint(name)}
          >
            {kernels.hint(Math.min(shown + 1, hints.length), hints.length)}
          </Button>
          {!solved && (
            <Button icon="check" onPress={() => revealSolution(name)}>
              {kernels.solution}
            </Button>
          )}
        </div>
        {solved && (
          <>
            <Code text={solution} language="WGSL" label={kernels.solutionIs} numbered />
            <div className="row">
              <Button
                icon="upload"
                obstacle={isTaken ? kernels.taken : undefined}
                onPress={() => editKernel(lesson, solution)}
              >
                {kernels.take}
              </Button>
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}

import type { KernelOutcome, LessonSummary } from '../../../../worker/api.ts';
import * as format from '../../../format.ts';
import { kernels } from '../../../messages/kernels.ts';
import { Callout } from '../../../widgets/Notice.tsx';
import { isDone, SILENT_MS, useKernels, type Attempt } from './kernel-store.ts';
import styles from './Kernels.module.css';
import { mistakesOf } from './mistakes.ts';

interface AttemptProps {
  lesson: LessonSummary;
  attempt: Attempt | undefined;
}

/** What became of a kernel, or how far it is. */
export function AttemptView({ lesson, attempt }: AttemptProps) {
  const { name, skeleton } = lesson;
  const isOld = useKernels(({ texts }) => attempt?.answer && attempt.text !== (texts[name] ?? skeleton));
  return (
    <section className={styles.attempt} aria-label={kernels.result}>
      <p className="fine" role="status">
        {attempt ? statusOf(attempt) : kernels.noResult}
      </p>
      {isOld && <p className="fine">{kernels.old}</p>}
      {attempt?.answer && <Answer lesson={lesson} attempt={attempt} />}
    </section>
  );
}

function statusOf({ answer, ended, progress }: Attempt): string {
  if (ended === 'silent') return kernels.silent(SILENT_MS / 1000);
  if (ended) return kernels.stopped;
  if (answer) return '';
  if (!progress) return kernels.starting;
  return kernels.progress(kernels.engine[progress.engine], progress.passed, progress.of);
}

function Answer({ lesson, attempt }: { lesson: LessonSummary; attempt: Attempt }) {
  const { answer } = attempt;
  if (!answer) return null;
  if (answer.ok) {
    return answer.value.how === 'passed' ? (
      <Passed lesson={lesson} outcome={answer.value} />
    ) : (
      <Wrong outcome={answer.value} />
    );
  }
  const { code, message, advice } = answer.error;
  const places = mistakesOf(attempt);
  return (
    <Callout kind="error" title={code === 'shader' ? kernels.brokenTitle : kernels.failedTitle}>
      {places.length > 0 ? (
        <ul className={styles.mistakes}>
          {places.map((one) => (
            <li key={`${one.line}:${one.column} ${one.message}`}>
              {kernels.place(one.line, one.column)}
              {one.message}
            </li>
          ))}
        </ul>
      ) : (
        <p>{message}</p>
      )}
      {message.startsWith('a race') && <p>{kernels.race}</p>}
      {advice !== undefined && places.length === 0 && <p className={styles.advice}>{advice}</p>}
    </Callout>
  );
}

/** As many as a float32 has. */
const digits = (value: number): string => String(Number(value.toPrecision(8)));

/** "row 1, column 0" */
const named = (values: Readonly<Record<string, number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

function Wrong({ outcome }: { outcome: Extract<KernelOutcome, { how: 'wrong' }> }) {
  const { engine, sizes, value } = outcome;
  const expected = digits(value.expected);
  const found = value.found === undefined ? undefined : digits(value.found);
  return (
    <Callout kind="warning" title={kernels.wrongTitle(kernels.engine[engine])} role="status">
      <p>{kernels.wrong(named(value.index), value.at, expected, found)}</p>
      <p>{kernels.sizes(named(sizes))}</p>
      <p>{kernels.howMany(value.wrong, value.of)}</p>
    </Callout>
  );
}

interface PassedProps {
  lesson: LessonSummary;
  outcome: Extract<KernelOutcome, { how: 'passed' }>;
}

function Passed({ lesson, outcome }: PassedProps) {
  const { rates, noGpu } = outcome;
  const hasProducts = rates.some(({ products }) => products > 0);
  return (
    <Callout kind="info" title={kernels.passedTitle} role="status">
      <p>{isDone(lesson, outcome) ? kernels.perfect : kernels.right}</p>
      <div className={styles.rates}>
        <table>
          <caption className="unseen">{kernels.rates}</caption>
          <thead>
            <tr>
              <th scope="col">{kernels.where}</th>
              <th scope="col">{kernels.yours}</th>
              <th scope="col">{kernels.own}</th>
              {hasProducts && (
                <th scope="col" className={styles.rate}>
                  {kernels.perSecond}
                </th>
              )}
              <th scope="col">{kernels.share}</th>
              <th scope="col">{kernels.goal}</th>
            </tr>
          </thead>
          <tbody>
            {rates.map(({ engine, ms, ownMs, products }) => {
              const goal = lesson.rates.find((one) => one.engine === engine)?.goal ?? 0;
              return (
                <tr key={engine}>
                  <th scope="row">{kernels.engine[engine]}</th>
                  <td>{format.time(ms)}</td>
                  <td>{format.time(ownMs)}</td>
                  {hasProducts && (
                    <td className={styles.rate}>{format.flopRate((2 * products * 1000) / ms)}</td>
                  )}
                  <td>{format.percent(ownMs / ms)}</td>
                  <td>
                    {format.percent(goal, 0)}, {ownMs / ms >= goal ? kernels.reached : kernels.missed}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {noGpu && <p>{kernels.noGpu(noGpu.message)}</p>}
    </Callout>
  );
}

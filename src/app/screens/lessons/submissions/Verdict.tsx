import type { RunVerdict, SubmittedRun } from '../../../../worker/api.ts';
import { lessons } from '../../../messages/lessons.ts';
import { useSubmissions } from './store.ts';
import styles from './Submissions.module.css';

const { verdict: texts } = lessons.submissions;

/** What recomputing a run has shown, or that it has not been recomputed. @param at its key */
export function Verdict({ at, run }: { at: string; run: SubmittedRun }) {
  const verdict = useSubmissions(({ recomputed }) => recomputed[at]?.verdict);
  const isRunning = useSubmissions(({ recomputing }) => recomputing?.run === at);
  if (isRunning) return <span className="soft">{texts.running}</span>;
  if (!verdict) return <span className="soft">{texts.waiting}</span>;
  return (
    <span>
      <strong data-verdict={verdict.how} className={styles.verdict}>
        {texts[verdict.how]}
      </strong>{' '}
      <span className="numbers">{reasonOf(verdict, run)}</span>
    </span>
  );
}

/** As many digits as tell 32-bit numbers apart. */
const exact = (value: number | string): string => {
  if (typeof value === 'string') return value.slice(0, 8);
  return Number.isNaN(value) ? texts.none : String(Number(value.toPrecision(9)));
};

function reasonOf(verdict: RunVerdict, run: SubmittedRun): string {
  switch (verdict.how) {
    case 'confirmed':
      return (
        texts.same(verdict.compared) + (verdict.steps < run.steps ? texts.firstSteps(verdict.steps) : '')
      );
    case 'differs': {
      const { what, step, there, here } = verdict;
      return `${texts.what[what](step)} ${texts.both(exact(there), exact(here))}`;
    }
    case 'unchecked':
      return whyNot(verdict, run);
  }
}

function whyNot(
  { why, there = '', here = '', message = '' }: Extract<RunVerdict, { how: 'unchecked' }>,
  { dataset }: SubmittedRun,
): string {
  if (why === 'absent') return dataset === 'own' ? texts.why.own : message;
  if (why === 'images' && dataset === 'own') return texts.why.own;
  return texts.why[why](there, here);
}

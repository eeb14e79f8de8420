import { later } from '../components/later.tsx';
import { NoticeStack } from '../widgets/Notice.tsx';
import { runIsOpen } from '../state/run.ts';
import { useApp } from '../state/store.ts';
import { OtherTabs } from '../tabs/OtherTabs.tsx';
import { useRuns } from '../journal/runs-store.ts';

const NotLearning = later(
  'A run that does not learn',
  async () => (await import('./NotLearning.tsx')).NotLearning,
);
const RunMessages = later(
  'What to know about the run',
  async () => (await import('./RunMessages.tsx')).RunMessages,
);
const SavedRun = later('The unfinished run', async () => (await import('./SavedRun.tsx')).SavedRun);
const BeforeRun = later('What to know before a run', async () => (await import('./BeforeRun.tsx')).BeforeRun);

/** A run that does not learn, and what was tried, also for screen readers; one that failed says so itself. */
export function Rescue() {
  const inTrouble = useApp(({ trouble, runState }) => trouble !== undefined && runState !== 'failed');
  const tried = useApp(({ rescue }) => rescue !== undefined && rescue !== 'trying');
  return <div role="status">{(inTrouble || tried) && <NotLearning />}</div>;
}

/** What should be known about the run, on the screen where runs are started and resumed. */
export function RunNotices() {
  const runState = useApp((state) => state.runState);
  const savedRun = useApp((state) => state.savedRun);
  const hasMessage = useApp(({ stopReason, runNotice, saveError }) =>
    Boolean(stopReason ?? runNotice ?? saveError),
  );
  const tight = useApp((state) => state.tightMemory !== undefined);
  const fork = useRuns((state) => state.fork !== undefined);
  const cleared = useRuns((state) => state.cleared);
  const next = (fork || tight) && !runIsOpen(runState);
  return (
    <NoticeStack>
      <OtherTabs />
      <Rescue />
      {runState === 'idle' && savedRun && savedRun.standing !== 'finished' && <SavedRun run={savedRun} />}
      {(cleared || next) && <BeforeRun />}
      {hasMessage && <RunMessages />}
    </NoticeStack>
  );
}

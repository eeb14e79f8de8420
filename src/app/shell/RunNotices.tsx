import { later } from '../components/later.tsx';
import { NoticeStack } from '../widgets/Notice.tsx';
import { useLiveValue } from '../metrics/use-live.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp } from '../state/store.ts';
import { OtherTabs } from '../tabs/OtherTabs.tsx';
import { useRuns } from '../journal/runs-store.ts';

const Exploded = later(
  'The state of the weights',
  async () => (await import('../screens/train/changes/Exploded.tsx')).Exploded,
);
const RunMessages = later(
  'What to know about the run',
  async () => (await import('./RunMessages.tsx')).RunMessages,
);
const SavedRun = later('The unfinished run', async () => (await import('./SavedRun.tsx')).SavedRun);
const BeforeRun = later('What to know before a run', async () => (await import('./BeforeRun.tsx')).BeforeRun);

/** What should be known about the run, on the screen where runs are started and resumed. */
export function RunNotices() {
  const runState = useApp((state) => state.runState);
  const savedRun = useApp((state) => state.savedRun);
  const hasMessage = useApp(({ stopReason, runNotice, saveError }) =>
    Boolean(stopReason ?? runNotice ?? saveError),
  );
  const tight = useApp((state) => state.tightMemory !== undefined);
  const fork = useRuns((state) => state.fork !== undefined);
  const tested = useLiveValue(({ lastEvaluation }) => lastEvaluation !== undefined);
  const evaluated = tested && runState !== 'failed';
  const cleared = useRuns((state) => state.cleared);
  const next = (fork || tight) && !runIsOpen(runState);
  return (
    <NoticeStack>
      <OtherTabs />
      {evaluated && <Exploded />}
      {runState === 'idle' && savedRun && <SavedRun run={savedRun} />}
      {(cleared || next) && <BeforeRun />}
      {hasMessage && <RunMessages />}
    </NoticeStack>
  );
}

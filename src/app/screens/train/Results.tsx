import { ActionButton } from '../../actions/ActionButton.tsx';
import { testNow } from '../../actions/actions.ts';
import { later } from '../../components/later.tsx';
import { train as texts } from '../../messages/en/train.tsx';
import { useLiveValue } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import styles from './Train.module.css';

const TestResults = later('Results', async () => (await import('./TestResults.tsx')).TestResults);

/** What the newest test found. Before the first test there is nothing, and on a phone, where it has a tab, what it waits for. */
export function Results() {
  const tested = useLiveValue(({ confusion }) => confusion !== undefined);
  const hasRun = useApp((state) => state.runId > 0);
  if (tested) return <TestResults />;
  return (
    <div className={`vacant ${styles.waiting}`}>
      <p className="soft">{texts.mistakesToCome(hasRun)}</p>
      {hasRun && <ActionButton action={testNow} />}
    </div>
  );
}

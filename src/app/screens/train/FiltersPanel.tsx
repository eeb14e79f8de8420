import { later } from '../../components/later.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { useLive } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import { train as texts } from '../../messages/train.ts';
import styles from './Train.module.css';

const FirstFilters = later(
  'First-layer filters',
  async () => (await import('./FirstFilters.tsx')).FirstFilters,
);

/** The filters of the first convolution. Before the first step there is nothing to show, so its code is not fetched. */
export function FiltersPanel() {
  const hasRun = useApp((state) => state.runId > 0);
  const { step } = useLive('tables');
  const shown = hasRun && step > 0;
  return (
    <Panel
      title={texts.results.filters}
      explanation={texts.results.aboutFilters}
      aside={shown && <span className="fine">{texts.results.after(step)}</span>}
      dense
      className={styles.filters}
    >
      {shown ? <FirstFilters /> : <p className={`fine ${styles.nothing}`}>{texts.results.afterStep}</p>}
    </Panel>
  );
}

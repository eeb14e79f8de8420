import { later } from '../../components/later.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { useLive } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import { results as texts } from '../../messages/en/results.tsx';
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
      title={texts.filters}
      explanation={texts.aboutFilters}
      aside={shown && <span className="fine">{texts.after(step)}</span>}
      dense
      className={styles.filters}
    >
      {shown ? <FirstFilters /> : <p className={`fine ${styles.nothing}`}>{texts.afterStep}</p>}
    </Panel>
  );
}

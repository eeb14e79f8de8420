import { later } from '../../components/later.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { inLayers } from '../../messages/layers.ts';
import * as format from '../../format.ts';
import { useLive } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
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
      title="First-layer filters"
      explanation={inLayers(
        'The small patterns that the network looks for first. They begin as chance, and become edges and strokes. Select one to see what it finds.',
        'Weights of the first convolution: noise at the start, then edges and strokes.',
        'filter',
      )}
      aside={shown && <span className="fine">after {format.steps(step)}</span>}
      dense
      className={styles.filters}
    >
      {shown ? (
        <FirstFilters />
      ) : (
        <p className={`fine ${styles.nothing}`}>They appear after the first step.</p>
      )}
    </Panel>
  );
}

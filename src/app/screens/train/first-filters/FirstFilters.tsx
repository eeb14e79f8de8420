import type { FirstFilters as Filters } from '../../../../worker/api.ts';
import { ask } from '../../../client.ts';
import { rangeOf, reachOf } from '../../../components/maps/numbers.ts';
import { Legend, Slices } from '../../../components/maps/Slices.tsx';
import { Panel } from '../../../components/Panel.tsx';
import { useLiveAnswer } from '../../../components/use-answer.ts';
import * as format from '../../../format.ts';
import { useLive } from '../../../metrics/use-live.ts';
import { go, hrefOf } from '../../../route.ts';
import { useApp } from '../../../state/store.ts';
import styles from './FirstFilters.module.css';
import { useInspect } from '../../inspect/inspect-store.ts';

/** Eyes can follow this, and so small a reading takes nothing from the training that anybody would notice. */
const ASK_EVERY_MS = 400;
/** More pictures than these are for Inspect. */
const MOST_PICTURES = 96;

/** What the first convolution looks for, as it changes. */
export function FirstFilters() {
  const { step } = useLive();
  const runId = useApp((state) => state.runId);
  const [element, known] = useLiveAnswer<Filters | undefined, HTMLDivElement>(
    // A run that could not begin is not tried again for this.
    step > 0 ? `${runId} ${step}` : undefined,
    ASK_EVERY_MS,
    () => ask((api) => api.firstFilters()),
  );
  const filters = step > 0 && known?.ok ? known.value : undefined;
  return (
    <Panel
      title="First filters"
      aside={filters && <span className={styles.when}>after {format.steps(filters.step)}</span>}
      explanation="What the first layer looks for: chance at first, edges and strokes as it learns. Press one to look inside."
    >
      <div ref={element}>
        {filters ? (
          <Pictures filters={filters} />
        ) : (
          <p className={styles.empty}>
            {step === 0 && 'They come with the first step.'}
            {step > 0 &&
              (known?.ok ? 'This model has no convolution.' : (known?.error.message ?? 'Looking for them…'))}
          </p>
        )}
      </div>
    </Panel>
  );
}

function Pictures({ filters: { layer, shape, weights } }: { filters: Filters }) {
  const choose = useInspect((state) => state.setLookChoice);
  const [K, C, R, S] = shape;
  const count = Math.max(1, Math.min(K, Math.floor(MOST_PICTURES / C)));
  const range = rangeOf(weights);
  return (
    <>
      <Slices
        weights={weights}
        {...{ count, perFilter: C, size: [S, R], reach: reachOf(range) }}
        onChoose={(channel) => {
          choose({ layer, channel, pixel: undefined });
          go(hrefOf('inspect', 'image'));
        }}
      />
      <div className={styles.below}>
        <Legend range={range} />
        {count < K && (
          <span>
            {format.count(count)} of {format.count(K)}
          </span>
        )}
      </div>
    </>
  );
}

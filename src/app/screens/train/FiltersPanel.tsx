import { memo } from 'react';
import type { FirstFilters as Filters } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import { rangeOf, reachOf } from '../../components/maps/numbers.ts';
import { Legend, Slices } from '../../components/maps/Slices.tsx';
import { useLiveAnswer } from '../../components/use-answer.ts';
import { useLive } from '../../metrics/use-live.ts';
import { go, hrefOf } from '../../route.ts';
import { useApp } from '../../state/store.ts';
import { useInspect } from '../../state/inspect-store.ts';
import { results as texts } from '../../messages/en/results.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import styles from './Train.module.css';

/** The filters of the first convolution, once there was a step. */
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

/** Eyes can follow this, and reading so few weights does not slow the training noticeably. */
const ASK_EVERY_MS = 400;
/** More pictures than these are for Inspect. */
const MAX_PICTURES = 30;
/** In CSS pixels of a small window: two rows of small ones take no more room than one of large ones. */
const [LARGE, SMALL] = [35, 14];

/** The filters of the first convolution, as they change. */
function FirstFilters() {
  const { step } = useLive('tables');
  const runId = useApp((state) => state.runId);
  const [element, known] = useLiveAnswer<Filters | undefined, HTMLDivElement>(
    // A run that failed to start has no filters to show.
    step > 0 ? `${runId} ${step}` : undefined,
    ASK_EVERY_MS,
    () => ask((api) => api.inspect.firstFilters()),
  );
  const filters = step > 0 && known?.ok ? known.value : undefined;
  return (
    <div ref={element}>
      {filters ? (
        <Pictures filters={filters} />
      ) : (
        <p className="soft">{known?.ok ? texts.noConvolution : (known?.error.message ?? texts.loading)}</p>
      )}
    </div>
  );
}

const Pictures = memo(function Pictures({ filters: { layer, shape, weights } }: { filters: Filters }) {
  const choose = useInspect((state) => state.setLookChoice);
  const [K, C, R, S] = shape;
  const count = Math.max(1, Math.min(K, Math.floor(MAX_PICTURES / C)));
  const range = rangeOf(weights);
  return (
    <>
      <Slices
        weights={weights}
        count={count}
        perFilter={C}
        size={[S, R]}
        reach={reachOf(range)}
        side={Math.max(1, innerWidth / 1280) * (count * C <= 8 ? LARGE : SMALL)}
        onChoose={(channel) => {
          choose({ layer, channel, pixel: undefined });
          go(hrefOf('inspect', 'image'));
        }}
      />
      <div className="spread soft">
        <Legend range={range} />
        {count < K && <span>{texts.of(count, K)}</span>}
      </div>
    </>
  );
});

import type { LookFilters } from '../../../../worker/api.ts';
import { Panel } from '../../../components/Panel.tsx';
import * as format from '../../../format.ts';
import { digits, rangeOf, reachOf } from '../../../components/maps/numbers.ts';
import styles from './Image.module.css';
import { Legend, Slices } from '../../../components/maps/Slices.tsx';
import { useInspect } from '../inspect-store.ts';

/** Slices of all filters that are shown side by side, at most; else those of one filter. */
const MOST_SLICES = 512;

/** The filters of a convolution: a picture for each channel that a filter sees. */
export function FiltersPanel({ filters, layer }: { filters: LookFilters; layer: string }) {
  const { shape, weights, bias } = filters;
  const [K, C, R, S] = shape;
  const chosen = useInspect((state) => Math.min(state.lookChoice.channel, K - 1));
  const choose = useInspect((state) => state.setLookChoice);
  const range = rangeOf(weights);
  const all = K * C <= MOST_SLICES;
  const size = C * R * S;
  const shown = all ? weights : weights.subarray(chosen * size, (chosen + 1) * size);
  return (
    <Panel
      title={all ? 'Filters' : `Filter ${chosen}`}
      explanation={
        C === 1
          ? 'Filter weights. A filter responds most where the input matches its pattern.'
          : 'Filter weights per input channel. Each row is one filter.'
      }
    >
      <div className={styles.facts}>
        <span>
          <code>{layer}.weight</code> has {format.count(K)} filters of {format.shape([C, R, S])}
        </span>
        <Legend range={range} />
      </div>
      <Slices
        weights={shown}
        {...{ count: all ? K : 1, perFilter: C, size: [S, R], reach: reachOf(range) }}
        chosen={all ? chosen : undefined}
        onChoose={(k) => choose({ channel: k })}
      />
      <p className={styles.small}>
        Filter {chosen} has weights from {digits(rangeOf(weights, chosen * size, (chosen + 1) * size).least)}{' '}
        to {digits(rangeOf(weights, chosen * size, (chosen + 1) * size).most)}
        {bias ? ` and the bias ${digits(bias[chosen])}.` : ', no bias.'}
      </p>
    </Panel>
  );
}

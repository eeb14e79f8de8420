/** The histograms of a run's network, as they are kept: the kernel's bins become even ones. */
import { BINS, binEdges, BROKEN, ZERO, type RawHistogram } from '../../engine/histograms.ts';
import { HISTOGRAM_BINS, type Histogram } from '../../run/metrics/histograms.ts';
import type { TrainingRun } from '../../train/run.ts';
import type { CountedHistograms } from '../api.ts';

/** How long counting takes, by run: measured once, apart from the steps under way. */
const costs = new WeakMap<TrainingRun, number>();

export function histograms(run: TrainingRun): Promise<CountedHistograms> {
  return run.ask(async (trainer) => {
    const counter = await trainer.histograms();
    if (!costs.has(run)) {
      // The first time compiles and warms up.
      await counter.count();
      await trainer.device.idle();
      const start = performance.now();
      await counter.count();
      costs.set(run, performance.now() - start);
    }
    const { steps: step } = run;
    const found = await counter.count();
    return { step, histograms: found.map(evenly), milliseconds: costs.get(run) ?? 0 };
  });
}

/** Spreads the counts of the kernel's bins, which grow with the values, over even bins. */
export function evenly({ kind, layer, counts, scale }: RawHistogram): Histogram {
  let [low, high] = [Infinity, -Infinity];
  for (let bin = 0; bin < BINS - 1; bin++) {
    if (counts[bin] === 0 || bin === ZERO) continue;
    const [least, most] = binEdges(bin);
    low = Math.min(low, least);
    high = Math.max(high, most);
  }
  const common = { kind, layer, zeros: counts[ZERO], broken: counts[BROKEN] };
  if (low > high) return { ...common, low: 0, high: 0, counts: new Uint32Array(HISTOGRAM_BINS) };
  const width = (high - low) / HISTOGRAM_BINS;
  const shares = new Float64Array(HISTOGRAM_BINS);
  for (let bin = 0; bin < BINS - 1; bin++) {
    if (counts[bin] === 0 || bin === ZERO) continue;
    const [least, most] = binEdges(bin);
    const first = Math.min(HISTOGRAM_BINS - 1, Math.floor((least - low) / width));
    const last = Math.min(HISTOGRAM_BINS - 1, Math.ceil((most - low) / width) - 1);
    for (let to = first; to <= last; to++) {
      const from = Math.max(least, low + to * width);
      const end = to === last ? most : Math.min(most, low + (to + 1) * width);
      shares[to] += (counts[bin] * (end - from)) / (most - least);
    }
  }
  // Rounding the running sum keeps the total.
  let sum = 0;
  const even = Uint32Array.from(shares, (share) => {
    const before = Math.round(sum);
    sum += share;
    return Math.round(sum) - before;
  });
  return { ...common, low: low / scale, high: high / scale, counts: even };
}

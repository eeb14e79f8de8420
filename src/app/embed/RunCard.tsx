import type { ComponentType } from 'react';
import { stepMetrics } from '../../run/metrics/table.ts';
import { chosenDataset } from '../actions/start.ts';
import { MetricChart } from '../charts/curve/MetricChart.tsx';
import { later } from '../components/later.tsx';
import { share } from '../messages/en/share.tsx';
import { RunBar } from '../screens/train/RunBar.tsx';
import { Notices } from '../shell/Notices.tsx';
import { useApp } from '../state/store.ts';
import type { CardName } from './cards.ts';
import styles from './Embed.module.css';
import { usePage } from './page.ts';

function Chart({ of }: { of: 'loss' | 'accuracy' }) {
  const classes = useApp((state) => chosenDataset(state)?.classes.length) || 10;
  return (
    <div className={styles.chart}>
      {stepMetrics
        .filter(({ key }) => key === of)
        .map((metric) => (
          <MetricChart key={metric.key} metric={metric} classes={classes} />
        ))}
    </div>
  );
}

type RunCardName = Exclude<CardName, 'pad'>;

/** What each shows of the run. */
const CONTENTS: Readonly<Record<RunCardName, ComponentType>> = {
  loss: () => <Chart of="loss" />,
  accuracy: () => <Chart of="accuracy" />,
  filters: later(
    share.cards.filters,
    async () => (await import('../screens/train/FiltersPanel.tsx')).FiltersPanel,
  ),
  mistakes: later(
    share.cards.mistakes,
    async () => (await import('../screens/train/MistakesPanel.tsx')).MistakesPanel,
  ),
  network: later(share.cards.network, async () => (await import('./NetworkAndPad.tsx')).NetworkAndPad),
  inspect: later(
    share.cards.inspect,
    async () => (await import('../screens/inspect/ImageView.tsx')).ImageView,
  ),
};

/** A run with its controls, and what is shown of it. @param settings of a link to Train */
export function RunCard({
  card,
  settings,
}: {
  card: RunCardName;
  settings: Readonly<Record<string, string>>;
}) {
  usePage(settings);
  const Content = CONTENTS[card];
  return (
    <>
      <RunBar />
      <Content />
      <Notices />
      <OneThread />
    </>
  );
}

/** Why the processor is slower here than in wgrad itself. */
function OneThread() {
  const cpu = useApp(({ adapter }) => adapter?.cpu);
  if (!cpu || crossOriginIsolated) return null;
  const { oneThread, whyOneThread } = share.embed;
  return <p className="fine">{`${oneThread} ${whyOneThread}`}</p>;
}

import type { ReactNode } from 'react';
import { chosenDataset } from '../actions/start.ts';
import { MetricChart } from '../charts/curve/MetricChart.tsx';
import { stepMetrics } from '../../run/metrics/table.ts';
import { FiltersPanel } from '../screens/train/FiltersPanel.tsx';
import { MistakesPanel } from '../screens/train/MistakesPanel.tsx';
import { RunBar } from '../screens/train/RunBar.tsx';
import { Notices } from '../shell/Notices.tsx';
import { useApp } from '../state/store.ts';
import styles from './Embed.module.css';
import { OneThread, usePage } from './page.tsx';

interface CardProps {
  settings: Readonly<Record<string, string>>;
}

/** A run with its controls, and what is shown of it. */
function RunCard({ settings, children }: CardProps & { children: ReactNode }) {
  usePage(settings);
  return (
    <>
      <RunBar />
      {children}
      <Notices />
      <OneThread />
    </>
  );
}

function Chart({ of, settings }: CardProps & { of: 'loss' | 'accuracy' }) {
  const classes = useApp((state) => chosenDataset(state)?.classes.length) || 10;
  return (
    <RunCard settings={settings}>
      <div className={styles.chart}>
        {stepMetrics
          .filter(({ key }) => key === of)
          .map((metric) => (
            <MetricChart key={metric.key} metric={metric} classes={classes} />
          ))}
      </div>
    </RunCard>
  );
}

export const LossCard = (props: CardProps) => <Chart of="loss" {...props} />;
export const AccuracyCard = (props: CardProps) => <Chart of="accuracy" {...props} />;

export const FiltersCard = (props: CardProps) => (
  <RunCard {...props}>
    <FiltersPanel />
  </RunCard>
);

export const MistakesCard = (props: CardProps) => (
  <RunCard {...props}>
    <MistakesPanel />
  </RunCard>
);

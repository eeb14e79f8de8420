import { useEffect, useState } from 'react';
import { prose } from '../format.ts';
import { useLive } from '../metrics/use-live.ts';
import { useApp } from '../state/store.ts';
import { SLOW_MOTION } from './pace.ts';
import { phasesOf } from './step-phases.ts';
import { results as texts } from '../messages/en/results.tsx';
import styles from './Pace.module.css';

/** How long each phase of a step is highlighted. */
const PHASE_MS = 1000 / SLOW_MOTION / 3;

/** The phases of the last step, one after the other, until the next step. */
export function StepPhases() {
  const { curve } = useLive();
  const config = useApp((state) => state.runConfig);
  const [before, last] = curve.tail.length > 1 ? curve.tail.slice(-2) : [undefined, curve.last];
  if (!last || !config) return <p className="soft">{texts.phases.first}</p>;
  return <Phases key={last.step} phases={phasesOf(last, before, config)} />;
}

function Phases({ phases }: { phases: readonly string[] }) {
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    if (current === phases.length - 1) return undefined;
    const timer = setTimeout(() => setCurrent(current + 1), PHASE_MS);
    return () => clearTimeout(timer);
  }, [current, phases.length]);
  return (
    <ol className={styles.phases} aria-label={texts.phases.label}>
      {phases.map((text, at) => (
        <li key={at} className="card" aria-current={at === current ? 'step' : undefined}>
          {prose(text)}
        </li>
      ))}
    </ol>
  );
}

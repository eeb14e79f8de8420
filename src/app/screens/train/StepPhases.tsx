import { useLive } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import { phasesOf } from './step-phases.ts';
import styles from './Train.module.css';

/** The phases of the last step. */
export function StepPhases({ current }: { current: number }) {
  const { curve } = useLive();
  const config = useApp((state) => state.runConfig);
  const [before, last] = curve.tail.slice(-2).length === 2 ? curve.tail.slice(-2) : [undefined, curve.last];
  if (!last || !config) return <p className="soft">Preparing the first step…</p>;
  return (
    <ol className={styles.phases} aria-label="Phases of a training step">
      {phasesOf(last, before, config).map((text, at) => (
        <li key={at} className="card" aria-current={at === current ? 'step' : undefined}>
          {text}
        </li>
      ))}
    </ol>
  );
}

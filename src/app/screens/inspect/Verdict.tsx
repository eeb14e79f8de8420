import { Icon } from '../../widgets/Icon.tsx';
import { digits } from '../../components/maps/numbers.ts';
import * as format from '../../format.ts';
import { inspect as texts } from '../../messages/inspect.ts';
import styles from './Inspect.module.css';

/** Allowed difference between the computed and the network's value, relative to the sum of magnitudes. */
const TOLERANCE = 1e-5;

interface VerdictProps {
  /** The network's value, and how far the computed one is from it, relative. */
  network: number;
  error: number;
  step: number;
}

/** Whether the arithmetic arrives at the network's value. */
export function Verdict({ network, error, step }: VerdictProps) {
  const equal = error <= TOLERANCE;
  return (
    <p className={styles.verdict} data-equal={equal}>
      <Icon name={equal ? 'check' : 'warning'} />
      <span>
        {equal ? texts.value.matches : texts.value.differs}
        <output aria-label={texts.value.network} aria-live="off" className="numbers">
          {digits(network, 6)}
        </output>
        {texts.value.difference(error === 0 ? '0' : format.relativeError(error), step)}
      </span>
    </p>
  );
}

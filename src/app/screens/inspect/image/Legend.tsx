import { digits, reachOf, type Range } from '../numbers.ts';
import styles from './Image.module.css';

/** What the colours stand for, and how far the numbers reach. */
export function Legend({ range }: { range: Range }) {
  const reach = reachOf(range);
  return (
    <span className={styles.legend}>
      <span className="unseen">Colours from </span>
      <span className="numbers">{digits(-reach)}</span>
      <span className={styles.ramp} aria-hidden="true" />
      <span className="unseen"> to </span>
      <span className="numbers">{digits(reach)}</span>
      <span className="numbers">
        (numbers from {digits(range.least)} to {digits(range.most)})
      </span>
    </span>
  );
}

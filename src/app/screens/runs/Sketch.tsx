import styles from './RunTable.module.css';

const [WIDTH, HEIGHT] = [72, 22];

/** The loss of a run as a small line, from its largest value to its smallest. */
export function Sketch({ values }: { values: readonly number[] }) {
  if (values.length < 2) return <span className={styles.sketch} />;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const place = (value: number, i: number) => {
    const x = 1 + (i * (WIDTH - 2)) / (values.length - 1);
    const y = 2 + ((high - value) / (high - low || 1)) * (HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  return (
    <svg className={styles.sketch} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={values.map(place).join(' ')} />
    </svg>
  );
}

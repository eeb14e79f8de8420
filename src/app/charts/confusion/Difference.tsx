import styles from './Confusion.module.css';

interface DifferenceProps {
  classes: readonly string[];
  /** classes x classes counts each: rows are true classes, columns predicted ones. */
  before: Uint32Array;
  after: Uint32Array;
  /** Of the runs, for people. */
  names: readonly [string, string];
}

/** What one model predicts more often than another: blue cells are better in the second, orange ones worse. */
export function Difference({ classes, before, after, names }: DifferenceProps) {
  const size = classes.length;
  const most = after.reduce((top, count, i) => Math.max(top, Math.abs(count - before[i])), 1);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className={styles.scroll} role="region" aria-label="Confusion matrix difference" tabIndex={0}>
      <table className={styles.matrix}>
        <caption className="unseen">
          Change in test images per true class (rows) and predicted class (columns), from {names[0]} to{' '}
          {names[1]}
        </caption>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className={styles.axis}>
              True class
            </th>
            <th scope="colgroup" colSpan={size} className={styles.axis}>
              Predicted class
            </th>
          </tr>
          <tr>
            {classes.map((title) => (
              <th key={title} scope="col" title={title}>
                {title.slice(0, 4)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {classes.map((name, row) => (
            <tr key={name}>
              <th scope="row" title={name}>
                {name.slice(0, 4)}
              </th>
              {classes.map((answer, column) => {
                const change = after[row * size + column] - before[row * size + column];
                const better = (row === column) === change > 0;
                return (
                  <td
                    key={answer}
                    className={row === column ? styles.right : styles.wrong}
                    data-none={change === 0 || undefined}
                    title={`${name} predicted as ${answer}: ${before[row * size + column]}, then ${after[row * size + column]}`}
                    style={{
                      backgroundColor: `color-mix(in srgb, var(${better ? '--heat-right' : '--heat-wrong'}) calc(${Math.sqrt(Math.abs(change) / most).toFixed(3)} * var(--heat-most)), var(--sunken))`,
                    }}
                  >
                    {change > 0 ? `+${change}` : change === 0 ? '0' : `−${-change}`}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

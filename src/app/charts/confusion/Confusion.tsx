import * as format from '../../format.ts';
import styles from './Confusion.module.css';

interface ConfusionProps {
  classes: readonly string[];
  /** classes x classes counts: row is the true class, column the answer. */
  counts: Uint32Array;
}

/** Which classes are taken for which, as a table: blue cells are right answers, orange ones mistakes. */
export function Confusion({ classes, counts }: ConfusionProps) {
  const size = classes.length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className={styles.scroll} role="region" aria-label="Confusion matrix" tabIndex={0}>
      <table className={styles.matrix}>
        <caption className="unseen">
          Test images by their true class (rows) and the model's answer (columns)
        </caption>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className={styles.axis}>
              Truth
            </th>
            <th scope="colgroup" colSpan={size} className={styles.axis}>
              Answer
            </th>
            <th scope="col" rowSpan={2} className={styles.recall}>
              Right
            </th>
          </tr>
          <tr>
            {classes.map((name) => (
              <th key={name} scope="col" title={name}>
                {short(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {classes.map((name, row) => {
            const cells = counts.subarray(row * size, (row + 1) * size);
            const total = cells.reduce((sum, cell) => sum + cell, 0);
            return (
              <tr key={name}>
                <th scope="row" title={name}>
                  {short(name)}
                </th>
                {classes.map((answer, column) => (
                  <Cell key={answer} right={row === column} cell={cells[column]} total={total} />
                ))}
                <td className={styles.recall}>{total > 0 ? format.percent(cells[row] / total) : '–'}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ right, cell, total }: { right: boolean; cell: number; total: number }) {
  // Square roots lift the few mistakes of a good model out of the white.
  const heat = total > 0 ? Math.sqrt(cell / total) : 0;
  return (
    <td
      className={right ? styles.right : styles.wrong}
      data-none={cell === 0 || undefined}
      style={{
        backgroundColor: `color-mix(in srgb, var(${right ? '--heat-right' : '--heat-wrong'}) calc(${heat.toFixed(3)} * var(--heat-most)), var(--sunken))`,
      }}
    >
      {cell}
    </td>
  );
}

const short = (name: string): string => (name.length > 4 ? `${name.slice(0, 4)}…` : name);

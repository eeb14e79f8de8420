import * as format from '../../format.ts';
import styles from './Confusion.module.css';

interface ConfusionProps {
  classes: readonly string[];
  /** classes x classes counts: rows are true classes, columns predicted ones. */
  counts: Uint32Array;
  /** Makes the cells with counts buttons. */
  onPress?(label: number, prediction: number): void;
  /** It fills its place, however small the cells get. */
  dense?: boolean;
  /** The cell, row or column that is highlighted. */
  selected?: { label: number | undefined; prediction: number | undefined } | undefined;
}

/** The confusion matrix as a table: blue cells are correct predictions, orange ones mistakes. */
export function Confusion({ classes, counts, dense = false, onPress, selected }: ConfusionProps) {
  const size = classes.length;
  // Words are wider than counts.
  const upright = classes.some((name) => name.length > 3);
  const isSelected = (label: number, prediction: number) =>
    selected !== undefined &&
    (selected.label ?? selected.prediction) !== undefined &&
    (selected.label ?? label) === label &&
    (selected.prediction ?? prediction) === prediction;
  return (
    <div
      className={styles.scroll}
      data-dense={dense || undefined}
      role="region"
      aria-label="Counts by class"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table className={styles.matrix}>
        <caption className="unseen">Test images by true class (rows) and predicted class (columns)</caption>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className={styles.axis}>
              True class
            </th>
            <th scope="colgroup" colSpan={size} className={styles.axis}>
              Predicted class
            </th>
            <th scope="col" rowSpan={2} className={styles.recall}>
              Recall
            </th>
          </tr>
          <tr>
            {classes.map((name) => (
              <th key={name} scope="col" title={name}>
                <span className={upright ? styles.upright : undefined}>{name}</span>
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
                  {name}
                </th>
                {classes.map((prediction, column) => (
                  <Cell
                    key={prediction}
                    right={row === column}
                    cell={cells[column]}
                    total={total}
                    selected={isSelected(row, column)}
                    title={row === column ? `${name}, correct` : `${name} predicted as ${prediction}`}
                    {...(onPress ? { onPress: () => onPress(row, column) } : {})}
                  />
                ))}
                <td className={styles.recall}>
                  {total > 0 ? recallOf(cells[row], total, dense ? 0 : 1) : '–'}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Rounded down: a class with a mistake is not at 100 %. */
function recallOf(right: number, total: number, digits: number): string {
  const parts = 100 * 10 ** digits;
  return format.percent(Math.floor((parts * right) / total) / parts, digits);
}

interface CellProps {
  right: boolean;
  cell: number;
  total: number;
  selected: boolean;
  title: string;
  onPress?(): void;
}

function Cell({ right, cell, total, selected, title, onPress }: CellProps) {
  // Square roots make the few mistakes of a good model visible.
  const heat = total > 0 ? Math.sqrt(cell / total) : 0;
  return (
    <td
      className={right ? styles.right : styles.wrong}
      data-none={cell === 0 || undefined}
      data-selected={selected || undefined}
      style={{
        backgroundColor: `color-mix(in srgb, var(${right ? '--heat-right' : '--heat-wrong'}) calc(${heat.toFixed(3)} * var(--heat-most)), var(--sunken))`,
      }}
    >
      {onPress && cell > 0 ? (
        <button
          type="button"
          className={`bare ${styles.cell}`}
          title={title}
          aria-label={`${cell}: ${title}`}
          aria-pressed={selected}
          onClick={onPress}
        >
          {cell}
        </button>
      ) : (
        cell
      )}
    </td>
  );
}

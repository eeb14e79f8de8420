import * as format from '../../format.ts';
import { heated, Matrix } from './Matrix.tsx';
import { results as texts } from '../../messages/en/results.tsx';
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
  const countOf = (label: number, prediction: number) => counts[label * size + prediction];
  const totals = classes.map((_, label) =>
    counts.subarray(label * size, (label + 1) * size).reduce((sum, cell) => sum + cell, 0),
  );
  return (
    <Matrix
      caption={texts.confusion.caption}
      region={texts.confusion.region}
      classes={classes}
      dense={dense}
      columnHead={(name) => <span className={upright ? styles.upright : undefined}>{name}</span>}
      cell={(label, prediction) => {
        const count = countOf(label, prediction);
        return {
          'data-none': count === 0 || undefined,
          'data-selected': isSelected(label, prediction) || undefined,
          // Square roots make the few mistakes of a good model visible.
          style: heated(label === prediction, totals[label] > 0 ? Math.sqrt(count / totals[label]) : 0),
        };
      }}
      render={(label, prediction) => {
        const count = countOf(label, prediction);
        if (!onPress || count === 0) return count;
        const title =
          label === prediction
            ? texts.confusion.correct(classes[label])
            : texts.confusion.wrong(classes[label], classes[prediction]);
        return (
          <button
            type="button"
            className={`bare ${styles.cell}`}
            title={title}
            aria-label={`${count}: ${title}`}
            aria-pressed={isSelected(label, prediction)}
            onClick={() => onPress(label, prediction)}
          >
            {count}
          </button>
        );
      }}
      last={{
        title: texts.confusion.recall,
        className: styles.recall,
        render: (label) =>
          totals[label] > 0 ? format.percent(countOf(label, label) / totals[label], dense ? 0 : 1) : '–',
      }}
    />
  );
}

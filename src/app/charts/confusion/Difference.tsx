import { heated, Matrix } from './Matrix.tsx';
import { results as texts } from '../../messages/en/results.tsx';

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
  const change = (label: number, prediction: number) =>
    after[label * size + prediction] - before[label * size + prediction];
  return (
    <Matrix
      caption={texts.confusion.change(...names)}
      region={texts.confusion.difference}
      classes={classes}
      columnHead={(name) => name.slice(0, 4)}
      rowHead={(name) => name.slice(0, 4)}
      cell={(label, prediction) => {
        const by = change(label, prediction);
        const at = label * size + prediction;
        return {
          'data-none': by === 0 || undefined,
          title: texts.confusion.changed(classes[label], classes[prediction], before[at], after[at]),
          style: heated((label === prediction) === by > 0, Math.sqrt(Math.abs(by) / most)),
        };
      }}
      render={(label, prediction) => {
        const by = change(label, prediction);
        return by > 0 ? `+${by}` : by === 0 ? '0' : `−${-by}`;
      }}
    />
  );
}

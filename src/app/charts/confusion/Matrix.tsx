import type { ReactNode } from 'react';
import { DataTable, type TableColumn } from '../../widgets/DataTable.tsx';
import { results as texts } from '../../messages/en/results.tsx';
import styles from './Confusion.module.css';

interface MatrixProps {
  caption: string;
  /** The name of the region in which it scrolls. */
  region: string;
  classes: readonly string[];
  /** How a head shows the name of its class. */
  columnHead(name: string): ReactNode;
  rowHead?(name: string): string;
  /** Attributes of the cell of a true and a predicted class. */
  cell(label: number, prediction: number): ReturnType<NonNullable<TableColumn<number>['cell']>>;
  render(label: number, prediction: number): ReactNode;
  /** A column at the right. */
  last?: TableColumn<number>;
  /** It fills its place, however small the cells get. */
  dense?: boolean;
}

/** A table of true classes (rows) by predicted classes (columns). */
export function Matrix({
  caption,
  region,
  classes,
  columnHead,
  rowHead = (name) => name,
  cell,
  render,
  last,
  dense,
}: MatrixProps) {
  return (
    <DataTable
      caption={caption}
      region={region}
      frame={dense ? styles.dense : undefined}
      className={styles.matrix}
      rows={classes.map((_, label) => label)}
      keyOf={(label) => classes[label]}
      columns={[
        {
          title: texts.confusion.label,
          cell: (label) => ({ title: classes[label] }),
          render: (label) => rowHead(classes[label]),
        },
        ...classes.map((name, prediction): TableColumn<number> => ({
          key: `class ${name}`,
          title: name,
          hint: name,
          face: columnHead(name),
          group: texts.confusion.prediction,
          cell(label) {
            const right = label === prediction ? styles.right : styles.wrong;
            return { className: right, ...cell(label, prediction) };
          },
          render: (label) => render(label, prediction),
        })),
        last,
      ]}
    />
  );
}

/** How a cell is coloured: blue where that is good, orange where it is not. @param heat from 0 to 1 */
export const heated = (good: boolean, heat: number) => ({
  backgroundColor: `color-mix(in srgb, var(${good ? '--heat-right' : '--heat-wrong'}) calc(${heat.toFixed(3)} * var(--heat-most)), var(--sunken))`,
});

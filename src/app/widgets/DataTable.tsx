import { Fragment, type ComponentProps, type Key, type ReactNode } from 'react';
import styles from './DataTable.module.css';

type Attributes<Tag extends 'table' | 'tr' | 'td'> = Omit<ComponentProps<Tag>, 'children'> & {
  [name: `data-${string}`]: string | number | boolean | undefined;
};

export interface TableColumn<Row> {
  /** Its head, and the name of its cells where a phone lists them. */
  title: string;
  render(row: Row): ReactNode;
  /** Identifies it where its title does not. */
  key?: string;
  /** What the head shows in place of its title; after it, if the title is unseen. */
  face?: ReactNode;
  /** Whether the title is for screen readers only. */
  unseen?: boolean;
  /** Explains the head, on hover. */
  hint?: string | undefined;
  /** Numbers are aligned at the right. */
  number?: boolean;
  /** A phone has no room for it. */
  wide?: boolean | undefined;
  /** Of the head and the cells. */
  className?: string | undefined;
  /** Whether its cells are the heads of their rows. Default: the first column's. */
  head?: boolean;
  /** Neighbouring columns of a group have one more head in common, above theirs. */
  group?: string;
  /** The direction in which it is sorted first; a column without cannot be sorted. */
  sort?: 'ascending' | 'descending';
  /** How many columns its cell takes in this row. The cells of the others are left out. */
  span?(row: Row): number;
  /** Attributes of its cell in this row. */
  cell?(row: Row): Attributes<'td'>;
}

export interface SortOrder<Name extends string = string> {
  /** The key of the column, or its title. */
  column: Name;
  ascending: boolean;
}

interface DataTableProps<Row> {
  /** What the table shows. */
  caption: string;
  /** Whether the caption is visible too. */
  captioned?: boolean;
  /** Those that are absent are left out. Without any title there are no heads. */
  columns: readonly (TableColumn<Row> | false | undefined)[];
  rows: readonly Row[];
  keyOf(row: Row): Key;
  /** Attributes of a row. */
  row?(row: Row): Attributes<'tr'>;
  /** What a line below the row shows, over all columns; without anything, there is no such line. */
  below?(row: Row): ReactNode;
  order?: SortOrder;
  onOrder?(order: SortOrder): void;
  /** On a phone every row is a list of its cells, each behind the title of its column. */
  stacked?: boolean;
  /** The name of the region in which it scrolls sideways, if the keyboard must reach that. */
  region?: string;
  /** Of the box in which it scrolls. */
  frame?: string | undefined;
  className?: string | undefined;
  /** More attributes of the table. */
  table?: Attributes<'table'>;
}

const keyOfColumn = ({ key, title }: TableColumn<never>): string => key ?? title;
const joined = (...names: (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined;

/** A table by its columns, in a box in which it scrolls where it is wider. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, captioned, rows, keyOf, below, stacked, region, frame, className } = props;
  const columns = props.columns.filter((column) => column !== undefined && column !== false);
  const titled = columns.some(({ title }) => title !== '');
  const head = columns.find((column) => column.head) ?? (titled ? columns[0] : undefined);
  return (
    <div
      className={joined(styles.scroll, frame)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      {...(region === undefined ? {} : { role: 'region', 'aria-label': region, tabIndex: 0 })}
    >
      <table {...props.table} className={joined(styles.table, stacked && styles.stacked, className)}>
        <caption className={captioned ? undefined : 'unseen'}>{caption}</caption>
        {titled && <Heads columns={columns} order={props.order} onOrder={props.onOrder} />}
        <tbody>
          {rows.map((row) => {
            const more = below?.(row);
            return (
              <Fragment key={keyOf(row)}>
                <tr {...props.row?.(row)}>{cellsOf(columns, head, row)}</tr>
                {more && (
                  <tr data-below>
                    <td colSpan={columns.length}>{more}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function cellsOf<Row>(columns: readonly TableColumn<Row>[], head: TableColumn<Row> | undefined, row: Row) {
  let covered = 0;
  return columns.map((column) => {
    if (covered > 0) {
      covered--;
      return null;
    }
    const span = column.span?.(row) ?? 1;
    covered = span - 1;
    const { className, ...rest } = column.cell?.(row) ?? {};
    const attributes = {
      ...attributesOf(column, className),
      colSpan: span === 1 ? undefined : span,
      // The head of a row needs no name, unless it is a number.
      'data-title':
        column.unseen || (column === head && !column.number) ? undefined : column.title || undefined,
      ...rest,
    };
    return column === head ? (
      <th key={keyOfColumn(column)} scope="row" {...attributes}>
        {column.render(row)}
      </th>
    ) : (
      <td key={keyOfColumn(column)} {...attributes}>
        {column.render(row)}
      </td>
    );
  });
}

const attributesOf = ({ className, wide, number }: TableColumn<never>, more?: string) => ({
  className: joined(wide && 'wide-only', className, more),
  'data-number': number || undefined,
});

interface HeadsProps {
  columns: readonly TableColumn<never>[];
  order: SortOrder | undefined;
  onOrder: ((order: SortOrder) => void) | undefined;
}

/** The heads of the columns; where some have a group, in two lines. */
function Heads({ columns, order, onOrder }: HeadsProps) {
  const grouped = columns.filter(({ group }) => group !== undefined);
  const headOf = (column: TableColumn<never>, rowSpan?: number) => {
    const sorted = order?.column === keyOfColumn(column) ? order : undefined;
    return (
      <th
        key={keyOfColumn(column)}
        scope="col"
        rowSpan={rowSpan}
        title={column.hint}
        aria-sort={sorted && (sorted.ascending ? 'ascending' : 'descending')}
        {...attributesOf(column)}
      >
        {column.sort ? (
          <SortButton column={column} sorted={sorted} onOrder={onOrder} />
        ) : column.unseen ? (
          <>
            <span className="unseen">{column.title}</span>
            {column.face}
          </>
        ) : (
          (column.face ?? column.title)
        )}
      </th>
    );
  };
  return (
    <thead>
      {grouped.length > 0 ? (
        <>
          <tr>
            {columns.map((column, i) =>
              column.group === undefined ? (
                headOf(column, 2)
              ) : columns[i - 1]?.group === column.group ? null : (
                <th
                  key={column.group}
                  scope="colgroup"
                  colSpan={columns.filter(({ group }) => group === column.group).length}
                >
                  {column.group}
                </th>
              ),
            )}
          </tr>
          <tr>{grouped.map((column) => headOf(column))}</tr>
        </>
      ) : (
        <tr>{columns.map((column) => headOf(column))}</tr>
      )}
    </thead>
  );
}

interface SortButtonProps {
  column: TableColumn<never>;
  sorted: SortOrder | undefined;
  onOrder: ((order: SortOrder) => void) | undefined;
}

/** Sorts by its column, at the second press the other way. */
const SortButton = ({ column, sorted, onOrder }: SortButtonProps) => (
  <button
    type="button"
    className={`bare ${styles.sort}`}
    onClick={() =>
      onOrder?.({
        column: keyOfColumn(column),
        ascending: sorted ? !sorted.ascending : column.sort === 'ascending',
      })
    }
  >
    {column.title}
    <span aria-hidden="true">{sorted ? (sorted.ascending ? ' ↑' : ' ↓') : ''}</span>
  </button>
);

import type { StudyCell, StudyColumn, StudyLine, TableFigure } from '../../../worker/api.ts';
import { Heads } from '../../widgets/Heads.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import stacked from '../../widgets/Stacked.module.css';
import table from '../../widgets/Table.module.css';
import { variantName } from '../../components/variant-name.ts';
import * as format from '../../format.ts';
import { ratioText, rowKey, rowsOf, type Cells } from './figures.ts';
import styles from './Studies.module.css';

interface TablePanelProps {
  figure: TableFigure;
  lines: readonly StudyLine[];
  /** Those of another machine, to be shown below these where it has the same row. */
  beside: readonly StudyLine[];
}

const isNumber = ({ unit = 'text' }: StudyColumn): boolean => unit !== 'text';

/** Rows that show at once; the rest is behind a button of the browser. */
const FIRST = 12;
/** Characters of a text that takes a wider column. */
const LONG = 24;
/** Columns of a table that takes half of a wide screen. */
const NARROW = 6;
/** More columns than this do not fit on a tablet: the wide ones are left out there. */
const MANY = 10;
const LIST = new Intl.ListFormat('en-GB');
/** Fewer are not worth the button. */
const FEW = 4;

/** A table of a study. */
export function TablePanel({ figure, lines, beside }: TablePanelProps) {
  const { title, explanation, columns } = figure;
  const rows = rowsOf(figure, lines);
  const isMany = columns.length > MANY;
  const leftOut = columns.filter(({ wide }) => wide).map((column) => `“${column.title}”`);
  const others = new Map(
    rowsOf({ ...figure, given: [] }, beside).map((cells) => [rowKey(figure, cells), cells]),
  );
  const first = rows.length > FIRST + FEW ? FIRST : rows.length;
  const body = (part: typeof rows) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className={table.scroll} role="group" aria-label={title} tabIndex={0}>
      <table className={`${table.table} ${stacked.stacked} ${styles.figure}`} data-many={isMany || undefined}>
        <caption className="unseen">{title}</caption>
        <Heads
          of={columns.map((column, i) => ({
            name: column.title,
            'data-number': (i > 0 && isNumber(column)) || undefined,
            'data-published': column.published,
            className: column.wide ? 'wide-only' : undefined,
          }))}
        />
        <tbody>
          {part.map((cells, i) => (
            <Row
              key={rowKey(figure, cells)}
              columns={columns}
              cells={cells}
              other={others.get(rowKey(figure, cells))}
              repeats={i > 0 && columns.length > 1 && part[i - 1][columns[0].name] === cells[columns[0].name]}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
  return (
    <Panel
      title={title}
      explanation={explanation}
      className={columns.length <= NARROW ? styles.half : undefined}
    >
      {rows.length === 0 ? (
        <p className="vacant">Run the study to fill this table.</p>
      ) : (
        <>
          {body(rows.slice(0, first))}
          {leftOut.length > 0 && (
            <p className={`soft ${isMany ? styles.leftOut : 'phone-only'}`}>
              Wider screens also show {LIST.format(leftOut)}.
            </p>
          )}
          {rows.length > first && (
            <details>
              <summary className="soft">{rows.length - first} more rows</summary>
              {body(rows.slice(first))}
            </details>
          )}
        </>
      )}
    </Panel>
  );
}

interface RowProps {
  columns: readonly StudyColumn[];
  cells: Cells;
  other: Cells | undefined;
  /** Its head is that of the row before. */
  repeats: boolean;
}

function Row({ columns: [head, ...columns], cells, other, repeats }: RowProps) {
  const name = textOf(head, cells[head.name]);
  return (
    <tr data-repeats={repeats || undefined}>
      <th
        scope="row"
        data-title={isNumber(head) ? head.title : undefined}
        data-long={name.length > LONG || undefined}
      >
        {repeats ? <span className="unseen">{name}</span> : name}
      </th>
      {columns.map((column) => {
        const isMeasured = isNumber(column) && !column.key && !column.published;
        const own = textOf(column, cells[column.name]);
        const theirs = isMeasured && other ? textOf(column, other[column.name]) : '';
        return (
          <td
            key={column.name}
            data-title={column.title}
            className={column.wide ? 'wide-only' : undefined}
            data-number={isNumber(column) || undefined}
            data-published={column.published || undefined}
            data-long={own.length > LONG || undefined}
          >
            {own}
            {theirs !== '' && theirs !== own && <small>{theirs}</small>}
          </td>
        );
      })}
    </tr>
  );
}

/** A cell as people read it. */
export function textOf({ unit = 'text' }: StudyColumn, value: StudyCell | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string' || unit === 'text') {
    const text = String(value);
    return /^\d+x\d+$/.test(text) ? format.prose(text) : variantName(text);
  }
  switch (unit) {
    case 'ms':
      return format.time(value);
    case 'ratio':
      return ratioText(value);
    case 'loss':
      return value < 0.0005 ? '–' : `+${format.percent(value)}`;
    case 'percent':
      return format.percent(value);
    case 'bytes':
      return format.bytes(value);
    case 'count':
      return format.count(value);
    case 'error':
      return format.relativeError(value);
  }
}

import type { StudyCell, StudyColumn, StudyLine, TableFigure } from '../../../worker/api.ts';
import { Heads } from '../../components/Heads.tsx';
import { Panel } from '../../components/Panel.tsx';
import table from '../../components/Table.module.css';
import * as format from '../../format.ts';
import { ratioText, rowsOf } from './figures.ts';
import styles from './Studies.module.css';

interface TablePanelProps {
  figure: TableFigure;
  lines: readonly StudyLine[];
}

const isNumber = ({ unit = 'text' }: StudyColumn): boolean => unit !== 'text';

/** Rows that show at once; the rest is behind a button of the browser. */
const FIRST = 40;

/** A table of a study. */
export function TablePanel({ figure, lines }: TablePanelProps) {
  const { title, explanation, columns } = figure;
  const rows = rowsOf(figure, lines);
  const body = (part: typeof rows) => (
    <div className={table.scroll}>
      <table className={`${table.table} ${styles.figure}`}>
        <caption className="unseen">{title}</caption>
        <Heads
          of={columns.map((column) => ({
            name: column.title,
            'data-number': isNumber(column) || undefined,
            'data-published': column.published,
            className: column.wide ? 'wide-only' : undefined,
          }))}
        />
        <tbody>
          {part.map((cells) => (
            <tr key={JSON.stringify(columns.filter(({ key }) => key).map(({ name }) => cells[name]))}>
              {columns.map((column, i) => (
                <TableCell key={column.name} column={column} head={i === 0} value={cells[column.name]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
  return (
    <Panel title={title} explanation={explanation}>
      {rows.length === 0 ? (
        <p className="vacant">Run the study to fill this table.</p>
      ) : (
        <>
          {body(rows.slice(0, FIRST))}
          {rows.length > FIRST && (
            <details>
              <summary className="soft">{rows.length - FIRST} more rows</summary>
              {body(rows.slice(FIRST))}
            </details>
          )}
        </>
      )}
    </Panel>
  );
}

interface TableCellProps {
  column: StudyColumn;
  head: boolean;
  value: StudyCell | undefined;
}

function TableCell({ column, head, value }: TableCellProps) {
  const text = textOf(column, value);
  const className = column.wide ? 'wide-only' : undefined;
  if (head) {
    return (
      <th scope="row" className={className}>
        {text}
      </th>
    );
  }
  return (
    <td
      className={className}
      data-number={isNumber(column) || undefined}
      data-published={column.published || undefined}
    >
      {text}
    </td>
  );
}

/** A cell as people read it; text stays as it is. */
export function textOf({ unit = 'text' }: StudyColumn, value: StudyCell | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string' || unit === 'text') return String(value);
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

import type { StudyCell, StudyColumn, StudyLine, TableFigure } from '../../../worker/api.ts';
import { DataTable } from '../../widgets/DataTable.tsx';
import { Foreseen } from '../../components/Foreseen.tsx';
import { Panel } from '../../widgets/Panel.tsx';
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
  const body = (part: typeof rows, region: string) => {
    const repeats = (cells: Cells) => {
      const i = part.indexOf(cells);
      return i > 0 && columns.length > 1 && part[i - 1][columns[0].name] === cells[columns[0].name];
    };
    return (
      <DataTable<Cells>
        stacked
        caption={title}
        region={region}
        className={styles.figure}
        table={{ 'data-many': isMany || undefined }}
        rows={part}
        keyOf={(cells) => rowKey(figure, cells)}
        row={(cells) => ({ 'data-repeats': repeats(cells) || undefined })}
        columns={columns.map((column, i) => {
          const text = (cells: Cells | undefined) => (cells ? textOf(column, cells[column.name]) : '');
          const isMeasured = i > 0 && isNumber(column) && !column.key && !column.published;
          return {
            key: column.name,
            title: column.title,
            face: column.published ? <i>{column.title}</i> : undefined,
            number: i > 0 && isNumber(column),
            wide: column.wide,
            cell: (cells) => ({
              'data-published': column.published,
              'data-long': text(cells).length > LONG || undefined,
              'data-title': i > 0 || isNumber(column) ? column.title : undefined,
            }),
            render(cells) {
              const own = text(cells);
              if (i === 0) return repeats(cells) ? <span className="unseen">{own}</span> : own;
              const theirs = isMeasured ? text(others.get(rowKey(figure, cells))) : '';
              return (
                <>
                  {own}
                  {theirs !== '' && theirs !== own && <small>{theirs}</small>}
                </>
              );
            },
          };
        })}
      />
    );
  };
  return (
    <Panel
      title={title}
      explanation={explanation}
      className={columns.length <= NARROW ? styles.half : undefined}
    >
      {rows.length === 0 ? (
        <Foreseen of="bars">
          <p>Run the study to fill this table.</p>
        </Foreseen>
      ) : (
        <>
          {body(rows.slice(0, first), `${title}: table`)}
          {leftOut.length > 0 && (
            <p className={`soft ${isMany ? styles.leftOut : 'phone-only'}`}>
              Wider screens also show {LIST.format(leftOut)}.
            </p>
          )}
          {rows.length > first && (
            <details>
              <summary className="soft">{rows.length - first} more rows</summary>
              {body(rows.slice(first), `${title}: more rows`)}
            </details>
          )}
        </>
      )}
    </Panel>
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

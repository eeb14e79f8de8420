import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import styles from './Heatmap.module.css';

export interface HeatmapCell {
  /** What it says, in words: for hovering and screen readers. */
  title: string;
  /** Up to two, which share the cell. Sets colour and pattern. */
  algorithms: readonly string[];
  content: ReactNode;
  small?: ReactNode;
  /** predicted: not measured. busy: under way. none: nothing to say. */
  state: 'measured' | 'predicted' | 'busy' | 'none';
}

interface HeatmapProps {
  caption: string;
  columnTitle: string;
  rowTitle: string;
  columns: readonly number[];
  /** From bottom to top. */
  rows: readonly number[];
  cell(column: number, row: number): HeatmapCell;
  onPress(column: number, row: number): void;
}

/** A table of buttons, coloured by what wins there. The arrow keys move within it. */
export function Heatmap({ caption, columnTitle, rowTitle, columns, rows, cell, onPress }: HeatmapProps) {
  const [at, setAt] = useState<readonly [column: number, row: number]>([0, 0]);
  const table = useRef<HTMLTableElement>(null);
  const here = [Math.min(at[0], columns.length - 1), Math.min(at[1], rows.length - 1)] as const;
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const column = clamp(here[0] + step[0], columns.length);
    const row = clamp(here[1] + step[1], rows.length);
    setAt([column, row]);
    table.current?.querySelector<HTMLButtonElement>(`[data-at="${column},${row}"]`)?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that move between its buttons
    <table className={styles.map} ref={table} onKeyDown={move}>
      <caption className="unseen">{caption}</caption>
      <colgroup>
        <col className={styles.titles} />
        <col className={styles.heads} />
        {columns.map((column) => (
          <col key={column} />
        ))}
      </colgroup>
      <tbody>
        {rows.map((_, i) => {
          const j = rows.length - 1 - i;
          const row = rows[j];
          return (
            <tr key={row}>
              {i === 0 && (
                <td className={styles.rowTitle} rowSpan={rows.length} aria-hidden="true">
                  <span>{rowTitle}</span>
                </td>
              )}
              <th scope="row">
                <span className="unseen">{rowTitle} </span>
                {row}
              </th>
              {columns.map((column, k) => (
                <td key={column}>
                  <CellButton
                    {...cell(column, row)}
                    at={`${k},${j}`}
                    focusable={k === here[0] && j === here[1]}
                    onFocus={() => setAt([k, j])}
                    onPress={() => onPress(column, row)}
                  />
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
      <Foot title={columnTitle} columns={columns} />
    </table>
  );
}

/** The names of the columns, below them. */
const Foot = ({ title, columns }: { title: string; columns: readonly number[] }) => (
  <tfoot>
    <tr>
      <td colSpan={2} aria-hidden="true" />
      {columns.map((column) => (
        <th key={column} scope="col">
          <span className="unseen">{title} </span>
          {column}
        </th>
      ))}
    </tr>
    <tr>
      <td colSpan={2} aria-hidden="true" />
      <td colSpan={columns.length} className={styles.columnTitle} aria-hidden="true">
        {title}
      </td>
    </tr>
  </tfoot>
);

interface CellButtonProps extends HeatmapCell {
  /** Column and row, by which the keys find it. */
  at: string;
  /** Whether it is the stop for the keyboard. */
  focusable: boolean;
  onFocus(): void;
  onPress(): void;
}

function CellButton({
  title,
  algorithms,
  content,
  small,
  state,
  at,
  focusable,
  onFocus,
  onPress,
}: CellButtonProps) {
  const [first, second] = algorithms;
  return (
    <button
      type="button"
      className={styles.cell}
      data-state={state}
      data-algorithm={first}
      data-at={at}
      tabIndex={focusable ? 0 : -1}
      title={title}
      onFocus={onFocus}
      onClick={onPress}
    >
      {second !== undefined && <span className={styles.second} data-algorithm={second} aria-hidden="true" />}
      <span className="unseen">{title}</span>
      <span className={styles.content} aria-hidden="true">
        {content}
      </span>
      <span className={styles.small} aria-hidden="true">
        {small}
      </span>
    </button>
  );
}

const clamp = (index: number, length: number): number => Math.max(0, Math.min(length - 1, index));

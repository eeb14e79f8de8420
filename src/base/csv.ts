/** Tables as CSV, after RFC 4180. */

export type CsvValue = string | number | null | undefined;

/** @param columns their names, and the value of each in a row; an empty cell where there is none */
export function csvOf<Row>(
  columns: readonly (readonly [name: string, value: (row: Row) => CsvValue])[],
  rows: readonly Row[],
): string {
  const lines = rows.map((row) => columns.map(([, value]) => quoted(value(row))).join(','));
  return `${[columns.map(([name]) => name).join(','), ...lines].join('\r\n')}\r\n`;
}

function quoted(value: CsvValue): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

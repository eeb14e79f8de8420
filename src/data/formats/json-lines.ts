/** Tables as JSON Lines (https://jsonlines.org): an object with the same keys in each line, such as Hugging Face's metadata.jsonl. */
import { badFile } from '../../base/bytes.ts';
import { parsePlainJson } from '../../base/plain-json.ts';
import { textOf, type Table } from './csv.ts';

/** Texts, numbers and truth values by key; others are empty. @throws Failure `bad-file` with the line of what is wrong */
export function readJsonLines(name: string, bytes: Uint8Array): Table {
  const lines = (textOf(bytes) ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  const rows = lines.map((line, i) => {
    let value: unknown;
    try {
      value = parsePlainJson(line);
    } catch {
      value = undefined;
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw badFile(name, 0, `expected a JSON object in line ${i + 1}`);
    return new Map(Object.entries(value));
  });
  const columns = [...(rows[0]?.keys() ?? [])];
  if (columns.length < 2) throw badFile(name, 0, 'expected lines of JSON objects with at least two keys');
  const cell = (value: unknown) =>
    ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
  return { columns, rows: rows.map((row) => columns.map((key) => cell(row.get(key)))) };
}

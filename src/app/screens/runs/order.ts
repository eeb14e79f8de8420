import type { SortOrder } from '../../widgets/DataTable.tsx';
import { keptStanding, lastTest, rateOf, type RunRecord } from '../../journal/record.ts';

type RunColumn = 'number' | 'name' | 'accuracy' | 'time' | 'rate' | 'state';
export type RunOrder = SortOrder<RunColumn>;

type Key = string | number | undefined;

const KEYS: Record<RunColumn, (record: RunRecord) => Key> = {
  number: ({ began }) => began,
  name: ({ name }) => name,
  accuracy: (record) => lastTest(record)?.testAccuracy,
  time: ({ trainedMs }) => trainedMs,
  rate: rateOf,
  state: keptStanding,
};

/** Sorted by a column; starred runs first, unknown values last. */
export function ordered(records: readonly RunRecord[], { column, ascending }: RunOrder): RunRecord[] {
  const key = KEYS[column];
  const sign = ascending ? 1 : -1;
  return records.toSorted((a, b) => {
    if (a.starred !== b.starred) return a.starred ? -1 : 1;
    const [one, other] = [key(a), key(b)];
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    const difference = typeof one === 'string' ? one.localeCompare(String(other), 'en') : one - Number(other);
    return sign * difference || b.number - a.number;
  });
}

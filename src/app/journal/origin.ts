/** Where runs come from: a fork starts with the weights that another run had at a step. */
import type { RunRecord } from './record.ts';
import { changes as texts } from '../messages/en/changes.tsx';

export interface Origin {
  /** The run's current name. */
  name: string;
  /** Steps that it had done. */
  step: number;
}

/** "brave-otter-1, step 20" */
export const showOrigin = ({ name, step }: Origin): string => texts.origin(name, step);

/** Undefined for a run that started with random weights. */
export function originOf({ parent }: RunRecord, records: readonly RunRecord[]): Origin | undefined {
  if (parent?.step === undefined) return undefined;
  const name = records.find(({ id }) => id === parent.id)?.name ?? parent.name;
  return { name, step: parent.step };
}

/** The run that a fork started from, as a line next to its settings. */
export function originLine(
  record: RunRecord,
  records: readonly RunRecord[],
): { title: string; value: string } {
  const origin = originOf(record, records);
  return { title: texts.parent, value: origin ? showOrigin(origin) : texts.noParent };
}

/** Steps that its initial weights had been trained for, over all runs before it. */
export function stepsBefore({ parent }: RunRecord, records: readonly RunRecord[]): number {
  if (parent?.step === undefined) return 0;
  const before = records.find(({ id }) => id === parent.id);
  return parent.step + (before ? stepsBefore(before, records) : 0);
}

/** Which runs a list shows. */
import type { RunRecord } from '../../journal/record.ts';

const KINDS = {
  all: () => true,
  starred: ({ starred }) => starred,
  open: ({ live }) => live !== null,
  resumable: ({ checkpoint }) => checkpoint !== undefined,
  failed: ({ state }) => state === 'failed',
  forks: ({ parent }) => parent?.step !== undefined,
  imported: ({ imported }) => imported !== undefined,
  sweeps: ({ sweep }) => sweep !== undefined,
} satisfies Record<string, (record: RunRecord) => boolean>;

export type RunKind = keyof typeof KINDS;

/** Runs of a kind in which every word of `query` occurs: in the name, the note, the model, the data set or the sweep. */
export function matching(records: readonly RunRecord[], kind: RunKind, query: string): RunRecord[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return records.filter((record) => {
    const { name, note, model, dataset, sweep, adapter } = record;
    const text = [name, note, model, dataset, adapter, sweep?.name ?? ''].join('\n').toLowerCase();
    return KINDS[kind](record) && words.every((word) => text.includes(word));
  });
}

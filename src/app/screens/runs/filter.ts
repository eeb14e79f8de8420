/** Which runs a list shows. */
import type { RunRecord } from '../../journal/record.ts';

const KINDS = {
  all: { title: 'All runs', fits: () => true },
  starred: { title: 'Starred', fits: ({ starred }: RunRecord) => starred },
  open: { title: 'Open in a tab', fits: ({ live }: RunRecord) => live !== null },
  resumable: { title: 'Can be resumed', fits: ({ checkpoint }: RunRecord) => checkpoint !== undefined },
  failed: { title: 'Failed', fits: ({ state }: RunRecord) => state === 'failed' },
  forks: { title: 'Forks', fits: ({ parent }: RunRecord) => parent?.step !== undefined },
  imported: { title: 'Imported networks', fits: ({ imported }: RunRecord) => imported !== undefined },
  sweeps: { title: 'From sweeps', fits: ({ sweep }: RunRecord) => sweep !== undefined },
};

export type RunKind = keyof typeof KINDS;

export const KIND_TITLES = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { title }]) => [kind, title]),
) as Record<RunKind, string>;

/** Runs of a kind in which every word of `query` occurs: in the name, the note, the model, the data set or the sweep. */
export function matching(records: readonly RunRecord[], kind: RunKind, query: string): RunRecord[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return records.filter((record) => {
    const { name, note, model, dataset, sweep, adapter } = record;
    const text = [name, note, model, dataset, adapter, sweep?.name ?? ''].join('\n').toLowerCase();
    return KINDS[kind].fits(record) && words.every((word) => text.includes(word));
  });
}

import * as format from '../../format.ts';
import type { DatasetEntry } from '../../../worker/api.ts';

/** Where a data set stands, in a word or two. */
export function statusOf(dataset: DatasetEntry): string {
  switch (dataset.status.state) {
    case 'ready':
      return 'ready';
    case 'absent':
      if (dataset.own) return 'folder, zip or camera';
      return dataset.shipped ? 'built in' : format.bytes(dataset.bytes);
    case 'reading':
      return 'loading';
    case 'downloading':
      return 'downloading';
    case 'failed':
      return 'failed';
  }
}

/** Data sets that can be trained on at once stand first. */
export const readyFirst = (datasets: readonly DatasetEntry[]): DatasetEntry[] => {
  const rank = ({ status, shipped }: DatasetEntry) => (status.state === 'ready' || shipped ? 0 : 1);
  return datasets.toSorted((a, b) => rank(a) - rank(b));
};

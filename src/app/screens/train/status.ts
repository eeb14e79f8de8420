import * as format from '../../format.ts';
import type { DatasetEntry } from '../../../worker/api.ts';
import { train as texts } from '../../messages/en/train.tsx';

/** Where a data set stands, in a word or two. */
export function statusOf(dataset: DatasetEntry): string {
  switch (dataset.status.state) {
    case 'ready':
      return texts.data.ready;
    case 'absent':
      if (dataset.own) return texts.data.own;
      return dataset.shipped ? texts.data.shipped : format.bytes(dataset.bytes);
    case 'reading':
      return texts.data.reading;
    case 'downloading':
      return texts.data.downloading;
    case 'failed':
      return texts.data.failed;
  }
}

/** Data sets that can be trained on at once stand first. */
export const readyFirst = (datasets: readonly DatasetEntry[]): DatasetEntry[] => {
  const rank = ({ status, shipped }: DatasetEntry) => (status.state === 'ready' || shipped ? 0 : 1);
  return datasets.toSorted((a, b) => rank(a) - rank(b));
};

import type { FailureValue } from '../../base/result.ts';
import { trainedOn } from '../../run/settings/rules.ts';
import type { DatasetEntry, DatasetState, ModelEntry, ImageSamples, RunConfig } from '../../worker/api.ts';
import type { Slice } from './slice.ts';

export interface DataSlice {
  /** Empty until the worker has listed them. */
  datasets: DatasetEntry[];
  models: ModelEntry[];
  /** The first images of each data set that is here. */
  samples: Record<string, ImageSamples>;
  /** Why the last dropped files were refused, by data set. */
  importErrors: Record<string, FailureValue | undefined>;
  setDatasetStatus(name: string, status: DatasetState): void;
  setSamples(name: string, samples: ImageSamples): void;
  setImportError(name: string, error: FailureValue | undefined): void;
}

/** It can be used without asking for it: it is here, or comes with the page. */
export const isAtHand = ({ shipped, status }: DatasetEntry): boolean =>
  status.state === 'ready' || (shipped && status.state === 'absent');

/** On how many images a run with these settings trains; undefined if its data set is not known. */
export function trainImagesOf(
  { datasets }: Pick<DataSlice, 'datasets'>,
  config: Pick<RunConfig, 'dataset' | 'trainImages' | 'validation'> | undefined,
): number | undefined {
  const images = datasets.find(({ name }) => name === config?.dataset)?.counts.train;
  return images && config ? trainedOn(images, config) : undefined;
}

export const dataSlice: Slice<DataSlice> = (set) => ({
  datasets: [],
  models: [],
  samples: {},
  importErrors: {},
  setDatasetStatus: (name, status) =>
    set((state) => ({
      datasets: state.datasets.map((entry) => (entry.name === name ? { ...entry, status } : entry)),
    })),
  setSamples: (name, samples) => set((state) => ({ samples: { ...state.samples, [name]: samples } })),
  setImportError: (name, error) =>
    set((state) => ({ importErrors: { ...state.importErrors, [name]: error } })),
});

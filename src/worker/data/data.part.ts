import type { WorkerPart } from '../part.ts';

const dataPart: WorkerPart<'data'> = (services) => ({
  fetchDataset: (name) => services.datasets.fetch(name),
  cancelDownload: (name) => services.datasets.cancel(name),
  importDataset: (name, files) => services.datasets.import(name, files),
  understand: async (request) => (await import('./own.ts')).foundIn(request),
  takeOwn: (request) => services.datasets.takeOwn(request),
  prepare: async (file, target) => (await import('./own.ts')).preparedFile(file, target),
  removeDataset: (name) => services.datasets.remove(name),
  samples: (name, count, augmented) => services.datasets.samples(name, count, augmented),
  images: (query) => services.datasets.images(query),
  storage: () => services.datasets.storage(),
});

export default dataPart;

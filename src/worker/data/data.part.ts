import type { WorkerPart } from '../part.ts';

const dataPart: WorkerPart<'data'> = (services) => ({
  fetchDataset: (name) => services.datasets.fetch(name),
  cancelDownload: (name) => services.datasets.cancel(name),
  importDataset: (name, files) => services.datasets.import(name, files),
  takeOwn: (request) => services.datasets.takeOwn(request),
  removeDataset: (name) => services.datasets.remove(name),
  samples: (name, count, augmented) => services.datasets.samples(name, count, augmented),
  images: (query) => services.datasets.images(query),
  storage: () => services.datasets.storage(),
});

export default dataPart;

import { attempt } from '../../base/result.ts';
import type { WorkerPart } from '../part.ts';

const dataPart: WorkerPart<'data'> = (services) => ({
  fetchDataset: (name) => attempt(() => services.datasets.fetch(name)),
  cancelDownload: async (name) => services.datasets.cancel(name),
  importDataset: (name, files) => attempt(() => services.datasets.import(name, files)),
  takeOwn: (request) => attempt(() => services.datasets.takeOwn(request)),
  removeDataset: (name) => attempt(() => services.datasets.remove(name)),
  samples: (name, count, augmented) => attempt(() => services.datasets.samples(name, count, augmented)),
  images: (query) => attempt(() => services.datasets.images(query)),
  storage: () => attempt(() => services.datasets.storage()),
});

export default dataPart;

import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import type { WorkerPart } from '../part.ts';

const exporting = lazily(() => import('./export.ts'));
const importing = lazily(() => import('./import.ts'));

const exchangePart: WorkerPart<'exchange'> = (services) => ({
  exportOffer: (source) => attempt(async () => (await exporting()).exportOffer(services, source)),
  exportNetwork: (source, choice) =>
    attempt(async () => (await exporting()).exportNetwork(services, source, choice)),
  readNetwork: (files, model) => attempt(async () => (await importing()).readNetwork(files, model)),
  keepNetwork: () => attempt(async () => (await importing()).keepNetwork(services)),
});

export default exchangePart;

import type { WorkerPart } from '../part.ts';
import { exportNetwork, exportOffer } from './export.ts';
import { checkNetwork, keepNetwork, readNetwork } from './import.ts';

const exchangePart: WorkerPart<'exchange'> = (services) => ({
  exportOffer: (source) => exportOffer(services, source),
  exportNetwork: (source, choice) => exportNetwork(services, source, choice),
  readNetwork,
  checkNetwork: (dataset) => checkNetwork(services, dataset),
  keepNetwork: () => keepNetwork(services),
});

export default exchangePart;

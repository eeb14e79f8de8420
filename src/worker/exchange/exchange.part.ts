import type { WorkerPart } from '../part.ts';
import { exportNetwork, exportOffer } from './export.ts';
import { NetworkImports } from './import.ts';

const exchangePart: WorkerPart<'exchange'> = (services) => {
  const imports = new NetworkImports(services);
  return {
    exportOffer: (source) => exportOffer(services, source),
    exportNetwork: (source, choice) => exportNetwork(services, source, choice),
    readNetwork: (...given) => imports.read(...given),
    checkNetwork: (id, dataset) => imports.check(id, dataset),
    keepNetwork: (id) => imports.keep(id),
  };
};

export default exchangePart;

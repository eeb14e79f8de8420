import type { WorkerPart } from '../part.ts';
import { RunFamiliarity } from './of-run.ts';
import { familiarityToTrained } from './of-trained.ts';

const familiarPart: WorkerPart<'familiar'> = (services) => {
  const ofRun = new RunFamiliarity(services);
  return {
    toTrained: (image) => familiarityToTrained(image, services.pageUrl, fetch),
    toRun: (image) => ofRun.ask(image),
  };
};

export default familiarPart;

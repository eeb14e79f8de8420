import { modelOf } from '../builder/choice.ts';
import type { WorkerPart } from '../part.ts';
import { labCatalogue, ladderSteps } from './catalogue.ts';
import { summaryOf } from './find-job.ts';
import { startJob } from './job.ts';
import { checkWgsl, kernelTexts } from './kernels.ts';
import { layerUses, predictChoices } from './uses.ts';

const labPart: WorkerPart<'lab'> = (services) => {
  const { supply, tuningResults } = services;
  const deviceWithResults = async () => {
    const device = await supply.get();
    await tuningResults.load(device);
    return device;
  };
  return {
    labCatalogue,
    checkProblem: summaryOf,
    async modelUses(model, batchSize, how) {
      const device = await deviceWithResults();
      const known = tuningResults.known(device);
      // A run would refuse what a layer does not support; the table still has all the others.
      return layerUses(device, await modelOf(model), batchSize, { ...how, known, pinnedElsewhere: true });
    },
    startLab: (job, what) => startJob(services, job, what),
    predictChoices: async (requests) => predictChoices(await deviceWithResults(), requests),
    ladderSteps: async (requests) => ladderSteps(await supply.get(), requests),
    exportFound: () => tuningResults.export(),
    importFound: (name, text) => tuningResults.import(name, text),
    deleteTuningResults: async () => tuningResults.clear(await supply.get()),
    kernelTexts: async (...request) => kernelTexts(await supply.get(), ...request),
    checkWgsl: async (...request) => checkWgsl(await supply.get(), ...request),
  };
};

export default labPart;

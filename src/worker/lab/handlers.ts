import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import { modelOf } from '../builder/choice.ts';
import type { WorkerPart } from '../part.ts';

const jobs = lazily(() => import('./job.ts'));
const measuring = lazily(() => import('./measuring.ts'));

const labPart: WorkerPart<'lab'> = (services) => {
  const { supply, tuningResults } = services;
  return {
    labCatalogue: () => attempt(async () => (await measuring()).labCatalogue()),
    checkProblem: (sizes) => attempt(async () => (await measuring()).problemSummary(sizes)),
    modelUses: (model, batchSize, how) =>
      attempt(async () => {
        const { layerUses } = await measuring();
        const device = await supply.get();
        await tuningResults.load(device);
        const known = tuningResults.known(device);
        // A run would refuse what a layer does not support; the table still has all the others.
        return layerUses(device, await modelOf(model), batchSize, { ...how, known, pinnedElsewhere: true });
      }),
    startLab: (job, what) => attempt(async () => (await jobs()).startJob(services, job, what)),
    predictChoices: (requests) =>
      attempt(async () => {
        const device = await supply.get();
        await tuningResults.load(device);
        return (await measuring()).predictChoices(device, requests);
      }),
    ladderSteps: (requests) =>
      attempt(async () => (await measuring()).ladderSteps(await supply.get(), requests)),
    exportFound: () => tuningResults.export(),
    importFound: (name, text) => attempt(() => tuningResults.import(name, text)),
    deleteTuningResults: () => attempt(async () => tuningResults.clear(await supply.get())),
    kernelTexts: (request, choice, edits) =>
      attempt(async () => (await measuring()).kernelTexts(await supply.get(), request, choice, edits)),
    checkWgsl: (request, choice, edits) =>
      attempt(async () => (await measuring()).checkWgsl(await supply.get(), request, choice, edits)),
  };
};

export default labPart;

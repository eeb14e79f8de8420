/** The Lab's part of the worker, in one chunk that loads when the Lab is opened. */
export { labCatalogue, ladderSteps } from './catalogue.ts';
export { runFindJob, summaryOf as problemSummary } from './find-job.ts';
export { checkWgsl, kernelTexts } from './kernels.ts';
export { runTuneJob } from './tune-job.ts';
export { layerUses, predictChoices } from './uses.ts';

import { fittedEntry } from '../builder/choice.ts';
import type { WorkerPart } from '../part.ts';
import { datasetEntries, modelEntries } from './catalogue.ts';

const trainPart: WorkerPart<'train'> = (services) => {
  const { gpu, runs, settings } = services;
  /** Training is refused while the GPU is measured. */
  const train = <T>(work: () => T): T => {
    gpu.requireIdle();
    return work();
  };
  return {
    async catalogue() {
      const { datasets } = services;
      const statusOf = await datasets.statusOf();
      return { models: modelEntries(), datasets: datasetEntries(await datasets.infos(), statusOf) };
    },
    modelFor: fittedEntry,
    memory: (config) => settings.memory(config),
    train: (config) => train(() => runs.train(config)),
    pause: () => runs.pause(),
    stepBatch: (config) => train(() => runs.stepBatch(config)),
    restart: (config, changes) => train(() => runs.restart(config, changes)),
    stop: () => runs.stop(),
    resumeStopped: () => train(() => runs.resumeStopped()),
    setPace: (stepsPerSecond) => runs.setPace(stepsPerSecond),
    predict: (image) => runs.predict(image),
    adjust: (changes) => runs.adjust(changes),
    resumeRun: (id) => train(() => runs.resume(id)),
    rollBack: (lr) => train(() => runs.rollBack(lr)),
    rescue: () => train(() => runs.rescue()),
  };
};

export default trainPart;

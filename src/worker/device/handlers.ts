import { attempt } from '../../base/result.ts';
import type { Part } from '../part.ts';
import { adapterOf } from './event.ts';

const devicePart: Part<'device'> = ({ engines, gpu, runs, supply }) => {
  /** The last change of the engine; the next one waits. */
  let changing: Promise<unknown> = Promise.resolve();
  return {
    connect: () => attempt(async () => adapterOf(await supply.get(), engines.insteadOfGpu)),
    useEngine(choice) {
      const changed = changing.then(() =>
        attempt(async () => {
          gpu.requireIdle();
          // Opened first: if there is none, everything stays as it is.
          const device = await engines.open(choice);
          const wasTraining = await runs.pause();
          engines.choice = choice;
          await supply.replace(device);
          if (wasTraining) await runs.resumePaused();
          return adapterOf(device, engines.insteadOfGpu);
        }),
      );
      changing = changed.catch(() => undefined);
      return changed;
    },
    loseDevice: async () => (await supply.get()).destroy(),
    async ledger() {
      const { buffers, bytes } = (await supply.get()).ledger;
      return { buffers, bytes };
    },
  };
};

export default devicePart;
